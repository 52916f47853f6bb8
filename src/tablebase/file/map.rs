//! A memory-mapped file, which may be truncated while it is read.

use std::fs::File;

use memmap2::Mmap;

use crate::system::file_at::SYSTEM_PAGE;
use crate::system::memory::has_room;

/// A memory-mapped file.
pub struct Map {
    #[cfg(unix)]
    watch: bus_errors::Watch,
    bytes: Mmap,
}

impl Map {
    /// Maps a file. Returns `None` if the system refuses, or little address space would be left.
    #[allow(unsafe_code, reason = "copying from a map is faster for probes than a system call")]
    pub fn new(file: &File) -> Option<Self> {
        // SAFETY: the map is only copied from. Millstone never changes a file in place: it writes a new one
        // beside it and renames that, and the old one stays while it is mapped. If another program writes to
        // the file, the bytes are numbers, none of which is used as an index unchecked; if it truncates the
        // file, `copy` reports it.
        let bytes = unsafe { Mmap::map(file).ok()? };
        if !has_room() {
            return None;
        }
        Some(Self {
            #[cfg(unix)]
            watch: bus_errors::Watch::over(&bytes)?,
            bytes,
        })
    }

    /// Copies bytes of the mapped file. Returns whether all of them were there.
    pub fn copy(&self, file: &File, start: usize, into: &mut [u8]) -> bool {
        let end = start + into.len();
        let Some(bytes) = self.bytes.get(start..end) else { return false };
        into.copy_from_slice(bytes);
        // On other systems a mapped file cannot be truncated.
        #[cfg(unix)]
        if self.watch.has_failed() {
            return false;
        }
        into.last() != Some(&0) || !self.is_cut_before(file, end)
    }

    /// Whether the file may have been truncated before `end`: the system shows zeros from the end of the file to
    /// the end of its page.
    fn is_cut_before(&self, file: &File, end: usize) -> bool {
        let end_of_page = end.next_multiple_of(SYSTEM_PAGE).min(self.bytes.len());
        let mut rest = self.bytes[end..end_of_page].iter().rev();
        // A page ends with its checksum, which is rarely 0.
        rest.all(|byte| *byte == 0)
            && file.metadata().is_ok_and(|file| file.len() < self.bytes.len() as u64)
    }
}

/// Survives SIGBUS, which reading a map raises beyond the current end of the file, or when the disk fails.
#[cfg(unix)]
#[allow(unsafe_code, reason = "a system call before each read takes longer than the read")]
mod bus_errors {
    use std::sync::OnceLock;
    use std::sync::atomic::{
        AtomicBool, AtomicUsize, Ordering::Acquire, Ordering::Relaxed, Ordering::Release, fence,
    };

    use nix::libc::{self, c_int, c_void, siginfo_t};
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

    /// The maximum number of maps at a time; two for each sector of the largest game are enough.
    const MOST_MAPS: usize = 1 << 12;

    /// The maps, which the signal handler searches without a lock.
    static MAPS: [WatchedMap; MOST_MAPS] = [const {
        WatchedMap {
            is_taken: AtomicBool::new(false),
            start: AtomicUsize::new(0),
            len: AtomicUsize::new(0),
            has_failed: AtomicBool::new(false),
        }
    }; MOST_MAPS];

    static HANDLER: OnceLock<Option<Handler>> = OnceLock::new();

    /// Where a map is.
    struct WatchedMap {
        is_taken: AtomicBool,
        start: AtomicUsize,
        len: AtomicUsize,
        has_failed: AtomicBool,
    }

    /// Watches the reads of a map until it is dropped.
    pub struct Watch(&'static WatchedMap);

    impl Watch {
        /// Watches a map. Returns `None` if the system refuses, or there are too many maps.
        pub fn over(bytes: &[u8]) -> Option<Self> {
            HANDLER.get_or_init(Handler::install).as_ref()?;
            let place = MAPS.iter().find(|place| !place.is_taken.swap(true, Acquire))?;
            place.has_failed.store(false, Relaxed);
            place.start.store(bytes.as_ptr().addr(), Relaxed);
            place.len.store(bytes.len(), Release);
            Some(Self(place))
        }

        /// Whether any read of the map has failed so far and returned zeros.
        pub fn has_failed(&self) -> bool {
            fence(Acquire);
            self.0.has_failed.load(Relaxed)
        }
    }

    impl Drop for Watch {
        fn drop(&mut self) {
            self.0.len.store(0, Relaxed);
            self.0.is_taken.store(false, Release);
        }
    }

    struct Handler {
        /// The size of a system page in bytes.
        page: usize,
        /// The previous action for the signal.
        before: SigAction,
    }

    impl Handler {
        fn install() -> Option<Self> {
            // SAFETY: only returns a number.
            let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
            let page = usize::try_from(page).ok().filter(|page| *page > 0)?;
            let handler = SigHandler::SigAction(on_bus_error);
            let action = SigAction::new(handler, SaFlags::SA_ONSTACK, SigSet::empty());
            // SAFETY: the handler takes no lock, allocates nothing, and calls only what a handler may call.
            let before = unsafe { sigaction(Signal::SIGBUS, &action) }.ok()?;
            Some(Self { page, before })
        }
    }

    extern "C" fn on_bus_error(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
        let Some(Some(handler)) = HANDLER.get() else { return };
        // SAFETY: the system passes a valid description of the signal.
        let address = unsafe { (*info).si_addr() };
        let is_in = |place: &&WatchedMap| {
            let len = place.len.load(Acquire);
            address.addr().wrapping_sub(place.start.load(Relaxed)) < len
        };
        if let Some(place) = MAPS.iter().find(is_in) {
            place.has_failed.store(true, Release);
            let page = address.with_addr(address.addr() / handler.page * handler.page);
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
            // SAFETY: the page cannot be read, and belongs to a map that lives while it is read. Mapping
            // zeros over it lets the failed read continue.
            let zeros = unsafe { libc::mmap(page, handler.page, libc::PROT_READ, flags, -1, 0) };
            if zeros != libc::MAP_FAILED {
                return;
            }
        }
        match handler.before.handler() {
            SigHandler::SigDfl | SigHandler::SigIgn => {
                let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
                // SAFETY: the default action ends the process when the signal is raised again.
                let _ = unsafe { sigaction(Signal::SIGBUS, &default) };
            }
            SigHandler::SigAction(before) => before(signal, info, context),
            SigHandler::Handler(before) => before(signal),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Reading beyond the current end of a file fails without ending the process.
    #[test]
    fn a_map_outlives_the_end_of_its_file() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[7; 4 * SYSTEM_PAGE]).unwrap();
        let map = Map::new(&file).unwrap();
        let mut bytes = [0; 8];
        assert!(map.copy(&file, 3 * SYSTEM_PAGE, &mut bytes) && bytes == [7; 8]);
        file.set_len(SYSTEM_PAGE as u64).unwrap();
        assert!(!map.copy(&file, 3 * SYSTEM_PAGE, &mut bytes));
    }
}
