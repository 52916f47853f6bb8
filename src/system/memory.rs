//! Large allocations: tables that threads share, and vectors on huge pages.

#[cfg(not(target_family = "wasm"))]
use std::hint::black_box;
#[cfg(not(target_family = "wasm"))]
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use bytemuck::Zeroable;
use rayon::prelude::*;

#[cfg(not(target_family = "wasm"))]
use super::locks::lock;

/// Whether an optional allocation may be made: whether a quarter of a gigabyte of address space is left for stacks,
/// tables and other allocations. A thread may take half of it.
pub fn has_room() -> bool {
    has_room_for(0)
}

/// Whether there is room for as many bytes as well.
pub fn has_room_for(bytes: usize) -> bool {
    is_free(bytes.saturating_add(1 << 28))
}

/// Whether some bytes of address space are free.
#[cfg(not(target_family = "wasm"))]
fn is_free(bytes: usize) -> bool {
    // Asking takes them for a moment, so one thread asks at a time.
    static ASKING: Mutex<()> = Mutex::new(());
    let _asking = lock(&ASKING);
    let mut taken = Vec::<u8>::new();
    let is_free = taken.try_reserve_exact(bytes).is_ok();
    // Else the compiler might leave the allocation out.
    black_box(taken);
    is_free
}

/// A browser does not tell.
#[cfg(target_family = "wasm")]
const fn is_free(_bytes: usize) -> bool {
    true
}

/// Returns a vector of zeros, on huge pages if the system has them.
pub fn zeros<T: Zeroable>(len: usize) -> Vec<T> {
    let zeros = bytemuck::allocation::zeroed_vec(len);
    // The pages of a large vector have not been touched yet.
    prefer_huge_pages(&zeros);
    zeros
}

/// Returns a vector of copies of a value, written by all threads, on huge pages if the system has them.
pub fn filled<T: Copy + Send>(value: T, len: usize) -> Vec<T> {
    let mut values = Vec::with_capacity(len);
    prefer_huge_pages(values.spare_capacity_mut());
    values.par_extend(rayon::iter::repeat_n(value, len));
    values
}

/// Tells the system that memory is accessed at random: huge pages make that and the first use faster.
#[cfg_attr(not(target_os = "linux"), allow(unused_variables))]
fn prefer_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    advise(memory, 1 << 21, nix::libc::MADV_HUGEPAGE);
}

/// A multiple of the size of a page on every Linux, in bytes.
#[cfg(target_os = "linux")]
const SYSTEM_PAGES: usize = 1 << 16;

/// Gives the system advice about the whole pages of a size in a slice. Returns `false` if it refuses the advice.
#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "no safe call takes memory of a vector; 6-7 and 7-6 are solved in 0.96 of the processor time"
)]
fn advise<T>(memory: &[T], page: usize, advice: nix::libc::c_int) -> bool {
    let bytes = memory.as_ptr_range();
    let start = bytes.start.cast::<u8>();
    let unaligned = start.align_offset(page);
    let len = (bytes.end as usize - start as usize).saturating_sub(unaligned) / page * page;
    let pages = start.wrapping_add(unaligned).cast_mut();
    // SAFETY: the pages lie in the slice, which is borrowed during the call, and neither advice changes their
    // contents.
    len == 0 || unsafe { nix::libc::madvise(pages.cast(), len, advice) } == 0
}

/// A zeroed array that begins at the boundary of a cache line, where the system's memory permits.
pub struct Zeroed<T> {
    /// The elements, after those before the boundary.
    memory: Vec<T>,
    start: usize,
    is_populated: AtomicBool,
}

impl<T: Zeroable> Zeroed<T> {
    const CACHE_LINE: usize = 64;
    /// The bytes that must stay free for everything else.
    const LEAST_LEFT: usize = 1 << 25;

    /// Allocates memory, whose pages the system provides on first use, huge ones if it has them: fewer page
    /// addresses to look up make a random access faster.
    ///
    /// Returns `None` if there is too little memory, or too little would be left for anything else.
    pub fn new(len: usize) -> Option<Self> {
        let most_before = Self::CACHE_LINE / size_of::<T>();
        let with_start = len.checked_add(most_before)?;
        let memory = bytemuck::allocation::try_zeroed_vec(with_start).ok();
        let mut memory: Vec<T> = memory.filter(|_| is_free(Self::LEAST_LEFT))?;
        prefer_huge_pages(&memory);
        // Some systems align the memory to less than an element, so that none begins at a boundary.
        let start = memory.as_ptr().align_offset(Self::CACHE_LINE);
        let start = if start <= most_before { start } else { 0 };
        memory.truncate(start + len);
        Some(Self { memory, start, is_populated: AtomicBool::new(false) })
    }

    /// Has the system provide all pages now, which the first use would wait for. Only on Linux, and only once.
    pub fn populate(&self) {
        if !self.is_populated() {
            #[cfg(target_os = "linux")]
            let is_done = advise(self.elements(), SYSTEM_PAGES, nix::libc::MADV_POPULATE_WRITE);
            #[cfg(not(target_os = "linux"))]
            let is_done = true;
            self.is_populated.store(is_done, Relaxed);
        }
    }

    /// Whether the system has provided all pages.
    pub fn is_populated(&self) -> bool {
        self.is_populated.load(Relaxed)
    }

    /// The elements.
    pub fn elements(&self) -> &[T] {
        &self.memory[self.start..]
    }
}
