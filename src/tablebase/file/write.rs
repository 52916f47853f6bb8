//! Writing a sector file.

use std::io::{self, BufWriter, Cursor, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::prelude::*;

use super::chunks::{self, BATCH, CHUNK};
use super::header::{Header, OWN_CHECKSUM, STATED, pack_lengths};
use super::huffman::{Encoder, Frequencies};
use super::pages::PAGE;
use super::{distances, wdl};
use crate::rules::Identity;
use crate::system::whole_file;
use crate::tablebase::solved::{Solved, Statistics};

/// How many bytes are collected before they are written.
const BUFFER: usize = 1 << 20;

/// Writes a solved sector to a file, whole or not at all, whoever else does the same meanwhile.
///
/// # Errors
///
/// When the system refuses, as when the disk is full; what was written is removed.
pub fn write(
    path: &Path,
    solved: &Solved,
    identity: Identity,
    has_distances: bool,
) -> io::Result<Statistics> {
    whole_file::write(path, |file| write_to(file, solved, identity, has_distances))
}

/// Writes a solved sector without distances, unless there is a file by then.
///
/// # Errors
///
/// As [`write()`].
pub fn write_new(path: &Path, solved: &Solved, identity: Identity) -> io::Result<()> {
    whole_file::write_new(path, |file| write_to(file, solved, identity, false).map(drop))
}

/// The bytes of a file of a solved sector, with distances or without, but without the zeros after its header.
///
/// # Errors
///
/// When it is too large.
pub fn to_ship(solved: &Solved, identity: Identity, has_distances: bool) -> io::Result<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    write_to(&mut bytes, solved, identity, has_distances)?;
    let mut bytes = bytes.into_inner();
    bytes.drain(STATED..OWN_CHECKSUM);
    Ok(bytes)
}

fn write_to(
    file: impl Write + Seek,
    solved: &Solved,
    identity: Identity,
    has_distances: bool,
) -> io::Result<Statistics> {
    let mut out = PageWriter::new(file)?;
    let values = solved.values();
    let wdl = write_packed(&mut out, values, (wdl::CONTEXTS, wdl::SYMBOLS), wdl::symbols)?;
    let counted = Statistics::of(solved);
    let (statistics, distances) = if has_distances {
        let sizes = (distances::CONTEXTS, distances::SYMBOLS);
        (counted, Some(write_packed(&mut out, values, sizes, distances::symbols)?))
    } else {
        (counted.without_distances(), None)
    };
    let sector = solved.sector;
    out.finish(|checksum| {
        Header { identity, sector, statistics, wdl, distances, checksum }.to_page()
    })?;
    Ok(statistics)
}

/// Writes codes and chunks of some positions, given how many contexts and symbols there are and the symbols
/// of a chunk. Returns the bytes that the chunks take.
pub(super) fn write_packed<'a, T: Sync, S: Iterator<Item = (usize, usize)>>(
    out: &mut PageWriter<impl Write>,
    values: &'a [T],
    (contexts, count): (usize, usize),
    symbols: impl Fn(&'a [T]) -> S + Sync,
) -> io::Result<usize> {
    let none = || Frequencies::none(contexts, count);
    let parts = values.par_chunks(BATCH).map(|part| {
        let mut frequencies = none();
        part.chunks(CHUNK).for_each(|chunk| frequencies.add(symbols(chunk)));
        frequencies
    });
    let lengths = parts.reduce(none, |some, more| some.plus(&more)).lengths();
    lengths.iter().try_for_each(|lengths| out.write_all(&pack_lengths(lengths)))?;
    let encoder = Encoder::new(&lengths);
    chunks::write(out, values, |chunk, bits| encoder.encode(symbols(chunk), bits))
}

/// Writes bytes after the first page, and computes the checksum of each page.
pub(super) struct PageWriter<W: Write> {
    out: BufWriter<W>,
    page: crc32fast::Hasher,
    filled: usize,
    checksums: Vec<u32>,
}

impl<W: Write + Seek> PageWriter<W> {
    /// Leaves room for the first page.
    pub(super) fn new(file: W) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(BUFFER, file);
        out.write_all(&[0; PAGE])?;
        Ok(Self { out, page: crc32fast::Hasher::new(), filled: 0, checksums: Vec::new() })
    }

    /// Ends the last page where the bytes end, and writes the checksums of all pages, and the first page,
    /// given the checksum of the checksums.
    pub(super) fn finish(mut self, first: impl FnOnce(u32) -> [u8; PAGE]) -> io::Result<()> {
        if self.filled > 0 {
            self.checksums.push(self.page.finalize());
        }
        let checksums: Vec<u8> = self.checksums.into_iter().flat_map(u32::to_le_bytes).collect();
        self.out.write_all(&checksums)?;
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&first(crc32fast::hash(&checksums)))?;
        self.out.flush()
    }
}

impl<W: Write> Write for PageWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(&bytes[..bytes.len().min(PAGE - self.filled)])?;
        self.page.update(&bytes[..written]);
        self.filled += written;
        if self.filled == PAGE {
            let page = std::mem::replace(&mut self.page, crc32fast::Hasher::new());
            self.checksums.push(page.finalize());
            self.filled = 0;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
