//! Columns: a symbol for each position of a kind, by codes that depend on the symbol before.
//!
//! Neighbours in a sector differ by one man on another point, so their distances are alike, and most draws come
//! to rest in the same sector as the one before, after nearly as many turns.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::chunks::{self, BitSink, CHUNK, Chunks, MOST_BYTES, whole_bytes};
use super::huffman::{BitReader, Decoder, Frequencies, code_bytes, decoders};

/// The columns in the order of a file: the distances of losses, those of wins, where draws come to rest, and after
/// how many turns.
pub const LOSSES: usize = 0;
pub const WINS: usize = 1;
pub const RANKS: usize = 2;
pub const TURNS: usize = 3;
/// How many columns there are.
pub const COLUMNS: usize = 4;

/// The most symbols of a column.
const SYMBOLS: usize = 1 << u8::BITS;

/// How a column is coded.
#[derive(Clone, Copy, Debug)]
pub struct Coding {
    /// How many symbols there are.
    symbols: usize,
    /// The group of each symbol, which chooses the codes of the next one.
    group_of: &'static [u8; SYMBOLS],
    /// How many groups there are. The first symbol of a chunk has codes of its own.
    groups: usize,
    /// How many kinds of positions have codes of their own.
    lanes: usize,
}

impl Coding {
    /// Half the distances: wins are odd and losses even.
    pub const DISTANCES: Self =
        Self { symbols: 128, group_of: &GROUP_OF_HALVES, groups: 16, lanes: 1 };

    /// Turns, to a rank below that of the sector and above.
    pub const TURNS: Self =
        Self { symbols: SYMBOLS, group_of: &GROUP_OF_TURNS, groups: 16, lanes: 2 };

    /// A number of places, each of which is a group.
    pub const fn places(places: usize) -> Self {
        Self { symbols: places, group_of: &EACH, groups: places, lanes: 1 }
    }

    /// The codes of a symbol after one of a group.
    #[inline]
    const fn context(self, lane: usize, group: usize) -> usize {
        lane * (self.groups + 1) + group
    }

    const fn contexts(self) -> usize {
        self.context(self.lanes, 0)
    }

    /// The symbols of a chunk, given with their lanes, each with its context before it.
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

/// Each group is half as many more turns as the last.
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

/// The group of each symbol, by the symbols at which the groups begin.
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

/// Where a column lies in a file.
#[derive(Clone, Debug)]
pub struct Column {
    coding: Coding,
    /// The lengths of its codes.
    pub codes: Range<usize>,
    /// Its symbols.
    pub chunks: Chunks,
}

impl Column {
    /// A column from a place on, given the bytes of its chunks.
    pub fn new(coding: Coding, start: usize, bytes: usize, positions: usize) -> Self {
        let codes = start..start + code_bytes(coding.contexts(), coding.symbols);
        let chunks = Chunks::new(codes.end, bytes, positions, whole_bytes);
        Self { coding, codes, chunks }
    }

    /// What reads it, by the lengths of its codes, or `None` when no set of codes has them.
    pub fn unpack(&self, lengths: &[u8]) -> Option<Codes> {
        let Self { coding, .. } = *self;
        Some(Codes { coding, decoders: decoders(lengths, coding.symbols)? })
    }
}

/// The codes of a column.
pub struct Codes {
    coding: Coding,
    decoders: Vec<Decoder>,
}

/// Reads the symbols of a chunk one after the other; beyond its last one they have no meaning.
pub struct Symbols<'a> {
    codes: &'a Codes,
    bits: BitReader<[u8; MOST_BYTES]>,
    /// The group of the last symbol of each lane.
    groups: [usize; 2],
}

impl<'a> Symbols<'a> {
    /// Those of the bytes of a chunk.
    pub fn new(codes: &'a Codes, bytes: [u8; MOST_BYTES]) -> Self {
        Self { codes, bits: BitReader::new(bytes), groups: [codes.coding.groups; 2] }
    }

    /// The next one, of a lane.
    #[inline]
    pub fn next(&mut self, lane: usize) -> u8 {
        let Codes { coding, decoders } = self.codes;
        let symbol = self.bits.read(&decoders[coding.context(lane, self.groups[lane])]);
        self.groups[lane] = coding.group_of[usize::from(symbol)].into();
        symbol
    }
}

/// How many chunks are counted at a time.
const COUNTED_AT_A_TIME: usize = 1 << 14;

/// Writes a column of some positions, given the symbols of a chunk with their lanes. Returns the bytes that the chunks
/// take.
///
/// # Errors
///
/// Those of [`chunks::write`].
pub fn write<'a, T: Sync, S: Iterator<Item = (usize, u8)>>(
    out: &mut impl Write,
    positions: &'a [T],
    coding: Coding,
    symbols: impl Fn(&'a [T]) -> S + Sync,
) -> io::Result<usize> {
    let symbols = |chunk| coding.with_contexts(symbols(chunk));
    let none = || Frequencies::none(coding.contexts(), coding.symbols);
    let parts = positions.par_chunks(COUNTED_AT_A_TIME * CHUNK).map(|part| {
        let mut frequencies = none();
        part.chunks(CHUNK).for_each(|chunk| frequencies.add(symbols(chunk)));
        frequencies
    });
    let (lengths, encoder) = parts.reduce(none, |some, more| some.plus(&more)).codes();
    out.write_all(&lengths)?;
    let pack = |number: usize, sink: &mut BitSink| {
        let chunk = &positions[number * CHUNK..((number + 1) * CHUNK).min(positions.len())];
        sink.push_bytes(&encoder.encode(symbols(chunk)))
    };
    chunks::write(out, positions.len(), || &pack)
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
            let mut frequencies = Frequencies::none(coding.contexts(), coding.symbols);
            frequencies.add(with_contexts());
            let (lengths, encoder) = frequencies.codes();
            let bytes = encoder.encode(with_contexts());
            let codes = Column::new(coding, 0, 0, 0).unpack(&lengths).unwrap();
            let mut chunk = [0; MOST_BYTES];
            chunk[..bytes.len()].copy_from_slice(&bytes);
            let mut read = Symbols::new(&codes, chunk);
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
