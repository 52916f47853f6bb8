//! Whether the processor has the instructions that the program was built for, asked before any of them is met.
//!
//! In a program that is optimised as a whole even Rust's runtime has them, before `main`. So the system calls a
//! function of this file first, as it calls the constructors of programs in C++.

#![allow(unsafe_code, reason = "nothing of Rust's runtime is there yet")]

use std::arch::x86_64::{__cpuid_count, _xgetbv};
use std::ffi::{c_int, c_void};
use std::hint::black_box;

/// A number of bits that the processor answers with.
#[derive(Clone, Copy)]
enum Answer {
    /// Register ECX of function 1 of `cpuid`.
    First,
    /// Register EBX of function 7.
    Seventh,
    /// Register ECX of function `8000_0001h`.
    Extended,
    /// Register XCR0: which registers the system keeps for a thread.
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

/// What the system calls before Rust's runtime.
// SAFETY: the section holds addresses of functions without results, which are called once with arguments that C
// functions may leave unread.
#[used]
#[cfg_attr(windows, unsafe(link_section = ".CRT$XCU"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
#[cfg_attr(not(any(windows, target_vendor = "apple")), unsafe(link_section = ".init_array"))]
static FIRST: extern "C" fn() = require_processor;

/// Ends a program that the processor cannot run, with one line.
extern "C" fn require_processor() {
    for &(answer, bits, name) in &NEEDED {
        // Hidden from the compiler, which makes `andn` of it, an instruction that may be lacking.
        let found = black_box(ask(answer) & bits);
        if found != bits {
            let rest = ", which this processor lacks; the program for every PC runs here\n";
            for part in ["millstone: this program needs ", name, rest] {
                // SAFETY: the text is static and as long as is said; nothing else writes to it.
                unsafe { write(2, part.as_ptr().cast(), part.len()) };
            }
            // SAFETY: nothing runs yet that would have to be ended.
            unsafe { _exit(1) };
        }
    }
}

/// Asks the processor itself: the standard library takes what a program was built for as given.
fn ask(answer: Answer) -> u32 {
    // SAFETY: every x86-64 processor has `cpuid`, and it changes registers alone.
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
