//! Large memory: tables that threads share, and vectors on huge pages.

#[cfg(not(target_family = "wasm"))]
use std::sync::Mutex;

use bytemuck::Zeroable;
use rayon::prelude::*;

#[cfg(not(target_family = "wasm"))]
use super::locks::lock;

/// Whether enough address space is left for stacks, tables and other allocations that whoever could do with
/// less may take some: a quarter of a gigabyte, of which a thread may take half.
pub fn has_room() -> bool {
    is_free(1 << 28)
}

/// Whether some bytes of address space are free.
#[cfg(not(target_family = "wasm"))]
fn is_free(bytes: usize) -> bool {
    // Who asks takes them for a moment.
    static ASKING: Mutex<()> = Mutex::new(());
    let _asking = lock(&ASKING);
    memmap2::MmapOptions::new().len(bytes).no_reserve_swap().map_anon().is_ok()
}

/// A page of a browser has as much as it is given.
#[cfg(target_family = "wasm")]
const fn is_free(_bytes: usize) -> bool {
    true
}

/// Zeros, on huge pages if the system has them.
pub fn zeros<T: Zeroable>(len: usize) -> Vec<T> {
    let mut zeros: Vec<T> = bytemuck::allocation::zeroed_vec(len);
    // Large ones have not been touched yet.
    prefer_huge_pages(&mut zeros);
    zeros
}

/// The same value many times, on huge pages if the system has them, by all threads.
pub fn filled<T: Copy + Send>(value: T, len: usize) -> Vec<T> {
    let mut values = Vec::with_capacity(len);
    prefer_huge_pages(values.spare_capacity_mut());
    values.par_extend(rayon::iter::repeat_n(value, len));
    values
}

/// Tells the system that some memory is accessed at random places, which huge pages make faster, as they do the
/// first use.
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
        // SAFETY: the pages lie in the slice, which is borrowed alone for the time of the call, and the advice
        // neither reads nor changes what is in them.
        unsafe { madvise(start.wrapping_add(unaligned).cast(), len, MADV_HUGEPAGE) };
    }
}

/// Elsewhere the system chooses.
#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages<T>(_memory: &mut [T]) {}

/// A row of zeroed elements.
#[cfg(not(target_family = "wasm"))]
pub struct Zeroed<T> {
    /// From the start of a page on.
    memory: memmap2::MmapRaw,
    len: usize,
    elements: std::marker::PhantomData<T>,
}

#[cfg(not(target_family = "wasm"))]
impl<T: Zeroable> Zeroed<T> {
    const FITS_A_PAGE: () = assert!(align_of::<T>() <= 4096);
    /// What has to be left for all else, in bytes.
    const LEAST_LEFT: usize = 1 << 25;

    /// Takes memory from the system, which provides its pages as they are first used, huge ones if it
    /// has them: fewer addresses of pages to look up make a random access faster.
    ///
    /// `None` if there is not that much, or too little would be left for anything else.
    pub fn new(len: usize) -> Option<Self> {
        const { Self::FITS_A_PAGE };
        let bytes = len.checked_mul(size_of::<T>())?;
        let memory =
            memmap2::MmapMut::map_anon(bytes).ok().filter(|_| is_free(Self::LEAST_LEFT))?;
        #[cfg(target_os = "linux")]
        if let Err(refusal) = memory.advise(memmap2::Advice::HugePage) {
            log::debug!("no huge pages for the table: {refusal}");
        }
        Some(Self { memory: memory.into(), len, elements: std::marker::PhantomData })
    }

    /// The elements.
    #[inline]
    #[allow(
        unsafe_code,
        reason = "no safe view of mapped memory as atomics; justified by huge pages"
    )]
    pub fn elements(&self) -> &[T] {
        // SAFETY: the map is this row's own, begins a page, to which any `T` is aligned, and has room for
        // `len` elements as long as it lives. Zeros make a `T`. The bytes are reached through this shared
        // slice only, so that nothing but the interior of the elements can change.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), self.len) }
    }
}

/// A row of zeroed elements.
#[cfg(target_family = "wasm")]
pub struct Zeroed<T>(Box<[T]>);

#[cfg(target_family = "wasm")]
impl<T: Zeroable> Zeroed<T> {
    /// Takes memory from the heap; `None` if there is not that much.
    pub fn new(len: usize) -> Option<Self> {
        bytemuck::try_zeroed_slice_box(len).ok().map(Self)
    }

    /// The elements.
    #[inline]
    pub fn elements(&self) -> &[T] {
        &self.0
    }
}
