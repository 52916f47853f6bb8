//! A file that lies elsewhere, such as on a web server, and the pages of it that have come.

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::sync::{Arc, Mutex};

use super::pages::PAGE;
use crate::system::locks::lock;

/// Brings parts of files from elsewhere.
pub trait Remote: Send + Sync {
    /// Some bytes of a file, fewer if it ends before.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`] if there is no such file, which is not asked for again; any other error if
    /// the bytes cannot be had now.
    fn fetch(&self, name: &str, bytes: Range<usize>) -> io::Result<Vec<u8>>;
}

/// A file that lies elsewhere.
pub struct RemoteFile {
    remote: Arc<dyn Remote>,
    name: String,
    length: usize,
    /// The pages that have come, by their numbers.
    pages: Mutex<HashMap<usize, Vec<u8>>>,
}

impl RemoteFile {
    /// A file of some length, of which the first bytes have come.
    pub fn new(remote: Arc<dyn Remote>, name: String, length: usize, first: &[u8]) -> Self {
        let file = Self { remote, name, length, pages: Mutex::default() };
        file.keep(0, first);
        file
    }

    /// Keeps the pages of some bytes from a page on, those that are whole.
    fn keep(&self, first: usize, bytes: &[u8]) {
        let whole = |number: usize| PAGE.min(self.length.saturating_sub(number * PAGE));
        let pages = (first..).zip(bytes.chunks(PAGE));
        let pages = pages.filter(|(number, page)| page.len() == whole(*number));
        lock(&self.pages).extend(pages.map(|(number, page)| (number, page.to_vec())));
    }

    /// Whether the pages of some bytes have come.
    pub fn has(&self, bytes: Range<usize>) -> bool {
        self.missing(bytes).is_empty()
    }

    /// From the first to the last page of some bytes that has not come.
    fn missing(&self, bytes: Range<usize>) -> Range<usize> {
        let pages = lock(&self.pages);
        let mut numbers = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
        let is_missing = |number: &usize| !pages.contains_key(number);
        let first = numbers.clone().find(is_missing);
        let last = numbers.rfind(is_missing);
        first.zip(last).map_or(0..0, |(first, last)| first..last + 1)
    }

    /// Has the pages of some bytes come, by one request if any are missing.
    ///
    /// # Errors
    ///
    /// When they cannot be had now.
    pub fn bring(&self, bytes: Range<usize>) -> io::Result<()> {
        let missing = self.missing(bytes);
        if !missing.is_empty() {
            let bytes = missing.start * PAGE..(missing.end * PAGE).min(self.length);
            self.keep(missing.start, &self.remote.fetch(&self.name, bytes)?);
        }
        Ok(())
    }

    /// Copies some bytes of pages that have come.
    ///
    /// # Errors
    ///
    /// When one has not.
    pub fn copy(&self, start: usize, into: &mut [u8]) -> io::Result<()> {
        let pages = lock(&self.pages);
        let (mut start, mut rest) = (start, into);
        while !rest.is_empty() {
            let page = pages.get(&(start / PAGE)).and_then(|page| page.get(start % PAGE..));
            let bytes = page.filter(|bytes| !bytes.is_empty()).ok_or(ErrorKind::NotConnected)?;
            let (part, others) = rest.split_at_mut(rest.len().min(bytes.len()));
            part.copy_from_slice(&bytes[..part.len()]);
            (start, rest) = (start + part.len(), others);
        }
        Ok(())
    }

    /// Copies some bytes, once what is missing of their pages has come, and of the page after them: a group of chunks
    /// that begins on a page may end on the next one, and two requests take longer than a larger one.
    ///
    /// # Errors
    ///
    /// When they cannot be had now.
    pub fn read(&self, start: usize, into: &mut [u8]) -> io::Result<()> {
        let end = start + into.len();
        if !self.has(start..end) {
            self.bring(start..self.length.min(end + PAGE))?;
        }
        self.copy(start, into)
    }
}
