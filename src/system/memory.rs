//! Large allocations: tables that threads share, and vectors on huge pages.

#[cfg(not(target_family = "wasm"))]
use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use bytemuck::Zeroable;
use rayon::prelude::*;

#[cfg(not(target_family = "wasm"))]
use super::locks::lock;

/// Whether an optional allocation may be made: whether a quarter of a gigabyte of address space is left for stacks,
/// tables and other allocations. A thread may take half of it.
pub fn has_room() -> bool {
    is_free(1 << 28)
}

/// Whether some bytes of address space are free.
#[cfg(not(target_family = "wasm"))]
fn is_free(bytes: usize) -> bool {
    // Asking maps them for a moment, so one thread asks at a time.
    static ASKING: Mutex<()> = Mutex::new(());
    let _asking = lock(&ASKING);
    memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon().is_ok()
}

/// A browser does not tell.
#[cfg(target_family = "wasm")]
const fn is_free(_bytes: usize) -> bool {
    true
}

/// Returns a vector of zeros, on huge pages if the system has them.
pub fn zeros<T: Zeroable>(len: usize) -> Vec<T> {
    let mut zeros: Vec<T> = bytemuck::allocation::zeroed_vec(len);
    // The pages of a large vector have not been touched yet.
    prefer_huge_pages(&mut zeros);
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
#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "no safe call takes memory of a vector; 6-7 and 7-6 are solved in 0.96 of the processor time"
)]
fn prefer_huge_pages<T>(memory: &mut [T]) {
    use nix::libc::{MADV_HUGEPAGE, madvise};

    const PAGE: usize = 1 << 21;
    let bytes = memory.as_mut_ptr_range();
    let start = bytes.start.cast::<u8>();
    let unaligned = start.align_offset(PAGE);
    let len = (bytes.end as usize - start as usize).saturating_sub(unaligned) / PAGE * PAGE;
    if len > 0 {
        // SAFETY: the pages lie in the slice, which is borrowed exclusively during the call, and the advice neither
        // reads nor changes their contents.
        unsafe { madvise(start.wrapping_add(unaligned).cast(), len, MADV_HUGEPAGE) };
    }
}

/// Elsewhere the system chooses.
#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages<T>(_memory: &mut [T]) {}

/// A zeroed array.
#[cfg(not(target_family = "wasm"))]
pub struct Zeroed<T> {
    /// Begins at a page boundary.
    memory: memmap2::MmapRaw,
    len: usize,
    is_populated: AtomicBool,
    elements: std::marker::PhantomData<T>,
}

#[cfg(not(target_family = "wasm"))]
impl<T: Zeroable> Zeroed<T> {
    const FITS_A_PAGE: () = assert!(align_of::<T>() <= 4096);
    /// The bytes that must stay free for everything else.
    const LEAST_LEFT: usize = 1 << 25;

    /// Maps memory, whose pages the system provides on first use, huge ones if it has them: fewer page
    /// addresses to look up make a random access faster.
    ///
    /// Returns `None` if there is too little memory, or too little would be left for anything else.
    pub fn new(len: usize) -> Option<Self> {
        const { Self::FITS_A_PAGE };
        let bytes = len.checked_mul(size_of::<T>())?;
        let memory =
            memmap2::MmapMut::map_anon(bytes).ok().filter(|_| is_free(Self::LEAST_LEFT))?;
        #[cfg(target_os = "linux")]
        if let Err(refusal) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("no huge pages for the table: {refusal}");
        }
        let (memory, is_populated) = (memory.into(), AtomicBool::new(false));
        Some(Self { memory, len, is_populated, elements: std::marker::PhantomData })
    }

    /// Has the system provide all pages now, which the first use would wait for. Only on Linux, and only once.
    pub fn populate(&self) {
        if self.is_populated.swap(true, Relaxed) {
            return;
        }
        #[cfg(target_os = "linux")]
        if let Err(refusal) = self.memory.advise(memmap2::Advice::PopulateWrite) {
            log::debug!("the memory of the table is not provided in advance: {refusal}");
            self.is_populated.store(false, Relaxed);
        }
    }

    /// The elements.
    #[inline]
    #[allow(
        unsafe_code,
        reason = "no safe view of mapped memory as atomics; justified by huge pages"
    )]
    pub fn elements(&self) -> &[T] {
        // SAFETY: the map belongs to this array, begins at a page boundary, to which any `T` is aligned, and has
        // room for `len` elements as long as it lives. Zero bytes are a valid `T`. The bytes are accessed only
        // through this shared slice, so only the interior of the elements can change.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), self.len) }
    }
}

/// A zeroed array.
#[cfg(target_family = "wasm")]
pub struct Zeroed<T>(Box<[T]>);

#[cfg(target_family = "wasm")]
impl<T: Zeroable> Zeroed<T> {
    /// Allocates on the heap. Returns `None` if there is too little memory.
    pub fn new(len: usize) -> Option<Self> {
        bytemuck::try_zeroed_slice_box(len).ok().map(Self)
    }

    /// Does nothing: the heap provides its memory by itself.
    pub const fn populate(&self) {
        let _ = &self.0;
    }

    /// The elements.
    #[inline]
    pub fn elements(&self) -> &[T] {
        &self.0
    }
}
