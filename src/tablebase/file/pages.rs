//! The bytes of a file, checked page by page as they are read.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use memmap2::Mmap;
use rayon::prelude::*;

use super::error::Flaw;
use crate::system::file_at::read_at;
use crate::tablebase::disk::{OnDisk, Term};

/// The bytes that are read and checked together.
pub const PAGE: usize = 4096;

/// How many pages are read at a time beforehand.
const READ_AHEAD: usize = 64;
/// So many pages at most are checked on one thread.
const FEW_PAGES: usize = 256;

/// The bytes of a sector.
enum Source {
    /// A file, and the file in memory.
    File { file: File, map: Mmap },
    /// What the program has in itself: all but the first page.
    Shipped(&'static [u8]),
}

impl Source {
    /// Some bytes after the first page.
    #[inline]
    fn get(&self, bytes: Range<usize>) -> Option<&[u8]> {
        match self {
            Self::File { map, .. } => map.get(bytes),
            Self::Shipped(shipped) => shipped.get(bytes.start - PAGE..bytes.end - PAGE),
        }
    }
}

/// A file in memory, with a checksum for each page but the first.
pub struct Pages {
    source: Source,
    /// Where the last of the pages that have a checksum ends.
    end: usize,
    /// The checksums, four bytes each, which are not read from the file again.
    checksums: Box<[u8]>,
    /// The terms in which the pages were last found in memory, or [`Term::NEVER`] for those that are not
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
    /// Maps a file that ends with the checksums of its pages, of which this is the checksum; no page has
    /// been checked.
    ///
    /// # Errors
    ///
    /// When the system cannot bring it to memory, its length is another, or the checksums are damaged.
    #[allow(unsafe_code, reason = "a file in memory is read like memory, without a copy")]
    pub fn map(file: File, checksums: Range<usize>, checksum: u32) -> Result<Self, Flaw> {
        let (expected, found) = (checksums.end as u64, file.metadata()?.len());
        if found != expected {
            return Err(Flaw::Length { expected, found });
        }
        // SAFETY: the map is only read. Millstone never changes a sector file in place: a new one is
        // written beside it and renamed, and the old one stays while it is mapped. Should another
        // program write into the file, the bytes are numbers of which none is used as an index
        // unchecked. Should it cut the file short, the system ends the process if it looks at a byte
        // that was there before: a page is read from the file, not from the map, when it is first
        // wanted, and the length of the file is looked at before each search.
        let map = unsafe { Mmap::map(&file)? };
        Self::of(Source::File { file, map }).check_with(checksums, checksum)
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
        Self::of(Source::Shipped(pages)).check_with(checksums, checksum)
    }

    fn of(source: Source) -> Self {
        Self {
            source,
            end: 0,
            checksums: Box::default(),
            last_found: Box::default(),
            damaged_page: OnceLock::new(),
            failure: OnceLock::new(),
            is_reported: AtomicBool::new(false),
        }
    }

    /// Trusts the checksums of the pages if they have this checksum.
    fn check_with(mut self, checksums: Range<usize>, checksum: u32) -> Result<Self, Flaw> {
        let mut bytes = vec![0; checksums.len()];
        self.read_at(checksums.start, &mut bytes)?;
        if crc32fast::hash(&bytes) != checksum {
            return Err(Flaw::Damage { offset: checksums.start as u64 });
        }
        let words = bytes.len() / size_of::<u32>();
        self.end = checksums.start;
        self.last_found = (0..words).map(|_| AtomicU32::new(Term::NEVER.number())).collect();
        self.checksums = bytes.into();
        Ok(self)
    }

    /// Some bytes as they are in the file now.
    fn read_at(&self, start: usize, into: &mut [u8]) -> io::Result<()> {
        match &self.source {
            Source::File { file, .. } => read_at(file, start as u64, into),
            Source::Shipped(_) => {
                let bytes = self.source.get(start..start + into.len());
                into.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }

    /// Some bytes after the first page, if all their pages are as they were written.
    #[inline]
    pub fn get(&self, start: usize, len: usize, on_disk: OnDisk<'_>) -> Option<&[u8]> {
        if self.is_damaged() {
            return None;
        }
        let (first, last) = (start / PAGE, (start + len).saturating_sub(1) / PAGE);
        let is_good = |page: usize| self.is_good(page, on_disk);
        let is_good = is_good(first) && (first..last).all(|page| is_good(page + 1));
        if is_good { self.source.get(start..start + len) } else { None }
    }

    /// Whether some bytes after the first page may be read now: their pages are in memory, or are waited for.
    pub fn may_read(&self, bytes: Range<usize>, on_disk: OnDisk<'_>) -> bool {
        match on_disk {
            OnDisk::Wait => true,
            OnDisk::Ask(_) => self.get(bytes.start, bytes.len(), on_disk).is_some(),
        }
    }

    /// Reads some bytes after the first page into memory, if all their pages are as they were written. Not
    /// by the map: where the file of another machine is replaced, that would end the process.
    pub fn read(&self, bytes: Range<usize>) -> Option<Piece> {
        if self.is_damaged() || bytes.start > bytes.end || bytes.end > self.end {
            return None;
        }
        let start = bytes.start / PAGE * PAGE;
        let end = bytes.end.next_multiple_of(PAGE).min(self.end).max(start);
        let mut contents = vec![0; end - start];
        if let Err(error) = self.read_at(start, &mut contents) {
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
            self.read_at(start, contents)?;
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
        let is_good = |page| self.is_good(page, OnDisk::Wait);
        // A few pages are not worth other threads, which the system may refuse to start.
        if pages.len() <= FEW_PAGES {
            pages.all(is_good)
        } else {
            pages.into_par_iter().all(is_good)
        }
    }

    #[inline]
    fn is_good(&self, page: usize, on_disk: OnDisk<'_>) -> bool {
        let Some(last_found) = self.last_found.get(page - 1) else { return false };
        let is_known = Term::numbered(last_found.load(Relaxed)) >= on_disk.since();
        is_known || self.check(page, on_disk)
    }

    #[cold]
    fn check(&self, page: usize, on_disk: OnDisk<'_>) -> bool {
        let len = PAGE.min(self.end.saturating_sub(page * PAGE));
        if let Source::File { file, .. } = &self.source {
            match on_disk.may_read(file, (page * PAGE) as u64, len) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(error) => {
                    self.note_failure(page, &error);
                    return false;
                }
            }
        }
        let last_found = &self.last_found[page - 1];
        if Term::numbered(last_found.load(Relaxed)) > Term::NEVER {
            last_found.store(Term::now().number(), Relaxed);
            return true;
        }
        let mut contents = [0; PAGE];
        let contents = &mut contents[..len];
        match self.read_at(page * PAGE, contents) {
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
            self.last_found[index].store(Term::now().number(), Relaxed);
        } else {
            let _ = self.damaged_page.set(page);
        }
        is_good
    }

    /// The page that was found damaged, reported once. Looks first whether the file was cut short.
    pub fn take_damage(&self) -> Option<Flaw> {
        if let Source::File { file, map } = &self.source {
            let length = file.metadata().map_or(0, |file| file.len() as usize);
            if length < map.len() {
                let _ = self.damaged_page.set(length / PAGE);
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

    use rustix::fs::{Advice, fadvise};

    use super::*;
    use crate::tablebase::disk::{Awaited, is_in_memory};

    /// The file of one page that has a checksum, and its pages, which were read once.
    fn read_once() -> (File, Pages) {
        let contents = [7; PAGE];
        let checksums = crc32fast::hash(&contents).to_le_bytes();
        let bytes = [&[0; PAGE], &contents, &checksums[..]].concat();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        file.sync_all().unwrap();
        let again = file.try_clone().unwrap();
        let pages = Pages::map(file, 2 * PAGE..bytes.len(), crc32fast::hash(&checksums)).unwrap();
        assert!(pages.get(PAGE, PAGE, OnDisk::Wait).is_some());
        (again, pages)
    }

    /// A reader of a later term than all that were.
    fn later() -> Awaited {
        Awaited::since(Term::numbered(u32::MAX))
    }

    /// A page that was read before is asked for again, and not waited for, once the system has forgotten it.
    /// A system that has files in memory alone forgets none.
    #[test]
    fn a_forgotten_page_is_not_waited_for() {
        let (file, pages) = read_once();
        let (now, later) = (Awaited::nothing(), later());
        assert!(pages.get(PAGE, PAGE, OnDisk::Ask(&now)).is_some() && !now.take());
        fadvise(&file, 0, None, Advice::DontNeed).unwrap();
        let is_forgotten = !is_in_memory(&file, PAGE as u64).unwrap();
        let is_given = pages.get(PAGE, PAGE, OnDisk::Ask(&later)).is_some();
        assert!(is_given != is_forgotten && later.take() == is_forgotten);
        while pages.get(PAGE, PAGE, OnDisk::Ask(&later)).is_none() {
            assert!(later.take());
        }
        assert!(pages.get(PAGE, PAGE, OnDisk::Ask(&now)).is_some() && !now.take());
    }

    /// A page that was read before is not read by the map where the file has been cut short, which would end
    /// the process.
    #[test]
    fn a_page_that_was_cut_off_is_damaged() {
        let (file, pages) = read_once();
        file.set_len(PAGE as u64).unwrap();
        assert!(pages.get(PAGE, PAGE, OnDisk::Ask(&later())).is_none() && pages.is_damaged());
    }
}
