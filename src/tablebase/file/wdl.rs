//! Wins, draws and losses, packed: five positions are a symbol, whose code depends on the two positions
//! before it.
//!
//! Neighbours in a sector differ by one man on another point, so that most are worth the same. Zeros at
//! the end of a chunk are left out: where all positions are worth what is likely, nothing is left.

use std::iter;

use arrayvec::ArrayVec;

use super::chunks::CHUNK;
use super::huffman::{BitReader, Decoder, LONGEST, Lengths, decoders};
use crate::tablebase::value::{Value, Wdl};

/// How many positions a symbol stands for: with five it fits into a byte.
const POSITIONS: usize = 5;

/// How many symbols there are.
pub const SYMBOLS: usize = 3_usize.pow(POSITIONS as u32);

/// How many symbols a chunk has.
const SYMBOLS_OF_CHUNK: usize = CHUNK / POSITIONS;

/// The context of the first symbol of a chunk; the others are the last two positions of a symbol.
const START: usize = 9;

/// How many sets of codes there are.
pub const CONTEXTS: usize = START + 1;

/// The context after a symbol.
#[inline]
fn context_after(symbol: usize) -> usize {
    symbol / 3_usize.pow(POSITIONS as u32 - 2)
}

/// The positions of each symbol.
const UNPACKED: [[Wdl; POSITIONS]; 1 << 8] = {
    let mut unpacked = [[Wdl::Draw; POSITIONS]; 1 << 8];
    let mut symbol = 0;
    while symbol < SYMBOLS {
        let mut rest = symbol;
        let mut index = 0;
        while index < POSITIONS {
            unpacked[symbol][index] = [Wdl::Loss, Wdl::Draw, Wdl::Win][rest % 3];
            rest /= 3;
            index += 1;
        }
        symbol += 1;
    }
    unpacked
};

/// The symbols of a chunk, each with its context before it.
pub fn symbols(chunk: &[Value]) -> impl Iterator<Item = (usize, usize)> {
    let mut next = START;
    chunk.chunks(POSITIONS).map(move |positions| {
        let symbol =
            positions.iter().rev().fold(0, |rest, &value| 3 * rest + Wdl::from(value) as usize);
        (std::mem::replace(&mut next, context_after(symbol)), symbol)
    })
}

/// Reads chunks of wins, draws and losses.
pub struct WdlUnpacker(Box<[Decoder; CONTEXTS]>);

/// The bytes of the longest chunk, and what the reader looks at beyond its end.
const PADDED: usize = SYMBOLS_OF_CHUNK * LONGEST as usize / 8 + 4;

impl WdlUnpacker {
    /// A reader of codes with these lengths, or `None` when no set of codes has them.
    pub fn new(lengths: &[Lengths]) -> Option<Self> {
        decoders(lengths)?.into_boxed_slice().try_into().ok().map(Self)
    }

    /// One position of a chunk.
    #[inline]
    pub fn get(&self, chunk: &[u8], index: usize) -> Wdl {
        let padded = padded(chunk);
        let symbol = self.symbols(&padded).nth(index / POSITIONS).unwrap_or_default();
        UNPACKED[usize::from(symbol)][index % POSITIONS]
    }

    /// All positions of a chunk, and some more beyond the end of a short one.
    #[inline]
    pub fn all(&self, chunk: &[u8]) -> ArrayVec<Wdl, CHUNK> {
        let padded = padded(chunk);
        let symbols = self.symbols(&padded).take(SYMBOLS_OF_CHUNK);
        symbols.flat_map(|symbol| UNPACKED[usize::from(symbol)]).collect()
    }

    #[inline]
    fn symbols(&self, chunk: &[u8; PADDED]) -> impl Iterator<Item = u8> {
        let mut bits = BitReader::new(chunk);
        let mut context = START;
        iter::repeat_with(move || {
            let symbol = bits.read(&self.0[context]);
            context = context_after(symbol.into()).min(START);
            symbol
        })
    }
}

/// A chunk with the zeros that were left out.
#[inline]
fn padded(chunk: &[u8]) -> [u8; PADDED] {
    let mut padded = [0; PADDED];
    let len = chunk.len().min(PADDED);
    padded[..len].copy_from_slice(&chunk[..len]);
    padded
}

#[cfg(test)]
mod tests {
    use super::super::huffman::{BitWriter, Encoder, Frequencies};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn positions_come_back(values in prop::collection::vec(0..3_u8, 1..=CHUNK)) {
            let values: Vec<Value> = values
                .into_iter()
                .map(|value| [Value::LOST, Value::DRAW, Value::ends_in(1)][usize::from(value)])
                .collect();
            let mut frequencies = Frequencies::none(CONTEXTS, SYMBOLS);
            frequencies.add(symbols(&values));
            let lengths = frequencies.lengths();
            let mut bits = BitWriter::default();
            Encoder::new(&lengths).encode(symbols(&values), &mut bits);
            let unpacker = WdlUnpacker::new(&lengths).unwrap();
            let wdl: Vec<Wdl> = values.into_iter().map(Wdl::from).collect();
            let all = unpacker.all(bits.bytes());
            prop_assert_eq!(&all[..wdl.len()], &wdl[..]);
            for (index, &wdl) in wdl.iter().enumerate() {
                prop_assert_eq!(unpacker.get(bits.bytes(), index), wdl);
            }
        }
    }
}
