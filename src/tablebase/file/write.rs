//! Writing a sector file.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::prelude::*;

use super::header::{CHUNKS_PER_GROUP, Header, PAGE};
use super::huffman::{BitWriter, Lengths};
use super::pack::{CHUNK, Frequencies, Packer, WDL_PER_BYTE, pack_wdl};
use crate::rules::Identity;
use crate::tablebase::solved::{Solved, Statistics};
use crate::tablebase::value::Value;
use crate::whole_file;

/// The positions of a group.
const GROUP: usize = CHUNK * CHUNKS_PER_GROUP;

/// How many bytes of values are packed before they are written.
const BATCH: usize = 1 << 20;

/// How many groups are packed before they are written.
const GROUPS_PER_BATCH: usize = 1 << 9;

/// Writes a solved sector to a file, whole or not at all.
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
    whole_file::write(path, |file| write_part(file, solved, identity, has_distances))
}

fn write_part(
    file: &File,
    solved: &Solved,
    identity: Identity,
    has_distances: bool,
) -> io::Result<Statistics> {
    let mut out = PageWriter::new(BufWriter::with_capacity(BATCH, file));
    out.write_all(&[0; PAGE])?;
    out.checksums.clear();
    write_wdl(&mut out, solved)?;
    let counted = Statistics::of(solved);
    let (statistics, packed) = if has_distances {
        (counted, Some(write_distances(&mut out, solved)?))
    } else {
        (counted.without_distances(), None)
    };
    let PageWriter { mut out, checksums, .. } = out;
    let checksums: Vec<u8> = checksums.into_iter().flat_map(u32::to_le_bytes).collect();
    out.write_all(&checksums)?;
    let checksum = crc32fast::hash(&checksums);
    let header = Header { identity, sector: solved.sector, statistics, packed, checksum };
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&header.to_page())?;
    out.flush()?;
    Ok(statistics)
}

fn write_wdl(out: &mut PageWriter<'_>, solved: &Solved) -> io::Result<()> {
    for batch in solved.values().chunks(BATCH * WDL_PER_BYTE) {
        let packed: Vec<u8> = batch.par_chunks(WDL_PER_BYTE).map(pack_wdl).collect();
        out.write_all(&packed)?;
    }
    out.end_page()
}

/// Writes codes, distances and offsets. Returns the bytes that the distances take.
fn write_distances(out: &mut PageWriter<'_>, solved: &Solved) -> io::Result<usize> {
    let lengths = frequencies(solved.values()).lengths();
    out.write_all(&code_bytes(&lengths))?;
    out.end_page()?;
    let packer = Packer::new(&lengths);
    let mut offsets: Vec<u8> = Vec::new();
    let mut bytes = 0_usize;
    for batch in solved.values().chunks(GROUP * GROUPS_PER_BATCH) {
        let groups: Vec<Vec<u8>> =
            batch.par_chunks(GROUP).map(|group| pack_group(group, &packer)).collect();
        for group in groups {
            let offset = u32::try_from(bytes).map_err(io::Error::other)?;
            offsets.extend(offset.to_le_bytes());
            bytes += group.len();
            out.write_all(&group)?;
        }
    }
    out.end_page()?;
    out.write_all(&offsets)?;
    out.end_page()?;
    Ok(bytes)
}

fn frequencies(values: &[Value]) -> Frequencies {
    let parts = values.par_chunks(GROUP * GROUPS_PER_BATCH);
    let counts = parts.map(|part| {
        let mut frequencies = Frequencies::default();
        part.chunks(CHUNK).for_each(|chunk| frequencies.add(chunk));
        frequencies
    });
    counts.reduce(Frequencies::default, |a, b| a.plus(&b))
}

/// The lengths of codes as they are written: one more than the bits, 0 where there is no code.
fn code_bytes(lengths: &[Lengths]) -> Vec<u8> {
    lengths.iter().flatten().map(|length| length.map_or(0, |length| length + 1)).collect()
}

/// The ends of the chunks of a group, counted from the start of the first, and the chunks.
fn pack_group(group: &[Value], packer: &Packer) -> Vec<u8> {
    let mut bits = BitWriter::default();
    let mut ends = [0_u16; CHUNKS_PER_GROUP];
    for (end, chunk) in ends.iter_mut().zip(group.chunks(CHUNK)) {
        packer.pack(chunk, &mut bits);
        *end = bits.bytes().len() as u16;
    }
    let ends = ends.into_iter().flat_map(u16::to_le_bytes);
    ends.chain(bits.bytes().iter().copied()).collect()
}

/// Writes bytes and computes the checksum of each page.
struct PageWriter<'a> {
    out: BufWriter<&'a File>,
    page: crc32fast::Hasher,
    filled: usize,
    checksums: Vec<u32>,
}

impl<'a> PageWriter<'a> {
    fn new(out: BufWriter<&'a File>) -> Self {
        Self { out, page: crc32fast::Hasher::new(), filled: 0, checksums: Vec::new() }
    }

    /// Fills the page with zeros.
    fn end_page(&mut self) -> io::Result<()> {
        match self.filled {
            0 => Ok(()),
            filled => self.write_all(&[0; PAGE][filled..]),
        }
    }
}

impl Write for PageWriter<'_> {
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
