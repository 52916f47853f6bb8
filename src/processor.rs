//! Checks that the processor has the instructions that the program was built for, before any of them runs.
//!
//! In a program optimised as a whole even Rust's runtime uses them, before `main`. So the system calls a function of
//! this file first, as it calls the static constructors of a C++ program.

#![allow(unsafe_code, reason = "nothing of Rust's runtime is there yet")]

use std::arch::x86_64::{__cpuid_count, _xgetbv};
use std::ffi::{c_int, c_void};
use std::hint::black_box;

/// A register whose bits describe the processor.
#[derive(Clone, Copy)]
enum Answer {
    /// Register ECX of function 1 of `cpuid`.
    First,
    /// Register EBX of function 7.
    Seventh,
    /// Register ECX of function `8000_0001h`.
    Extended,
    /// Register XCR0: which registers the system saves for a thread.
    Kept,
}

/// The bits that a program built for these features needs.
///
/// See: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2A, CPUID, and volume 1, chapter 13.
macro_rules! needed {
    ($($answer:ident: [$($name:literal $bits:expr),*])*) => {
        [$($((Answer::$answer, if cfg!(target_feature = $name) { $bits } else { 0 }, $name),)*)*]
    };
}

static NEEDED: [(Answer, u32, &str); 21] = needed! {
    Seventh: ["avx512f" 1 << 16, "avx512bw" 1 << 30, "avx512cd" 1 << 28, "avx512dq" 1 << 17, "avx512vl" 1 << 31]
    Seventh: ["avx2" 1 << 5, "bmi1" 1 << 3, "bmi2" 1 << 8]
    Extended: ["lzcnt" 1 << 5]
    First: ["avx" 3 << 27, "f16c" 1 << 29, "fma" 1 << 12, "movbe" 1 << 22]
    First: ["cmpxchg16b" 1 << 13, "popcnt" 1 << 23, "sse3" 1, "sse4.1" 1 << 19, "sse4.2" 1 << 20, "ssse3" 1 << 9]
    Kept: ["avx" 0b110, "avx512f" 0b1110_0110]
};

unsafe extern "C" {
    #[cfg_attr(windows, link_name = "_write")]
    fn write(file: c_int, bytes: *const c_void, count: usize) -> isize;
    fn _exit(code: c_int) -> !;
}

/// The function that the system calls before Rust's runtime.
// SAFETY: the section holds addresses of functions that return nothing, each called once, with arguments that a C
// function may ignore.
#[used]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(any(windows, target_vendor = "apple")), unsafe(link_section = ".init_array"))]
static FIRST: extern "C" fn() = require_processor;

/// Ends the program with a one-line message if the processor cannot run it.
extern "C" fn require_processor() {
    for &(answer, bits, name) in &NEEDED {
        // Hidden from the compiler, which would turn it into `andn`, an instruction that may be missing.
        let found = black_box(ask(answer) & bits);
        if found != bits {
            let rest = ", which this processor lacks; the program for every PC runs here\n";
            for part in ["millstone: this program needs ", name, rest] {
                // SAFETY: the text is static and has this length; nothing writes to it.
                unsafe { write(2, part.as_ptr().cast(), part.len()) };
            }
            // SAFETY: nothing runs yet that needs cleaning up.
            unsafe { _exit(1) };
        }
    }
}

/// Reads a register of the processor itself: the standard library takes the features of the build for granted.
fn ask(answer: Answer) -> u32 {
    // SAFETY: every x86-64 processor has `cpuid`, and it changes only registers.
    #[allow(unused_unsafe, reason = "newer compilers call it safe")]
    let cpuid = |function: u32| unsafe {
        let last = __cpuid_count(function & 0x8000_0000, 0).eax;
        (last >= function).then(|| __cpuid_count(function, 0))
    };
    match answer {
        Answer::First => cpuid(1).map_or(0, |answer| answer.ecx),
        Answer::Seventh => cpuid(7).map_or(0, |answer| answer.ebx),
        Answer::Extended => cpuid(0x8000_0001).map_or(0, |answer| answer.ecx),
        // SAFETY: bit 27 says that the system lets programs read the register.
        Answer::Kept if ask(Answer::First) >> 27 & 1 == 1 => unsafe { _xgetbv(0) as u32 },
        Answer::Kept => 0,
    }
}
