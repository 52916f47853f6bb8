//! The bytes of a file, verified page by page as they are read. A file can be local, built into the program, or
//! remote, such as on a web server.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};

use bytemuck::allocation::zeroed_vec;
use rayon::prelude::*;

use super::Flaw;
use super::map::Map;
use crate::system::file_at::{DiskAccess, PendingReads, epoch, read_at};
use crate::system::locks::lock;

/// The size of a page in bytes: its contents and their checksum.
pub const PAGE: usize = 4096;

/// The size of the contents of a page. Offsets into the contents of a file start after the first page and skip
/// checksums.
pub const CONTENTS: usize = PAGE - size_of::<u32>();

/// The length of a file with contents of a given length.
pub const fn file_len(contents: usize) -> usize {
    PAGE + contents + contents.div_ceil(CONTENTS) * size_of::<u32>()
}

/// The checksum of the contents of a page, which depends on the file and on the number of the page.
pub fn checksum(file: u32, page: usize, contents: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(file);
    hasher.update(&(page as u64).to_le_bytes());
    hasher.update(contents);
    hasher.finalize()
}

/// The maximum number of pages checked on one thread.
const FEW_PAGES: usize = 256;

/// Where the bytes of a sector file come from.
pub enum PageSource {
    /// A local file, mapped if the system allows it.
    File { file: File, map: Option<Map> },
    /// All pages but the first, built into the program.
    Shipped(&'static [u8]),
    /// A remote file. A failed fetch is not damage, since a later one may succeed.
    Remote(RemoteFile),
}

impl PageSource {
    /// Opens the pages of a local file, given the length of its contents.
    ///
    /// # Errors
    ///
    /// When the length of the file is wrong.
    pub fn open(file: File, contents: usize) -> Result<Self, Flaw> {
        let (expected, found) = (file_len(contents) as u64, file.metadata()?.len());
        if found != expected {
            return Err(Flaw::Length(found, expected));
        }
        Ok(Self::File { map: Map::new(&file), file })
    }

    /// Copies bytes of one page after the first, from the map if there is one.
    fn copy(&self, start: usize, into: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File { file, map: Some(map) } if map.copy(file, start, into) => Ok(()),
            Self::File { map: Some(_), .. } => Err(ErrorKind::UnexpectedEof.into()),
            Self::File { file, map: None } => read_at(file, start as u64, into),
            Self::Remote(file) => file.copy(start, into),
            Self::Shipped(shipped) => {
                shipped.get(start - PAGE..).unwrap_or_default().read_exact(into)
            }
        }
    }

    /// Reads bytes of one page after the first, bypassing the map.
    fn read(&self, start: usize, into: &mut [u8]) -> io::Result<()> {
        match self {
            Self::File { file, .. } => read_at(file, start as u64, into),
            Self::Shipped(_) => self.copy(start, into),
            Self::Remote(file) => file.read(start, into),
        }
    }
}

/// The pages of a file, with a checksum for each but the first.
pub struct Pages {
    source: PageSource,
    /// The initial value of the checksums.
    file: u32,
    /// The length of the contents.
    contents: usize,
    /// For each page the epoch in which it was last found in memory, or 0 if it has not been verified.
    last_found: Box<[AtomicU32]>,
    /// The damaged page, with the error code of the system if it could not be read.
    damage: OnceLock<(usize, Option<i32>)>,
    is_reported: AtomicBool,
}

impl Pages {
    /// The pages of a file, none of them verified yet, given the initial value of its checksums and the length of its
    /// contents.
    pub fn new(source: PageSource, file: u32, contents: usize) -> Self {
        Self {
            source,
            file,
            contents,
            last_found: zeroed_vec(contents.div_ceil(CONTENTS)).into(),
            damage: OnceLock::new(),
            is_reported: AtomicBool::new(false),
        }
    }

    /// Copies a part of the contents if all its pages are intact.
    pub fn copy(&self, start: usize, into: &mut [u8], access: DiskAccess<'_>) -> Option<()> {
        if start + into.len() > self.contents || !self.has_good(start, into.len(), access) {
            return None;
        }
        let (mut start, mut rest) = (start, into);
        while !rest.is_empty() {
            let (page, in_page) = (start / CONTENTS, start % CONTENTS);
            let (part, others) = rest.split_at_mut(rest.len().min(CONTENTS - in_page));
            let copied = self.source.copy((1 + page) * PAGE + in_page, part);
            copied.map_err(|error| self.note_failure(page, &error)).ok()?;
            start += part.len();
            rest = others;
        }
        Some(())
    }

    /// Whether the pages of a part of the contents are intact and may be read.
    fn has_good(&self, start: usize, len: usize, access: DiskAccess<'_>) -> bool {
        let (first, last) = (start / CONTENTS, (start + len).saturating_sub(1) / CONTENTS);
        let is_good = |page: usize| self.is_good(page, access);
        !self.is_damaged() && is_good(first) && (first..last).all(|page| is_good(page + 1))
    }

    /// Whether a part of the contents can be read now. A reader that does not wait needs its pages in memory. For one
    /// that waits, missing pages of a remote file are fetched, which may fail.
    pub fn may_read(&self, contents: Range<usize>, access: DiskAccess<'_>) -> bool {
        if let (PageSource::Remote(file), None) = (&self.source, access) {
            let pages = contents.start / CONTENTS..contents.end.div_ceil(CONTENTS);
            let _ = file.bring((1 + pages.start) * PAGE..self.page_end(pages.end - 1));
        }
        self.has_good(contents.start, contents.len(), access)
    }

    /// Copies a part of the contents into memory if all its pages are intact.
    pub fn read(&self, contents: Range<usize>) -> Option<Vec<u8>> {
        let mut bytes = vec![0; contents.len()];
        self.copy(contents.start, &mut bytes, None)?;
        Some(bytes)
    }

    /// The offset in the file where a page ends.
    fn page_end(&self, page: usize) -> usize {
        file_len(self.contents.min((page + 1) * CONTENTS))
    }

    /// Reads the pages of a part of the contents into the file cache of the system, and verifies them.
    ///
    /// # Errors
    ///
    /// When the system cannot read them.
    pub fn read_ahead(&self, contents: Range<usize>) -> io::Result<()> {
        let end = contents.end.min(self.contents).div_ceil(CONTENTS);
        (contents.start / CONTENTS..end).try_for_each(|page| self.verify(page).map(drop))
    }

    /// Whether all pages are intact.
    pub fn are_good(&self) -> bool {
        let mut pages = 0..self.last_found.len();
        let is_good = |page| !self.is_damaged() && self.is_good(page, None);
        // Threads do not pay for a few pages.
        if pages.len() <= FEW_PAGES {
            pages.all(is_good)
        } else {
            pages.into_par_iter().all(is_good)
        }
    }

    fn is_good(&self, page: usize, access: DiskAccess<'_>) -> bool {
        let Some(last_found) = self.last_found.get(page) else { return false };
        last_found.load(Relaxed) >= access.map_or(1, PendingReads::since)
            || self.check(page, access).unwrap_or_else(|error| self.note_failure(page, &error))
    }

    #[cold]
    fn check(&self, page: usize, access: DiskAccess<'_>) -> io::Result<bool> {
        let start = (1 + page) * PAGE;
        let len = self.page_end(page) - start;
        let may_read = match &self.source {
            PageSource::File { file, .. } => {
                access.map_or(Ok(true), |pending| pending.may_read(file, start as u64, len))?
            }
            PageSource::Remote(file) => {
                access.is_none() || file.missing(start..start + len).is_empty()
            }
            PageSource::Shipped(_) => true,
        };
        let last_found = &self.last_found[page];
        if !may_read {
            return Ok(false);
        }
        if last_found.load(Relaxed) > 0 {
            last_found.store(epoch(), Relaxed);
            return Ok(true);
        }
        self.verify(page)
    }

    /// Reads a page, and records whether its checksum matches.
    fn verify(&self, page: usize) -> io::Result<bool> {
        let start = (1 + page) * PAGE;
        let mut bytes = [0; PAGE];
        let bytes = &mut bytes[..self.page_end(page) - start];
        self.source.read(start, bytes)?;
        let is_good = bytes.split_last_chunk().is_some_and(|(contents, expected)| {
            checksum(self.file, page, contents).to_le_bytes() == *expected
        });
        if self.is_damaged() || !is_good {
            let _ = self.damage.set((page, None));
            return Ok(false);
        }
        self.last_found[page].store(epoch(), Relaxed);
        Ok(true)
    }

    /// Records that a page could not be read, since the file was truncated or the system reported an error. Returns
    /// `false`.
    fn note_failure(&self, page: usize, error: &io::Error) -> bool {
        if !matches!(self.source, PageSource::Remote(_)) {
            let _ = self.damage.set((page, error.raw_os_error()));
        }
        false
    }

    /// Returns the damage, the first time it is called after the damage was found. Detects a truncated file too.
    pub fn take_damage(&self) -> Option<Flaw> {
        if let PageSource::File { file, .. } = &self.source {
            let length = file.metadata().map_or(0, |file| file.len());
            if length < file_len(self.contents) as u64 {
                let _ = self.damage.set(((length as usize / PAGE).saturating_sub(1), None));
            }
        }
        self.damage().filter(|_| !self.is_reported.swap(true, Relaxed))
    }

    /// The damaged page, or the error of the system if a page could not be read.
    pub fn damage(&self) -> Option<Flaw> {
        self.damage.get().map(|&(page, failure)| match failure {
            Some(code) => io::Error::from_raw_os_error(code).into(),
            None => Flaw::Damage(((1 + page) * PAGE) as u64),
        })
    }

    /// Records that the bytes at an offset are invalid although the checksum of their page matches.
    pub fn note_damage(&self, start: usize) {
        let _ = self.damage.set((start / CONTENTS, None));
    }

    /// Whether a damaged page has been found.
    pub fn is_damaged(&self) -> bool {
        self.damage.get().is_some()
    }
}

/// Fetches parts of remote files.
pub trait Remote: Send + Sync {
    /// Returns a range of bytes of the file `name`, fewer if the file ends first.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] if the file does not exist: it is not requested again. Any other error if the fetch
    /// failed but may be tried again.
    fn fetch(&self, name: &str, bytes: Range<usize>) -> io::Result<Vec<u8>>;
}

/// A remote file and the pages fetched so far.
pub struct RemoteFile {
    remote: Arc<dyn Remote>,
    name: String,
    length: usize,
    /// The fetched pages by number.
    pages: Mutex<HashMap<usize, Vec<u8>>>,
}

impl RemoteFile {
    /// A file of a given length whose first bytes have been fetched.
    pub fn new(remote: Arc<dyn Remote>, name: String, length: usize, first: &[u8]) -> Self {
        let file = Self { remote, name, length, pages: Mutex::default() };
        file.keep(0, first);
        file
    }

    /// Keeps the complete pages in `bytes`, which begin at page `first`.
    fn keep(&self, first: usize, bytes: &[u8]) {
        let whole = |number: usize| PAGE.min(self.length.saturating_sub(number * PAGE));
        let pages = (first..).zip(bytes.chunks(PAGE));
        let pages = pages.filter(|(number, page)| page.len() == whole(*number));
        lock(&self.pages).extend(pages.map(|(number, page)| (number, page.to_vec())));
    }

    /// The pages from the first missing one to the last missing one in a range of bytes.
    pub fn missing(&self, bytes: Range<usize>) -> Range<usize> {
        let pages = lock(&self.pages);
        let mut numbers = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
        let is_missing = |number: &usize| !pages.contains_key(number);
        let first = numbers.clone().find(is_missing);
        let last = numbers.rfind(is_missing);
        first.zip(last).map_or(0..0, |(first, last)| first..last + 1)
    }

    /// Fetches the pages of a range of bytes, with one request if any are missing.
    ///
    /// # Errors
    ///
    /// When the fetch fails.
    pub fn bring(&self, bytes: Range<usize>) -> io::Result<()> {
        let missing = self.missing(bytes);
        if !missing.is_empty() {
            let bytes = missing.start * PAGE..(missing.end * PAGE).min(self.length);
            self.keep(missing.start, &self.remote.fetch(&self.name, bytes)?);
        }
        Ok(())
    }

    /// Copies bytes of a page that has been fetched.
    ///
    /// # Errors
    ///
    /// When it has not.
    pub fn copy(&self, start: usize, into: &mut [u8]) -> io::Result<()> {
        let pages = lock(&self.pages);
        let page = pages.get(&(start / PAGE)).ok_or(ErrorKind::NotConnected)?;
        into.copy_from_slice(&page[start % PAGE..][..into.len()]);
        Ok(())
    }

    /// Copies bytes of a page, fetching it if it is missing, and the page after it: a group of chunks may extend to
    /// the next page, and two requests take longer than one larger one.
    ///
    /// # Errors
    ///
    /// When the fetch fails.
    pub fn read(&self, start: usize, into: &mut [u8]) -> io::Result<()> {
        let end = start + into.len();
        if !self.missing(start..end).is_empty() {
            self.bring(start..self.length.min(end + PAGE))?;
        }
        self.copy(start, into)
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::io::Write;

    use nix::fcntl::{PosixFadviseAdvice::POSIX_FADV_DONTNEED, posix_fadvise};

    use super::*;
    use crate::system::file_at::{PendingReads, is_in_memory};

    /// Makes a file with one page after the header, and its pages, which were read once.
    fn read_once() -> (File, Pages) {
        let contents = [7; CONTENTS];
        let checksum = checksum(3, 0, &contents).to_le_bytes();
        let bytes = [&[0; PAGE], &contents[..], &checksum].concat();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        file.sync_all().unwrap();
        let again = file.try_clone().unwrap();
        let pages = Pages::new(PageSource::open(file, CONTENTS).unwrap(), 3, CONTENTS);
        assert!(pages.copy(0, &mut [0; CONTENTS], None).is_some());
        (again, pages)
    }

    /// A reader that starts in a later epoch than any page was found in.
    fn later() -> PendingReads {
        PendingReads::new(u32::MAX)
    }

    /// A page that the system has evicted is requested again without waiting for it.
    /// A system that keeps files only in memory evicts none.
    #[test]
    fn a_forgotten_page_is_not_waited_for() {
        let (file, pages) = read_once();
        let (now, later) = (PendingReads::new(epoch()), later());
        assert!(pages.copy(0, &mut [0; CONTENTS], Some(&now)).is_some() && !now.take());
        posix_fadvise(&file, 0, 0, POSIX_FADV_DONTNEED).unwrap();
        let is_forgotten = !is_in_memory(&file, PAGE as u64).unwrap();
        let is_given = pages.copy(0, &mut [0; CONTENTS], Some(&later)).is_some();
        assert!(is_given != is_forgotten && later.take() == is_forgotten);
        while pages.copy(0, &mut [0; CONTENTS], Some(&later)).is_none() {
            assert!(later.take());
        }
        assert!(pages.copy(0, &mut [0; CONTENTS], Some(&now)).is_some() && !now.take());
    }

    /// After truncation, a page that was read before is not read through the map, which would raise SIGBUS.
    #[test]
    fn a_page_that_was_cut_off_is_damaged() {
        let (file, pages) = read_once();
        file.set_len(PAGE as u64).unwrap();
        assert!(pages.copy(0, &mut [0; CONTENTS], Some(&later())).is_none() && pages.is_damaged());
    }
}
