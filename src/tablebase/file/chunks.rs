//! Chunks: packed positions, each of which can be read without those before it.
//!
//! Sixteen chunks are a group, which begins with their lengths; zeros at the end of a chunk are left out.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::huffman::{BitWriter, LONGEST};
use super::pages::{Pages, Piece};
use crate::tablebase::disk::DiskAccess;

/// The number of positions in a chunk.
pub const CHUNK: usize = 160;

/// The number of chunks in a group, and the bytes of the group before them: the length of each.
const CHUNKS_OF_GROUP: usize = 16;

const _: () = assert!(CHUNK * LONGEST as usize <= u8::MAX as usize * 8, "a length is one byte");

/// Room for the bytes of a chunk.
pub type Buffer = [u8; u8::MAX as usize];

/// A buffer before anything is read into it.
pub const NO_BYTES: Buffer = [0; u8::MAX as usize];

/// The positions of a group.
pub const GROUP: usize = CHUNK * CHUNKS_OF_GROUP;

/// How many groups are packed before they are written.
const GROUPS_PER_BATCH: usize = 1 << 9;

/// How many positions are packed before they are written.
pub const BATCH: usize = GROUP * GROUPS_PER_BATCH;

/// Where the chunks of a sector lie in its file: groups, then where each group begins.
#[derive(Clone, Copy, Debug)]
pub struct Chunks {
    /// Where the groups begin.
    pub start: usize,
    /// Where the beginnings of the groups, counted from there, are found as u32.
    pub offsets: usize,
    /// The end of the part.
    pub end: usize,
}

impl Chunks {
    /// Chunks of so many positions that begin somewhere in a file and take so many bytes.
    pub fn new(start: usize, bytes: usize, positions: usize) -> Self {
        let offsets = start + bytes;
        Self { start, offsets, end: offsets + positions.div_ceil(GROUP) * size_of::<u32>() }
    }

    /// Copies the bytes of a chunk by its number, if they are as they were written.
    #[inline]
    pub fn get<'a>(
        self,
        number: usize,
        pages: &Pages,
        access: DiskAccess<'_>,
        buffer: &'a mut Buffer,
    ) -> Option<&'a [u8]> {
        let (group, in_group) = (number / CHUNKS_OF_GROUP, number % CHUNKS_OF_GROUP);
        let mut offset = [0; size_of::<u32>()];
        pages.copy(self.offset_at(group), &mut offset, access)?;
        let head = self.start + u32::from_le_bytes(offset) as usize;
        let mut lengths = [0; CHUNKS_OF_GROUP];
        pages.copy(head, &mut lengths, access)?;
        let (first, len) = chunk_at(head, &lengths, in_group);
        let chunk = &mut buffer[..len];
        pages.copy(first, chunk, access)?;
        Some(chunk)
    }

    /// Where the beginning of a group is found.
    const fn offset_at(self, group: usize) -> usize {
        self.offsets + group * size_of::<u32>()
    }

    /// Reads chunks that follow one another into memory, if they are as they were written.
    pub fn read(self, numbers: Range<usize>, pages: &Pages) -> Option<ReadChunks> {
        let groups = numbers.start / CHUNKS_OF_GROUP..numbers.end.div_ceil(CHUNKS_OF_GROUP);
        let place = |group| self.offset_at(group);
        let offsets = pages.read(place(groups.start)..place(groups.end + 1).min(self.end))?;
        let begin = |group: usize| {
            let offset = offsets.get(place(group), size_of::<u32>())?;
            Some(self.start + u32::from_le_bytes(offset.try_into().ok()?) as usize)
        };
        let is_last = place(groups.end) >= self.end;
        let end = if is_last { self.offsets } else { begin(groups.end)? };
        let packed = pages.read(begin(groups.start)?..end)?;
        Some(ReadChunks { chunks: self, offsets, packed })
    }
}

/// Some chunks in memory.
pub struct ReadChunks {
    chunks: Chunks,
    offsets: Piece,
    packed: Piece,
}

impl ReadChunks {
    /// The bytes of one of the chunks by its number.
    #[inline]
    pub fn get(&self, number: usize) -> Option<&[u8]> {
        let (group, in_group) = (number / CHUNKS_OF_GROUP, number % CHUNKS_OF_GROUP);
        let offset = self.offsets.get(self.chunks.offset_at(group), size_of::<u32>())?;
        let head = self.chunks.start + u32::from_le_bytes(offset.try_into().ok()?) as usize;
        let (first, len) = chunk_at(head, self.packed.get(head, CHUNKS_OF_GROUP)?, in_group);
        self.packed.get(first, len)
    }
}

/// Where a chunk of a group begins, and its length, given where the group begins and the lengths of its
/// chunks.
#[inline]
fn chunk_at(head: usize, lengths: &[u8], in_group: usize) -> (usize, usize) {
    let before: usize = lengths[..in_group].iter().copied().map(usize::from).sum();
    (head + CHUNKS_OF_GROUP + before, lengths[in_group].into())
}

/// Writes the chunks of some positions and where their groups begin. `pack` appends a chunk to the end of
/// a byte. Returns the bytes that the groups take.
///
/// # Errors
///
/// When the system refuses, or the groups take 4 GiB or more.
pub fn write<'a, T: Sync>(
    out: &mut impl Write,
    values: &'a [T],
    pack: impl Fn(&'a [T], &mut BitWriter) + Sync,
) -> io::Result<usize> {
    let mut offsets: Vec<u8> = Vec::new();
    let mut bytes = 0_usize;
    for batch in values.chunks(BATCH) {
        let groups: Vec<Vec<u8>> =
            batch.par_chunks(GROUP).map(|group| pack_group(group, &pack)).collect();
        for group in groups {
            let offset = u32::try_from(bytes).map_err(io::Error::other)?;
            offsets.extend(offset.to_le_bytes());
            bytes += group.len();
            out.write_all(&group)?;
        }
    }
    out.write_all(&offsets)?;
    Ok(bytes)
}

/// The lengths of the chunks of a group, and the chunks.
fn pack_group<'a, T>(group: &'a [T], pack: impl Fn(&'a [T], &mut BitWriter)) -> Vec<u8> {
    let mut packed = vec![0; CHUNKS_OF_GROUP];
    for (number, chunk) in group.chunks(CHUNK).enumerate() {
        let mut bits = BitWriter::default();
        pack(chunk, &mut bits);
        let len = bits.bytes().iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        packed[number] = len as u8;
        packed.extend(&bits.bytes()[..len]);
    }
    packed
}
