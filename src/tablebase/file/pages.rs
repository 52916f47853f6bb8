//! The bytes of a file, checked page by page as they are read.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::error::Flaw;
use super::map::Map;
use crate::system::file_at::read_at;
use crate::tablebase::disk::{DiskAccess, ResidencyEpoch};

/// The bytes that are read and checked together.
pub const PAGE: usize = 4096;

/// How many pages are read at a time beforehand.
const READ_AHEAD: usize = 64;
/// So many pages at most are checked on one thread.
const FEW_PAGES: usize = 256;

/// Where the bytes of a sector are.
enum PageSource {
    /// In a file, and in memory where the system gives the room.
    File { file: File, map: Option<Map> },
    /// In the program: all but the first page.
    Shipped(&'static [u8]),
}

impl PageSource {
    /// Copies some bytes after the first page.
    #[inline]
    fn copy(&self, start: usize, into: &mut [u8]) -> io::Result<()> {
        let is_copied = match self {
            Self::File { file, map: Some(map) } => map.copy(file, start, into),
            Self::File { file, map: None } => return read_at(file, start as u64, into),
            Self::Shipped(shipped) => {
                let bytes = shipped.get(start - PAGE..start - PAGE + into.len());
                bytes.map(|bytes| into.copy_from_slice(bytes)).is_some()
            }
        };
        if is_copied { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// The same, as they are in the file now.
    fn read(&self, start: usize, into: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File { file, .. } => read_at(file, start as u64, into),
            Self::Shipped(_) => self.copy(start, into),
        }
    }
}

/// The pages of a file, with a checksum for each but the first.
pub struct Pages {
    source: PageSource,
    /// The bytes of the file when it was opened.
    length: u64,
    /// Where the last of the pages that have a checksum ends.
    end: usize,
    /// The checksums, four bytes each, which are not read from the file again.
    checksums: Box<[u8]>,
    /// The terms in which the pages were last found in memory, or [`ResidencyEpoch::NEVER`] for those that are not
    /// yet known to be as they were written.
    last_found: Box<[AtomicU32]>,
    damaged_page: OnceLock<usize>,
    /// The error of the system if it was not damaged, but could not be read.
    failure: OnceLock<i32>,
    is_reported: AtomicBool,
}

/// Reads the first page of a file, which has no checksum among the others.
///
/// # Errors
///
/// When it cannot be read, or the file is shorter.
pub fn read_first(file: &mut File) -> Result<[u8; PAGE], Flaw> {
    let found = file.metadata()?.len();
    if found < PAGE as u64 {
        return Err(Flaw::Length { expected: PAGE as u64, found });
    }
    let mut first = [0; PAGE];
    file.read_exact(&mut first)?;
    Ok(first)
}

impl Pages {
    /// Opens a file that ends with the checksums of its pages, of which this is the checksum; no page has
    /// been checked.
    ///
    /// # Errors
    ///
    /// When it cannot be read, its length is another, or the checksums are damaged.
    pub fn open(file: File, checksums: Range<usize>, checksum: u32) -> Result<Self, Flaw> {
        let (expected, found) = (checksums.end as u64, file.metadata()?.len());
        if found != expected {
            return Err(Flaw::Length { expected, found });
        }
        let map = Map::new(&file);
        Self::of(PageSource::File { file, map }, checksums, checksum)
    }

    /// The pages after the first of a sector that the program has in itself, with their checksums, of
    /// which this is the checksum; no page has been checked.
    ///
    /// # Errors
    ///
    /// When the checksums are damaged.
    pub fn shipped(
        pages: &'static [u8],
        checksums: Range<usize>,
        checksum: u32,
    ) -> Result<Self, Flaw> {
        Self::of(PageSource::Shipped(pages), checksums, checksum)
    }

    /// Trusts the checksums of the pages if they have this checksum.
    fn of(source: PageSource, checksums: Range<usize>, checksum: u32) -> Result<Self, Flaw> {
        let mut bytes = vec![0; checksums.len()];
        source.read(checksums.start, &mut bytes)?;
        if crc32fast::hash(&bytes) != checksum {
            return Err(Flaw::Damage { offset: checksums.start as u64 });
        }
        let words = bytes.len() / size_of::<u32>();
        let never = || AtomicU32::new(ResidencyEpoch::NEVER.number());
        Ok(Self {
            source,
            length: checksums.end as u64,
            end: checksums.start,
            checksums: bytes.into(),
            last_found: (0..words).map(|_| never()).collect(),
            damaged_page: OnceLock::new(),
            failure: OnceLock::new(),
            is_reported: AtomicBool::new(false),
        })
    }

    /// Copies some bytes after the first page, if all their pages are as they were written.
    #[inline]
    pub fn copy(&self, start: usize, into: &mut [u8], access: DiskAccess<'_>) -> Option<()> {
        if !self.has_good(start, into.len(), access) {
            return None;
        }
        let is_copied = self.source.copy(start, into);
        is_copied.map_err(|error| self.note_failure(start / PAGE, &error)).ok()
    }

    /// Whether the pages of some bytes after the first page are as they were written.
    #[inline]
    fn has_good(&self, start: usize, len: usize, access: DiskAccess<'_>) -> bool {
        let (first, last) = (start / PAGE, (start + len).saturating_sub(1) / PAGE);
        let is_good = |page: usize| self.is_good(page, access);
        !self.is_damaged() && is_good(first) && (first..last).all(|page| is_good(page + 1))
    }

    /// Whether some bytes after the first page may be read now: their pages are in memory, or are waited for.
    pub fn may_read(&self, bytes: Range<usize>, access: DiskAccess<'_>) -> bool {
        match access {
            DiskAccess::Blocking => true,
            DiskAccess::NonBlocking(_) => self.has_good(bytes.start, bytes.len(), access),
        }
    }

    /// Reads some bytes after the first page into memory, if all their pages are as they were written.
    pub fn read(&self, bytes: Range<usize>) -> Option<Piece> {
        if self.is_damaged() || bytes.start > bytes.end || bytes.end > self.end {
            return None;
        }
        let start = bytes.start / PAGE * PAGE;
        let end = bytes.end.next_multiple_of(PAGE).min(self.end).max(start);
        let mut contents = vec![0; end - start];
        if let Err(error) = self.source.read(start, &mut contents) {
            self.note_failure(start / PAGE, &error);
            return None;
        }
        let mut pages = (start / PAGE..).zip(contents.chunks(PAGE));
        let is_good = pages.all(|(page, contents)| self.judge(page, contents));
        is_good.then_some(Piece { start, bytes: contents })
    }

    /// Reads the pages of a range of bytes into the memory of the system, not into that of the program,
    /// and checks them.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub fn read_ahead(&self, bytes: Range<usize>) -> io::Result<()> {
        let end = bytes.end.next_multiple_of(PAGE).min(self.end);
        let mut contents = vec![0; READ_AHEAD * PAGE];
        for start in (bytes.start / PAGE * PAGE..end).step_by(READ_AHEAD * PAGE) {
            let contents = &mut contents[..(end - start).min(READ_AHEAD * PAGE)];
            self.source.read(start, contents)?;
            let mut pages = (start / PAGE..).zip(contents.chunks(PAGE));
            if !pages.all(|(page, contents)| self.judge(page, contents)) {
                break;
            }
        }
        Ok(())
    }

    /// Whether all pages in a range of bytes are as they were written.
    pub fn are_good(&self, bytes: Range<usize>) -> bool {
        let mut pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
        let is_good = |page| self.is_good(page, DiskAccess::Blocking);
        // A few pages are not worth other threads.
        if pages.len() <= FEW_PAGES {
            pages.all(is_good)
        } else {
            pages.into_par_iter().all(is_good)
        }
    }

    #[inline]
    fn is_good(&self, page: usize, access: DiskAccess<'_>) -> bool {
        let Some(last_found) = self.last_found.get(page - 1) else { return false };
        let is_known = ResidencyEpoch::numbered(last_found.load(Relaxed)) >= access.since();
        is_known || self.check(page, access)
    }

    #[cold]
    fn check(&self, page: usize, access: DiskAccess<'_>) -> bool {
        let len = PAGE.min(self.end.saturating_sub(page * PAGE));
        if let PageSource::File { file, .. } = &self.source {
            match access.may_read(file, (page * PAGE) as u64, len) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(error) => {
                    self.note_failure(page, &error);
                    return false;
                }
            }
        }
        let last_found = &self.last_found[page - 1];
        if ResidencyEpoch::numbered(last_found.load(Relaxed)) > ResidencyEpoch::NEVER {
            last_found.store(ResidencyEpoch::now().number(), Relaxed);
            return true;
        }
        let mut contents = [0; PAGE];
        let contents = &mut contents[..len];
        match self.source.read(page * PAGE, contents) {
            Ok(()) => self.judge(page, contents),
            Err(error) => {
                self.note_failure(page, &error);
                false
            }
        }
    }

    /// Notes that a page could not be read: the file was cut short, or the system says why.
    fn note_failure(&self, page: usize, error: &io::Error) {
        if let Some(code) = error.raw_os_error() {
            let _ = self.failure.set(code);
        }
        let _ = self.damaged_page.set(page);
    }

    /// Whether the contents of a page are as they were written, which is noted.
    fn judge(&self, page: usize, contents: &[u8]) -> bool {
        let index = page - 1;
        let at = index * size_of::<u32>();
        let expected = self.checksums.get(at..at + size_of::<u32>());
        let checksum = crc32fast::hash(contents).to_le_bytes();
        let is_good = !self.is_damaged() && expected == Some(&checksum[..]);
        if is_good {
            self.last_found[index].store(ResidencyEpoch::now().number(), Relaxed);
        } else {
            let _ = self.damaged_page.set(page);
        }
        is_good
    }

    /// The page that was found damaged, reported once. Looks first whether the file was cut short.
    pub fn take_damage(&self) -> Option<Flaw> {
        if let PageSource::File { file, .. } = &self.source {
            let length = file.metadata().map_or(0, |file| file.len());
            if length < self.length {
                let _ = self.damaged_page.set(length as usize / PAGE);
            }
        }
        let is_new = self.is_damaged() && !self.is_reported.swap(true, Relaxed);
        if is_new { self.damage() } else { None }
    }

    /// The page that was found damaged, if any, or why one could not be read.
    pub fn damage(&self) -> Option<Flaw> {
        if let Some(code) = self.failure.get() {
            return Some(Flaw::Io(io::Error::from_raw_os_error(*code)));
        }
        self.damaged_page.get().map(|page| Flaw::Damage { offset: (page * PAGE) as u64 })
    }

    /// Notes that bytes are not what a file may have, although their page is as it was written.
    pub fn note_damage(&self, start: usize) {
        let _ = self.damaged_page.set(start / PAGE);
    }

    /// Whether any page was found damaged.
    #[inline]
    pub fn is_damaged(&self) -> bool {
        self.damaged_page.get().is_some()
    }
}

/// A part of a file in memory.
pub struct Piece {
    start: usize,
    bytes: Vec<u8>,
}

impl Piece {
    /// Some bytes by their place in the file.
    #[inline]
    pub fn get(&self, start: usize, len: usize) -> Option<&[u8]> {
        let first = start.checked_sub(self.start)?;
        self.bytes.get(first..first.checked_add(len)?)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Write;

    use nix::fcntl::{PosixFadviseAdvice::POSIX_FADV_DONTNEED, posix_fadvise};

    use super::*;
    use crate::tablebase::disk::{PendingReads, is_in_memory};

    /// The file of one page that has a checksum, and its pages, which were read once.
    fn read_once() -> (File, Pages) {
        let contents = [7; PAGE];
        let checksums = crc32fast::hash(&contents).to_le_bytes();
        let bytes = [&[0; PAGE], &contents, &checksums[..]].concat();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        file.sync_all().unwrap();
        let again = file.try_clone().unwrap();
        let pages = Pages::open(file, 2 * PAGE..bytes.len(), crc32fast::hash(&checksums)).unwrap();
        assert!(pages.copy(PAGE, &mut [0; PAGE], DiskAccess::Blocking).is_some());
        (again, pages)
    }

    /// A reader of a later term than all that were.
    fn later() -> PendingReads {
        PendingReads::since(ResidencyEpoch::numbered(u32::MAX))
    }

    /// A page that was read before is asked for again, and not waited for, once the system has forgotten it.
    /// A system that has files in memory alone forgets none.
    #[test]
    fn a_forgotten_page_is_not_waited_for() {
        let (file, pages) = read_once();
        let (now, later) = (PendingReads::new(), later());
        assert!(
            pages.copy(PAGE, &mut [0; PAGE], DiskAccess::NonBlocking(&now)).is_some()
                && !now.take()
        );
        posix_fadvise(&file, 0, 0, POSIX_FADV_DONTNEED).unwrap();
        let is_forgotten = !is_in_memory(&file, PAGE as u64).unwrap();
        let is_given = pages.copy(PAGE, &mut [0; PAGE], DiskAccess::NonBlocking(&later)).is_some();
        assert!(is_given != is_forgotten && later.take() == is_forgotten);
        while pages.copy(PAGE, &mut [0; PAGE], DiskAccess::NonBlocking(&later)).is_none() {
            assert!(later.take());
        }
        assert!(
            pages.copy(PAGE, &mut [0; PAGE], DiskAccess::NonBlocking(&now)).is_some()
                && !now.take()
        );
    }

    /// A page that was read before is not read by the map where the file has been cut short, which would end
    /// the process.
    #[test]
    fn a_page_that_was_cut_off_is_damaged() {
        let (file, pages) = read_once();
        file.set_len(PAGE as u64).unwrap();
        assert!(
            pages.copy(PAGE, &mut [0; PAGE], DiskAccess::NonBlocking(&later())).is_none()
                && pages.is_damaged()
        );
    }
}
