//! Distances, packed by codes that depend on the distance before.
//!
//! Neighbours in a sector differ by one man on another point, so their distances are alike. Wins are
//! odd and losses even, so half the distance is a symbol; draws have none.

use super::huffman::{BitReader, Decoder, Lengths, decoders};
use crate::tablebase::value::{Value, Wdl};

/// How many symbols there are.
pub const SYMBOLS: usize = 128;

/// The symbols at which the groups begin that choose the codes of the next symbol.
const GROUPS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40, 52, 70];

/// One more group, for the first win or loss of a chunk.
const GROUPS_OF_KIND: usize = GROUPS.len() + 1;

/// How many sets of codes there are: for wins and losses, by group.
pub const CONTEXTS: usize = 2 * GROUPS_OF_KIND;

const GROUP_OF: [u8; SYMBOLS] = {
    let mut group_of = [0; SYMBOLS];
    let mut symbol = 0;
    let mut group = 0;
    while symbol < SYMBOLS {
        if group + 1 < GROUPS.len() && GROUPS[group + 1] as usize == symbol {
            group += 1;
        }
        group_of[symbol] = group as u8;
        symbol += 1;
    }
    group_of
};

/// The contexts of the next loss and the next win.
#[derive(Clone, Copy)]
struct Contexts([u8; 2]);

impl Contexts {
    const START: Self = Self([GROUPS.len() as u8, (GROUPS.len() + GROUPS_OF_KIND) as u8]);

    #[inline]
    fn of(self, is_win: bool) -> usize {
        self.0[usize::from(is_win)].into()
    }

    #[inline]
    fn note(&mut self, is_win: bool, symbol: u8) {
        let first = if is_win { GROUPS_OF_KIND as u8 } else { 0 };
        self.0[usize::from(is_win)] = first + GROUP_OF[usize::from(symbol) % SYMBOLS];
    }
}

/// The symbols of a chunk, each with its context before it.
pub fn symbols(chunk: &[Value]) -> impl Iterator<Item = (usize, usize)> {
    let mut contexts = Contexts::START;
    chunk.iter().filter_map(|value| value.turns()).map(move |turns| {
        let (is_win, symbol) = (turns % 2 == 1, turns / 2);
        let context = contexts.of(is_win);
        contexts.note(is_win, symbol);
        (context, symbol.into())
    })
}

/// Reads chunks of distances.
pub struct DistanceUnpacker(Vec<Decoder>);

impl DistanceUnpacker {
    /// A reader of codes with these lengths, or `None` when no set of codes has them.
    pub fn new(lengths: &[Lengths]) -> Option<Self> {
        decoders(lengths).filter(|decoders| decoders.len() == CONTEXTS).map(Self)
    }

    /// The values of a chunk in order, given its wins, draws and losses and its packed distances.
    pub fn values<'a>(
        &'a self,
        chunk: impl IntoIterator<Item = Wdl> + 'a,
        bytes: &'a [u8],
    ) -> impl Iterator<Item = Value> + 'a {
        let mut contexts = Contexts::START;
        let mut bits = BitReader::new(bytes);
        chunk.into_iter().map(move |wdl| {
            let is_win = match wdl {
                Wdl::Draw => return Value::DRAW,
                Wdl::Win => true,
                Wdl::Loss => false,
            };
            let symbol = bits.read(&self.0[contexts.of(is_win)]);
            contexts.note(is_win, symbol);
            Value::ends_in(2 * symbol + u8::from(is_win))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunks::CHUNK;
    use super::super::huffman::{BitWriter, Encoder, Frequencies};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn distances_come_back(turns in prop::collection::vec(0..=u8::MAX, 1..CHUNK)) {
            let is_decided = |turns: u8| turns <= Value::MOST_TURNS;
            let value = |turns| if is_decided(turns) { Value::ends_in(turns) } else { Value::DRAW };
            let values: Vec<Value> = turns.into_iter().map(value).collect();
            let mut frequencies = Frequencies::none(CONTEXTS, SYMBOLS);
            frequencies.add(symbols(&values));
            let lengths = frequencies.lengths();
            let mut bits = BitWriter::default();
            Encoder::new(&lengths).encode(symbols(&values), &mut bits);
            let unpacker = DistanceUnpacker::new(&lengths).unwrap();
            let wdl = values.iter().map(|&value| Wdl::from(value));
            let read: Vec<Value> = unpacker.values(wdl, bits.bytes()).collect();
            prop_assert_eq!(read, values);
        }
    }
}
