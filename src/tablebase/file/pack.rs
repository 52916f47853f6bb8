//! Values, packed: win, draw or loss five to a byte, and distances by codes that depend on the
//! distance before.
//!
//! Neighbours in a sector differ by one man on another point, so their distances are alike. Wins are
//! odd and losses even, so half the distance is a symbol; draws have none. Distances are packed in
//! chunks, each of which can be read on its own.

use super::huffman::{self, BitReader, BitWriter, Code, Counts, Decoder, Lengths, SYMBOLS};
use crate::tablebase::value::{Value, Wdl};

/// How many positions share a byte, since 3 to the fifth is just below 256.
pub const WDL_PER_BYTE: usize = 5;

/// The values in each byte; bytes that are never written mean draws.
const UNPACKED: [[Wdl; WDL_PER_BYTE]; 1 << 8] = {
    let mut unpacked = [[Wdl::Draw; WDL_PER_BYTE]; 1 << 8];
    let mut byte = 0;
    while byte < 3_usize.pow(WDL_PER_BYTE as u32) {
        let mut rest = byte;
        let mut index = 0;
        while index < WDL_PER_BYTE {
            unpacked[byte][index] = [Wdl::Loss, Wdl::Draw, Wdl::Win][rest % 3];
            rest /= 3;
            index += 1;
        }
        byte += 1;
    }
    unpacked
};

/// Packs the win, draw or loss of at most five positions.
pub fn pack_wdl(values: &[Value]) -> u8 {
    values.iter().rev().fold(0, |byte, value| 3 * byte + Wdl::from(*value) as u8)
}

/// The five values of a byte.
#[inline]
pub fn unpack_wdl(byte: u8) -> [Wdl; WDL_PER_BYTE] {
    UNPACKED[usize::from(byte)]
}

/// The number of positions in a chunk of distances.
pub const CHUNK: usize = 160;

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

/// The symbols of a chunk, each with its context.
fn symbols(chunk: &[Value]) -> impl Iterator<Item = (usize, usize)> {
    let mut contexts = Contexts::START;
    chunk.iter().filter_map(|value| value.turns()).map(move |turns| {
        let (is_win, symbol) = (turns % 2 == 1, turns / 2);
        let context = contexts.of(is_win);
        contexts.note(is_win, symbol);
        (context, symbol.into())
    })
}

/// How often each symbol occurs in each context.
#[derive(Clone)]
pub struct Frequencies(Vec<Counts>);

impl Default for Frequencies {
    fn default() -> Self {
        Self(vec![[0; SYMBOLS]; CONTEXTS])
    }
}

impl Frequencies {
    /// Counts the symbols of a chunk.
    pub fn add(&mut self, chunk: &[Value]) {
        symbols(chunk).for_each(|(context, symbol)| self.0[context][symbol] += 1);
    }

    /// The sum of two counts.
    pub fn plus(mut self, other: &Self) -> Self {
        let counts = self.0.iter_mut().flatten();
        counts.zip(other.0.iter().flatten()).for_each(|(count, other)| *count += other);
        self
    }

    /// The lengths of the codes for them.
    pub fn lengths(&self) -> Vec<Lengths> {
        self.0.iter().map(huffman::lengths).collect()
    }
}

/// Packs chunks of distances.
pub struct Packer(Vec<[Code; SYMBOLS]>);

impl Packer {
    /// Packs with codes of these lengths.
    pub fn new(lengths: &[Lengths]) -> Self {
        Self(lengths.iter().map(huffman::encoder).collect())
    }

    /// Appends a chunk, to the end of a byte.
    pub fn pack(&self, chunk: &[Value], bits: &mut BitWriter) {
        symbols(chunk).for_each(|(context, symbol)| bits.push(self.0[context][symbol]));
        bits.end_byte();
    }
}

/// Reads chunks of distances.
pub struct Unpacker(Vec<Decoder>);

impl Unpacker {
    /// A reader of codes with these lengths; none when no set of codes has them.
    pub fn new(lengths: &[Lengths]) -> Option<Self> {
        let decoders: Option<Vec<Decoder>> = lengths.iter().map(Decoder::new).collect();
        decoders.filter(|decoders| decoders.len() == CONTEXTS).map(Self)
    }

    /// The values of a chunk in order, given its wins, draws and losses and its packed distances.
    pub fn values<'a>(
        &'a self,
        chunk: impl Iterator<Item = Wdl> + 'a,
        bytes: &'a [u8],
    ) -> impl Iterator<Item = Value> + 'a {
        let mut contexts = Contexts::START;
        let mut bits = BitReader::new(bytes);
        chunk.map(move |wdl| {
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
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn five_positions_go_into_a_byte_and_come_back() {
        for byte in 0..3_u8.pow(WDL_PER_BYTE as u32) {
            let values = unpack_wdl(byte).map(|wdl| match wdl {
                Wdl::Loss => Value::LOST,
                Wdl::Draw => Value::DRAW,
                Wdl::Win => Value::ends_in(1),
            });
            assert_eq!(pack_wdl(&values), byte);
        }
    }

    proptest! {
        #[test]
        fn distances_come_back(turns in prop::collection::vec(0..=u8::MAX, 1..CHUNK)) {
            let is_decided = |turns: u8| turns <= Value::MOST_TURNS;
            let value = |turns| if is_decided(turns) { Value::ends_in(turns) } else { Value::DRAW };
            let values: Vec<Value> = turns.into_iter().map(value).collect();
            let mut frequencies = Frequencies::default();
            frequencies.add(&values);
            let lengths = frequencies.lengths();
            let mut bits = BitWriter::default();
            Packer::new(&lengths).pack(&values, &mut bits);
            let unpacker = Unpacker::new(&lengths).unwrap();
            let wdl = values.iter().map(|&value| Wdl::from(value));
            let read: Vec<Value> = unpacker.values(wdl, bits.bytes()).collect();
            prop_assert_eq!(read, values);
        }
    }
}
