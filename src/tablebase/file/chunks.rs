//! Chunks of packed positions. A chunk can be read without those before it.
//!
//! A group is 32 chunks, preceded by a length byte for each.
//!
//! A column stores a symbol for each position of one kind, such as draws, in chunks, with codes that depend on the
//! preceding symbol. Neighbouring positions usually differ by one man on another point, so their distances are similar,
//! and most draws come to rest in the same sector as the preceding draw, after nearly as many turns.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::huffman::{BitReader, Decoder, code_bytes, codes, decoders, encode};
use super::pages::Pages;
use crate::system::file_at::DiskAccess;

/// The number of positions in a chunk.
pub const CHUNK: usize = 128;

/// The number of chunks in a group, and so of the length bytes at its beginning.
const CHUNKS_OF_GROUP: usize = 32;

/// The number of groups packed before they are written.
const GROUPS_PER_BATCH: usize = 1 << 9;

/// The maximum number of bytes that a chunk touches.
pub const MOST_BYTES: usize = u8::MAX as usize;

/// The bytes of one chunk.
pub struct Chunk {
    /// The bytes that the chunk touches, then zeros.
    pub bytes: [u8; MOST_BYTES],
    /// The number of bits before the chunk in the first byte.
    pub skipped: usize,
    /// The length byte of the chunk.
    pub length: u8,
}

/// The places of the chunks of a sector in its file: groups, then the offset of each group.
#[derive(Clone, Copy, Debug)]
pub struct Chunks {
    /// Where the groups begin.
    pub start: usize,
    /// Where the offsets of the groups begin: each is a u32, relative to `start`.
    pub offsets: usize,
    /// The end of the offsets.
    pub end: usize,
    /// Converts the length byte of a chunk to bits.
    length: fn(u8) -> usize,
}

impl Chunks {
    /// The chunks of a number of positions, given where the groups begin and the bytes that they take.
    pub fn new(start: usize, bytes: usize, positions: usize, length: fn(u8) -> usize) -> Self {
        let offsets = start + bytes;
        let end = offsets + positions.div_ceil(CHUNK * CHUNKS_OF_GROUP) * size_of::<u32>();
        Self { start, offsets, end, length }
    }

    /// Reads a chunk by its number. Returns `None` if a page is damaged, or may not be read yet.
    pub fn get(self, number: usize, pages: &Pages, access: DiskAccess<'_>) -> Option<Chunk> {
        let copy = |start, into: &mut [u8]| pages.copy(start, into, access);
        let (group, in_group) = (number / CHUNKS_OF_GROUP, number % CHUNKS_OF_GROUP);
        let mut offset = [0; size_of::<u32>()];
        copy(self.offsets + group * size_of::<u32>(), &mut offset)?;
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
}

/// Collects bits; the first bit of a byte is the highest.
#[derive(Default)]
pub struct BitSink {
    bytes: Vec<u8>,
    /// The bits of an incomplete byte, right-aligned.
    pending: u64,
    pending_bits: u32,
}

impl BitSink {
    /// Appends the lowest `len` bits, at most 32.
    pub fn push(&mut self, bits: u32, len: u32) {
        self.pending = self.pending << len | u64::from(bits);
        self.pending_bits += len;
        while self.pending_bits >= u8::BITS {
            self.pending_bits -= u8::BITS;
            self.bytes.push((self.pending >> self.pending_bits) as u8);
        }
    }

    /// Appends bytes without trailing zeros, after whole bytes only. Returns the number of bytes appended.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> u8 {
        let len = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.bytes.extend(&bytes[..len]);
        len as u8
    }

    /// Returns the bytes, the last one padded with zeros.
    pub fn into_bytes(mut self) -> Vec<u8> {
        if self.pending_bits > 0 {
            self.push(0, u8::BITS - self.pending_bits);
        }
        self.bytes
    }
}

/// Writes the chunks of a number of positions and the offsets of their groups. `packing` makes a function that appends
/// the chunk with a given number and returns its length byte. Returns the bytes that the groups take.
///
/// # Errors
///
/// When the system cannot write, or the groups take 4 GiB or more.
pub fn write<P: FnMut(usize, &mut BitSink) -> u8>(
    out: &mut impl Write,
    positions: usize,
    packing: impl Fn() -> P + Sync,
) -> io::Result<usize> {
    let chunks = positions.div_ceil(CHUNK);
    let groups: Vec<usize> = (0..chunks).step_by(CHUNKS_OF_GROUP).collect();
    let mut offsets: Vec<u8> = Vec::new();
    let mut bytes = 0_usize;
    for batch in groups.chunks(GROUPS_PER_BATCH) {
        let pack_group = |pack: &mut P, &first: &usize| {
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

/// The columns in their order in a file: distances of losses, distances of wins, ranks of the sectors where draws come
/// to rest, and the turns until then.
pub const LOSSES: usize = 0;
pub const WINS: usize = 1;
pub const RANKS: usize = 2;
pub const TURNS: usize = 3;
pub const COLUMNS: usize = 4;

/// The maximum number of different symbols in a column.
const SYMBOLS: usize = 1 << u8::BITS;

/// The coding of a column.
#[derive(Clone, Copy, Debug)]
pub struct Coding {
    /// The number of different symbols.
    symbols: usize,
    /// The group of each symbol, which selects the codes of the next one.
    group_of: &'static [u8; SYMBOLS],
    /// The number of groups. The first symbol of a chunk has separate codes.
    groups: usize,
    /// The number of kinds of positions with separate codes.
    lanes: usize,
}

impl Coding {
    /// Half the distance, rounded down: distances of wins are odd, those of losses even.
    pub const DISTANCES: Self =
        Self { symbols: 128, group_of: &GROUP_OF_HALVES, groups: 16, lanes: 1 };

    /// Turns until a draw comes to rest, in two lanes: below the rank of the sector and above it.
    pub const TURNS: Self =
        Self { symbols: SYMBOLS, group_of: &GROUP_OF_TURNS, groups: 16, lanes: 2 };

    /// Indices of a number of places; each is a group.
    pub const fn places(places: usize) -> Self {
        Self { symbols: places, group_of: &EACH, groups: places, lanes: 1 }
    }

    /// The context of a symbol whose predecessor is in a group.
    const fn context(self, lane: usize, group: usize) -> usize {
        lane * (self.groups + 1) + group
    }

    const fn contexts(self) -> usize {
        self.context(self.lanes, 0)
    }

    /// Turns the lanes and symbols of a chunk into contexts and symbols.
    fn with_contexts(
        self,
        symbols: impl Iterator<Item = (usize, u8)>,
    ) -> impl Iterator<Item = (usize, usize)> {
        let mut groups = [self.groups; 2];
        symbols.map(move |(lane, symbol)| {
            let group = self.group_of[usize::from(symbol)].into();
            let before = std::mem::replace(&mut groups[lane], group);
            (self.context(lane, before), symbol.into())
        })
    }
}

static GROUP_OF_HALVES: [u8; SYMBOLS] =
    groups_from([0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40, 52, 70]);

/// The groups get wider: the width doubles every second group.
static GROUP_OF_TURNS: [u8; SYMBOLS] =
    groups_from([0, 1, 2, 3, 5, 7, 11, 15, 23, 31, 47, 63, 95, 127, 191, 255]);

static EACH: [u8; SYMBOLS] = {
    let mut group_of = [0; SYMBOLS];
    let mut symbol = 0;
    while symbol < SYMBOLS {
        group_of[symbol] = symbol as u8;
        symbol += 1;
    }
    group_of
};

/// The group of each symbol, given the first symbol of each group.
const fn groups_from(starts: [usize; 16]) -> [u8; SYMBOLS] {
    let mut group_of = [0; SYMBOLS];
    let mut symbol = 1;
    while symbol < SYMBOLS {
        let group = group_of[symbol - 1];
        let next = group as usize + 1;
        group_of[symbol] = group + (next < 16 && starts[next] == symbol) as u8;
        symbol += 1;
    }
    group_of
}

/// The place and coding of a column in a file.
#[derive(Clone, Debug)]
pub struct Column {
    coding: Coding,
    /// The lengths of the codes.
    pub codes: Range<usize>,
    /// The symbols.
    pub chunks: Chunks,
}

impl Column {
    /// A column that begins at `start`, given the size of its chunks in bytes.
    pub fn new(coding: Coding, start: usize, bytes: usize, positions: usize) -> Self {
        let codes = start..start + code_bytes(coding.contexts(), coding.symbols);
        let in_bits = |bytes| 8 * usize::from(bytes);
        let chunks = Chunks::new(codes.end, bytes, positions, in_bits);
        Self { coding, codes, chunks }
    }

    /// Makes the decoders from the lengths of the codes, or returns `None` if no set of codes has these lengths.
    pub fn unpack(&self, lengths: &[u8]) -> Option<Vec<Decoder>> {
        decoders(lengths, self.coding.symbols)
    }
}

/// Reads the symbols of a chunk in turn. Symbols past the last one are meaningless.
pub struct Symbols<'a> {
    coding: Coding,
    decoders: &'a [Decoder],
    bits: BitReader<[u8; MOST_BYTES]>,
    /// The group of the last symbol of each lane.
    groups: [usize; 2],
}

impl<'a> Symbols<'a> {
    /// Reads the symbols in the bytes of a chunk of a column.
    pub fn new(column: &Column, decoders: &'a [Decoder], bytes: [u8; MOST_BYTES]) -> Self {
        let coding = column.coding;
        Self { coding, decoders, bits: BitReader::new(bytes), groups: [coding.groups; 2] }
    }

    /// Reads the next symbol, which is in the given lane.
    pub fn next(&mut self, lane: usize) -> u8 {
        let context = self.coding.context(lane, self.groups[lane]);
        let symbol = self.bits.read(&self.decoders[context]);
        self.groups[lane] = self.coding.group_of[usize::from(symbol)].into();
        symbol
    }
}

/// Writes a column of `positions`. `symbols` returns the lanes and symbols of a chunk of them. Returns the bytes that
/// the chunks take.
///
/// # Errors
///
/// As [`write`](write()).
pub fn write_column<'a, T: Sync, S: Iterator<Item = (usize, u8)>>(
    out: &mut impl Write,
    positions: &'a [T],
    coding: Coding,
    symbols: impl Fn(&'a [T]) -> S + Sync,
) -> io::Result<usize> {
    let symbols = |chunk| coding.with_contexts(symbols(chunk));
    let none = || vec![vec![0; coding.symbols]; coding.contexts()];
    let counted = positions.par_chunks(CHUNK).fold(none, |mut counts, chunk| {
        symbols(chunk).for_each(|(context, symbol)| counts[context][symbol] += 1);
        counts
    });
    let counts = counted.reduce(none, |mut counts, more| {
        let pairs = counts.iter_mut().flatten().zip(more.iter().flatten());
        pairs.for_each(|(count, more)| *count += more);
        counts
    });
    let (lengths, codes) = codes(&counts);
    out.write_all(&lengths)?;
    let pack = |number: usize, sink: &mut BitSink| {
        let chunk = &positions[number * CHUNK..((number + 1) * CHUNK).min(positions.len())];
        sink.push_bytes(&encode(&codes, symbols(chunk)))
    };
    write(out, positions.len(), || &pack)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn symbols_come_back(
            symbols in prop::collection::vec((0..2_usize, 0..=u8::MAX), 1..CHUNK),
            number in 0..3_usize,
        ) {
            let coding = [Coding::DISTANCES, Coding::places(127), Coding::TURNS][number];
            let fits = |(lane, symbol): (usize, u8)| {
                (lane % coding.lanes, (usize::from(symbol) % coding.symbols) as u8)
            };
            let symbols: Vec<(usize, u8)> = symbols.into_iter().map(fits).collect();
            let with_contexts = || coding.with_contexts(symbols.iter().copied());
            let mut counts = vec![vec![0; coding.symbols]; coding.contexts()];
            with_contexts().for_each(|(context, symbol)| counts[context][symbol] += 1);
            let (lengths, codes) = codes(&counts);
            let bytes = encode(&codes, with_contexts());
            let column = Column::new(coding, 0, 0, 0);
            let decoders = column.unpack(&lengths).unwrap();
            let mut chunk = [0; MOST_BYTES];
            chunk[..bytes.len()].copy_from_slice(&bytes);
            let mut read = Symbols::new(&column, &decoders, chunk);
            for (lane, symbol) in symbols {
                prop_assert_eq!(read.next(lane), symbol);
            }
        }
    }

    #[test]
    fn groups_rise() {
        for group_of in [&GROUP_OF_HALVES, &GROUP_OF_TURNS] {
            assert!(group_of.is_sorted() && group_of[0] == 0 && group_of[255] == 15);
        }
    }
}
