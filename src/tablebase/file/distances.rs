//! Distances, packed by codes that depend on the distance before: a column for losses and one for wins.
//!
//! Neighbours in a sector differ by one man on another point, so their distances are alike. Wins are
//! odd and losses even, so half the distance is a symbol; draws have none.

use std::{iter, mem};

use super::huffman::{BitReader, Decoder, Lengths, decoders};
use crate::tablebase::value::{Value, Wdl};

/// The columns: a distance is in the one with the number of its remainder by 2.
pub const LOSSES: usize = 0;
pub const WINS: usize = 1;

/// How many symbols there are.
pub const SYMBOLS: usize = 128;

/// The symbols at which the groups begin that choose the codes of the next symbol.
const GROUPS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 40, 52, 70];

/// The context of the first distance of a chunk.
const FIRST: usize = GROUPS.len();

/// How many sets of codes a column has: one for each group, and one for the first of a chunk.
pub const CONTEXTS: usize = FIRST + 1;

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

/// The context of the symbol after one.
#[inline]
fn context_after(symbol: u8) -> usize {
    GROUP_OF[usize::from(symbol) % SYMBOLS].into()
}

/// The symbols of a column of a chunk, each with its context before it.
pub fn symbols(chunk: &[Value], column: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut context = FIRST;
    let turns = chunk.iter().filter_map(|value| value.turns());
    turns.filter(move |&turns| usize::from(turns) % 2 == column).map(move |turns| {
        let symbol = turns / 2;
        (mem::replace(&mut context, context_after(symbol)), symbol.into())
    })
}

/// Reads a column.
pub struct DistanceUnpacker(Vec<Decoder>);

impl DistanceUnpacker {
    /// A reader of codes with these lengths, or `None` when no set of codes has them.
    pub fn new(lengths: &[Lengths]) -> Option<Self> {
        decoders(lengths).filter(|decoders| decoders.len() == CONTEXTS).map(Self)
    }

    /// The symbols of a chunk, one after the other; beyond its wins or losses they have no meaning.
    pub fn symbols<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = u8> + 'a {
        let mut bits = BitReader::new(bytes);
        let mut context = FIRST;
        iter::repeat_with(move || {
            let symbol = bits.read(&self.0[context]);
            context = context_after(symbol);
            symbol
        })
    }
}

/// The value that belongs to a symbol of a column.
#[inline]
pub fn value(column: usize, symbol: u8) -> Value {
    Value::ends_in(2 * symbol + column as u8)
}

/// The values of a chunk in order, given its wins, draws and losses and the symbols of its columns. Where one is
/// absent, its values are those without a distance.
pub fn values(
    chunk: impl IntoIterator<Item = Wdl>,
    mut columns: [Option<impl Iterator<Item = u8>>; 2],
) -> impl Iterator<Item = Value> {
    chunk.into_iter().map(move |wdl| {
        let column = match wdl {
            Wdl::Draw => return Value::DRAW,
            Wdl::Loss => LOSSES,
            Wdl::Win => WINS,
        };
        let symbol = columns[column].as_mut().and_then(Iterator::next);
        symbol.map_or(Value::without_distance(wdl), |symbol| value(column, symbol))
    })
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
            let chunk: Vec<Value> = turns.into_iter().map(value).collect();
            let packed = [LOSSES, WINS].map(|column| {
                let mut frequencies = Frequencies::none(CONTEXTS, SYMBOLS);
                frequencies.add(symbols(&chunk, column));
                let lengths = frequencies.lengths();
                let mut bits = BitWriter::default();
                Encoder::new(&lengths).encode(symbols(&chunk, column), &mut bits);
                (DistanceUnpacker::new(&lengths).unwrap(), bits)
            });
            let columns = packed.each_ref().map(|(codes, bits)| Some(codes.symbols(bits.bytes())));
            let wdl = chunk.iter().map(|&value| Wdl::from(value));
            let read: Vec<Value> = values(wdl, columns).collect();
            prop_assert_eq!(read, chunk);
        }
    }
}
