//! Large zeroed memory for tables that threads share.

use bytemuck::Zeroable;

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

    /// Takes memory from the system, which provides its pages as they are first used, huge ones if it
    /// has them: fewer addresses of pages to look up make a random access faster.
    ///
    /// `None` if there is not that much.
    #[must_use]
    pub fn new(len: usize) -> Option<Self> {
        const { Self::FITS_A_PAGE };
        let bytes = len.checked_mul(size_of::<T>())?;
        let memory = memmap2::MmapMut::map_anon(bytes).ok()?;
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
        reason = "no safe view of mapped memory as atomics, which huge pages pay for"
    )]
    #[must_use]
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
    #[must_use]
    pub fn new(len: usize) -> Option<Self> {
        bytemuck::try_zeroed_slice_box(len).ok().map(Self)
    }

    /// The elements.
    #[inline]
    #[must_use]
    pub fn elements(&self) -> &[T] {
        &self.0
    }
}
