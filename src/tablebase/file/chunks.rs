//! Chunks: packed positions, each of which can be read without those before it.
//!
//! Thirty-two chunks are a group, which begins with a byte for each that states its length.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::arithmetic::Bits;
use super::pages::Pages;
use crate::system::file_at::DiskAccess;

/// The number of positions in a chunk.
pub const CHUNK: usize = 128;

/// The number of chunks in a group, and the bytes of the group before them: the length of each.
const CHUNKS_OF_GROUP: usize = 32;

/// The positions of a group.
const GROUP: usize = CHUNK * CHUNKS_OF_GROUP;

/// How many groups are packed before they are written.
const GROUPS_PER_BATCH: usize = 1 << 9;

/// The most bytes that a chunk touches.
pub const MOST_BYTES: usize = u8::MAX as usize;

/// A chunk on its own.
pub struct Chunk {
    /// The bytes that it touches, then zeros.
    pub bytes: [u8; MOST_BYTES],
    /// The bits before it in the first byte.
    pub skipped: usize,
    /// The byte that states its length.
    pub length: u8,
}

/// The bits of a chunk by the byte that states its length.
pub type LengthInBits = fn(u8) -> usize;

/// The length of chunks that are whole bytes.
pub fn whole_bytes(length: u8) -> usize {
    8 * usize::from(length)
}

/// Where the chunks of a sector lie in its file: groups, then where each group begins.
#[derive(Clone, Copy, Debug)]
pub struct Chunks {
    /// Where the groups begin.
    pub start: usize,
    /// Where the beginnings of the groups, counted from there, are found as u32.
    pub offsets: usize,
    /// The end of the part.
    pub end: usize,
    length: LengthInBits,
}

impl Chunks {
    /// The chunks of some positions, given where they begin in a file and the bytes that they take.
    pub fn new(start: usize, bytes: usize, positions: usize, length: LengthInBits) -> Self {
        let offsets = start + bytes;
        let end = offsets + positions.div_ceil(GROUP) * size_of::<u32>();
        Self { start, offsets, end, length }
    }

    /// Reads a chunk by its number, if it is as it was written.
    #[inline]
    pub fn get(self, number: usize, pages: &Pages, access: DiskAccess<'_>) -> Option<Chunk> {
        self.get_by(number, |start, into| pages.copy(start, into, access))
    }

    /// The same by what copies some bytes of the file.
    #[inline]
    fn get_by(self, number: usize, copy: impl Fn(usize, &mut [u8]) -> Option<()>) -> Option<Chunk> {
        let (group, in_group) = (number / CHUNKS_OF_GROUP, number % CHUNKS_OF_GROUP);
        let mut offset = [0; size_of::<u32>()];
        copy(self.offset_at(group), &mut offset)?;
        let head = self.start + u32::from_le_bytes(offset) as usize;
        let mut lengths = [0; CHUNKS_OF_GROUP];
        copy(head, &mut lengths)?;
        let before: usize = lengths[..in_group].iter().map(|&length| (self.length)(length)).sum();
        let length = lengths[in_group];
        let (skipped, bits) = (before % 8, (self.length)(length));
        let len = (skipped + bits).div_ceil(8).min(MOST_BYTES);
        let mut chunk = Chunk { bytes: [0; MOST_BYTES], skipped, length };
        copy(head + CHUNKS_OF_GROUP + before / 8, &mut chunk.bytes[..len])?;
        Some(chunk)
    }

    /// Where the beginning of a group is found.
    const fn offset_at(self, group: usize) -> usize {
        self.offsets + group * size_of::<u32>()
    }

    /// Reads chunks that follow one another into memory, if they are as they were written. Returns what gives each by
    /// its number.
    pub fn read(
        self,
        numbers: Range<usize>,
        pages: &Pages,
    ) -> Option<impl Fn(usize) -> Option<Chunk>> {
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
        let copy = move |start, into: &mut [u8]| {
            let bytes = packed.get(start, into.len());
            into.copy_from_slice(bytes.or_else(|| offsets.get(start, into.len()))?);
            Some(())
        };
        Some(move |number| self.get_by(number, &copy))
    }
}

/// Collects bits, the highest of a byte first.
#[derive(Default)]
pub struct BitSink {
    bytes: Vec<u8>,
    /// The bits that do not fill a byte yet, right-aligned.
    pending: u64,
    pending_bits: u32,
}

impl BitSink {
    /// Appends some bits, right-aligned, at most a word of them.
    #[inline]
    pub fn push(&mut self, bits: u32, len: u32) {
        self.pending = self.pending << len | u64::from(bits);
        self.pending_bits += len;
        while self.pending_bits >= u8::BITS {
            self.pending_bits -= u8::BITS;
            self.bytes.push((self.pending >> self.pending_bits) as u8);
        }
    }

    /// How many bits it has.
    pub fn len(&self) -> usize {
        8 * self.bytes.len() + self.pending_bits as usize
    }

    /// Appends the first of some bits.
    pub fn push_first(&mut self, bits: Bits, len: usize) {
        let halves = bits.0.iter().flat_map(|word| [(word >> u32::BITS) as u32, *word as u32]);
        for (half, start) in halves.zip((0..len).step_by(u32::BITS as usize)) {
            let len = u32::BITS.min((len - start) as u32);
            self.push(half >> (u32::BITS - len), len);
        }
    }

    /// Appends bytes to whole bytes, without zeros at their end. Returns how many they are.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> u8 {
        let len = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.bytes.extend(&bytes[..len]);
        len as u8
    }

    /// The bytes, the last one filled up with zeros.
    pub fn into_bytes(mut self) -> Vec<u8> {
        if self.pending_bits > 0 {
            self.push(0, u8::BITS - self.pending_bits);
        }
        self.bytes
    }
}

/// Writes the chunks of a number of positions and where their groups begin. `packing` makes what appends the chunk with
/// a number and returns the byte that states its length. Returns the bytes that the groups take.
///
/// # Errors
///
/// When the system refuses, or the groups take 4 GiB or more.
pub fn write<P: FnMut(usize, &mut BitSink) -> u8>(
    out: &mut impl Write,
    positions: usize,
    packing: impl Fn() -> P + Sync,
) -> io::Result<usize> {
    let chunks = positions.div_ceil(CHUNK);
    let groups: Vec<usize> = (0..chunks.div_ceil(CHUNKS_OF_GROUP)).collect();
    let mut offsets: Vec<u8> = Vec::new();
    let mut bytes = 0_usize;
    for batch in groups.chunks(GROUPS_PER_BATCH) {
        let pack_group = |pack: &mut P, &group: &usize| {
            let first = group * CHUNKS_OF_GROUP;
            let mut lengths = [0; CHUNKS_OF_GROUP];
            let mut sink = BitSink::default();
            for (length, number) in lengths.iter_mut().zip(first..chunks) {
                *length = pack(number, &mut sink);
            }
            [&lengths, &*sink.into_bytes()].concat()
        };
        let packed: Vec<Vec<u8>> = batch.par_iter().map_init(&packing, pack_group).collect();
        for group in packed {
            let offset = u32::try_from(bytes).map_err(io::Error::other)?;
            offsets.extend(offset.to_le_bytes());
            bytes += group.len();
            out.write_all(&group)?;
        }
    }
    out.write_all(&offsets)?;
    Ok(bytes)
}
