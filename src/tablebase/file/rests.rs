//! Where draws come to rest, packed by codes that depend on the draw before.
//!
//! Neighbours in a sector differ by one man on another point, so that most draws come to rest in the same
//! sector as the one before, after nearly as many turns.

use super::huffman::{BitReader, Decoder, Lengths, decoders};
use crate::tablebase::solved_draws::DrawCode;

/// How many sets of codes a number of ranks needs: one after each, and one for the first of a chunk.
pub const fn rank_contexts(ranks: usize) -> usize {
    ranks + 1
}

/// The symbols of the ranks of the draws of a chunk, each with its context before it. `symbol_of` has the
/// symbol of each rank.
pub fn rank_symbols(
    chunk: &[DrawCode],
    symbol_of: impl Fn(i8) -> usize,
    ranks: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let mut context = ranks;
    chunk.iter().filter_map(|code| code.draw()).map(move |(rank, _)| {
        let symbol = symbol_of(rank);
        (std::mem::replace(&mut context, symbol), symbol)
    })
}

/// How many symbols there are for turns: the turns themselves.
pub const TURN_SYMBOLS: usize = 1 << u8::BITS;

/// One more context than groups, for the first turns of a chunk, for ranks below that of the sector and above.
pub const TURN_CONTEXTS: usize = 2 * (GROUPS + 1);

/// The turns before are in groups, each of half as many more turns as the last.
const GROUPS: usize = 16;

/// The group of a number of turns.
fn group_of(turns: u8) -> usize {
    let turns = u32::from(turns);
    let log = (turns + 1).ilog2();
    let half = (turns + 1) >> log.saturating_sub(1) & 1;
    ((2 * log + half - 1) as usize).min(GROUPS - 1)
}

/// The contexts of the next turns.
struct TurnContext([usize; 2]);

impl TurnContext {
    const START: Self = Self([GROUPS; 2]);

    /// The context of turns to a rank above that of the sector or below.
    fn of(&self, is_above: bool) -> usize {
        self.0[usize::from(is_above)] + if is_above { GROUPS + 1 } else { 0 }
    }

    fn note(&mut self, is_above: bool, turns: u8) {
        self.0[usize::from(is_above)] = group_of(turns);
    }
}

/// The symbols of the turns of the draws of a chunk that do not come to rest at the rank of the sector, each
/// with its context before it.
pub fn turn_symbols(chunk: &[DrawCode], own: i8) -> impl Iterator<Item = (usize, usize)> {
    let mut contexts = TurnContext::START;
    let draws = chunk.iter().filter_map(|code| code.draw()).filter(move |(rank, _)| *rank != own);
    draws.map(move |(rank, turns)| {
        let context = contexts.of(rank > own);
        contexts.note(rank > own, turns);
        (context, turns.into())
    })
}

/// Reads ranks as symbols, or turns.
pub struct RestUnpacker(Vec<Decoder>);

impl RestUnpacker {
    /// A reader of codes with these lengths, or `None` when no set of codes has them.
    pub fn new(lengths: &[Lengths]) -> Option<Self> {
        decoders(lengths).map(Self)
    }

    /// The symbols of the ranks of a chunk, one after the other; beyond its draws they have no meaning.
    pub fn ranks<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        let mut bits = BitReader::new(bytes);
        let start = self.0.len() - 1;
        let mut context = start;
        std::iter::repeat_with(move || {
            let symbol = usize::from(bits.read(&self.0[context]));
            context = symbol.min(start);
            symbol
        })
    }

    /// A reader of the turns of a chunk.
    pub fn turns<'a>(&'a self, bytes: &'a [u8]) -> Turns<'a> {
        Turns { codes: self, bits: BitReader::new(bytes), contexts: TurnContext::START }
    }
}

/// Reads the turns of a chunk.
pub struct Turns<'a> {
    codes: &'a RestUnpacker,
    bits: BitReader<'a>,
    contexts: TurnContext,
}

impl Turns<'_> {
    /// The next turns, to a rank above that of the sector or below.
    pub fn next(&mut self, is_above: bool) -> u8 {
        let turns = self.bits.read(&self.codes.0[self.contexts.of(is_above)]);
        self.contexts.note(is_above, turns);
        turns
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunks::CHUNK;
    use super::super::huffman::{BitWriter, Encoder, Frequencies};
    use super::*;
    use proptest::prelude::*;

    /// Packs symbols and gives what reads them, and the bytes.
    fn pack(
        contexts: usize,
        count: usize,
        symbols: impl Fn() -> Vec<(usize, usize)>,
    ) -> (RestUnpacker, Vec<u8>) {
        let mut frequencies = Frequencies::none(contexts, count);
        frequencies.add(symbols().into_iter());
        let lengths = frequencies.lengths();
        let mut bits = BitWriter::default();
        Encoder::new(&lengths).encode(symbols().into_iter(), &mut bits);
        (RestUnpacker::new(&lengths).unwrap(), bits.bytes().to_vec())
    }

    proptest! {
        #[test]
        fn draws_come_back(draws in prop::collection::vec((-3..4_i8, 0..=u8::MAX), 1..CHUNK)) {
            let (ranks, own) = (7, 1);
            let chunk: Vec<DrawCode> =
                draws.iter().map(|&(rank, turns)| DrawCode::drawn(rank, turns)).collect();
            let symbol_of = |rank: i8| (rank + 3) as usize;
            let (unpacker, bytes) = pack(rank_contexts(ranks), ranks, || {
                rank_symbols(&chunk, symbol_of, ranks).collect()
            });
            let read: Vec<usize> = unpacker.ranks(&bytes).take(draws.len()).collect();
            let all: Vec<usize> = draws.iter().map(|&(rank, _)| symbol_of(rank)).collect();
            prop_assert_eq!(read, all);
            let (unpacker, bytes) =
                pack(TURN_CONTEXTS, TURN_SYMBOLS, || turn_symbols(&chunk, own).collect());
            let away = draws.iter().filter(|(rank, _)| *rank != own);
            let is_above = away.clone().map(|(rank, _)| *rank > own);
            let mut turns = unpacker.turns(&bytes);
            let read: Vec<u8> = is_above.map(|is_above| turns.next(is_above)).collect();
            let all: Vec<u8> = away.map(|&(_, turns)| turns).collect();
            prop_assert_eq!(read, all);
        }
    }

    #[test]
    fn groups_of_turns_rise() {
        let groups: Vec<usize> = (0..=u8::MAX).map(group_of).collect();
        assert!(groups.is_sorted() && groups[0] == 0 && groups[255] == GROUPS - 1);
    }
}
