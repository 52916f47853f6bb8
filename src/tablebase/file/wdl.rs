//! Wins, draws and losses, arithmetic-coded with the probabilities that the model predicts.
//!
//! The two halves of a chunk share its bits: one is read forwards from the first bit, the other backwards from the
//! last. Reading a position decodes its half up to that position.

use arrayvec::ArrayVec;

use super::arithmetic::{Decoder, Encoder, Probability};
use super::chunks::{BitSink, CHUNK, Chunk};
use super::model::{Before, IS_LOST, IS_WON, Model, Row, WdlCode};
use crate::tablebase::value::Wdl;

/// The number of positions in half a chunk.
pub const HALF: usize = CHUNK / 2;

/// The length byte of a plain chunk, with two bits a position: the model predicts it too badly.
const IS_PLAIN: u8 = u8::MAX;

/// The number of bits in a plain chunk.
const PLAIN_BITS: usize = 2 * CHUNK;

/// Converts the length byte of a chunk to bits.
pub const fn bits(length: u8) -> usize {
    if length == IS_PLAIN { PLAIN_BITS } else { length as usize }
}

/// The values that may be stored for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value of the position.
    pub value: Wdl,
    /// Whether any lower value may be stored instead, because a probe finds the value by a conversion.
    pub or_less: bool,
}

impl Choice {
    /// Returns the most probable of the values, given the probability of each output.
    pub fn likeliest(self, probability: impl Fn(usize) -> Probability) -> Wdl {
        if !self.or_less {
            return self.value;
        }
        let loss = probability(IS_LOST);
        let is_lost = loss > Probability::MAX / 2;
        if self.value == Wdl::Win {
            let win = probability(IS_WON);
            let of_rest = u32::from(if is_lost { loss } else { !loss });
            if u32::from(win) > (u32::from(!win) * of_rest) >> Probability::BITS {
                return Wdl::Win;
            }
        }
        if is_lost { Wdl::Loss } else { Wdl::Draw }
    }
}

impl WdlCode<'_> {
    /// Appends the chunk that begins at an index, given the values that may be stored for its positions. Returns its
    /// length byte. Both halves are coded alternately.
    pub fn pack(&mut self, first: usize, choices: &[Choice], sink: &mut BitSink) -> u8 {
        let mut sums = [Row::default(); CHUNK];
        self.fill(first, &mut sums[..choices.len()]);
        let [mut front, mut back] = [0, 1].map(|_| Half::new(self.model, Encoder::new()));
        for index in 0..choices.len().min(HALF) {
            front.push(sums[index], choices[index]);
            if let Some(&choice) = choices.get(HALF + index) {
                back.push(sums[HALF + index], choice);
            }
        }
        let [front, back] = [front, back].map(|half| half.coder.finish());
        let len = front.len() + back.len();
        if len < usize::from(IS_PLAIN) {
            let bits = front.into_iter().chain(back.into_iter().rev());
            bits.for_each(|bit| sink.push(bit.into(), 1));
            return len as u8;
        }
        for index in 0..CHUNK {
            sink.push(choices.get(index).map_or(0, |choice| choice.value as u32), 2);
        }
        IS_PLAIN
    }

    /// Returns the value stored for an index, given its chunk.
    pub fn get(&mut self, index: usize, chunk: &Chunk) -> Wdl {
        if chunk.length == IS_PLAIN {
            return plain(chunk, index % CHUNK);
        }
        let (half, wanted) = (index % CHUNK / HALF, index % HALF + 1);
        let mut sums = [Row::default(); HALF];
        self.fill(index + 1 - wanted, &mut sums[..wanted]);
        let mut reader = Half::new(self.model, decoder(chunk, half));
        let values = sums[..wanted].iter().map(|&sum| reader.next(sum));
        values.last().unwrap_or(Wdl::Draw)
    }

    /// Returns the values stored for the positions of a chunk up to and including an index. Both halves are decoded
    /// alternately, since they do not depend on each other.
    pub fn up_to(&mut self, index: usize, chunk: &Chunk) -> ArrayVec<Wdl, CHUNK> {
        let wanted = index % CHUNK + 1;
        if chunk.length == IS_PLAIN {
            return (0..wanted).map(|index| plain(chunk, index)).collect();
        }
        let mut sums = [Row::default(); CHUNK];
        self.fill(index + 1 - wanted, &mut sums[..wanted]);
        let [mut front, mut back] = [0, 1].map(|half| Half::new(self.model, decoder(chunk, half)));
        let mut values = ArrayVec::from([Wdl::Draw; CHUNK]);
        for index in 0..wanted.min(HALF) {
            values[index] = front.next(sums[index]);
            if wanted > HALF {
                values[HALF + index] = back.next(sums[HALF + index]);
            }
        }
        values.truncate(wanted);
        values
    }
}

/// Returns a value of a plain chunk.
fn plain(chunk: &Chunk, index: usize) -> Wdl {
    let bit = chunk.skipped + 2 * index;
    let bytes = [chunk.bytes[bit / 8], chunk.bytes[bit / 8 + 1]];
    let pair = u16::from_be_bytes(bytes) << (bit % 8) >> 14;
    [Wdl::Loss, Wdl::Draw, Wdl::Win][usize::from(pair) % 3]
}

/// Returns a decoder of the first or the second half of a chunk.
fn decoder(chunk: &Chunk, half: usize) -> Decoder {
    let Chunk { bytes, skipped, length } = chunk;
    if half == 0 {
        Decoder::new(bytes, *skipped)
    } else {
        Decoder::backwards(bytes, skipped + usize::from(*length))
    }
}

/// Half a chunk, coded from its first position on.
struct Half<'a, C> {
    model: &'a Model,
    coder: C,
    before: Before,
}

impl<'a, C> Half<'a, C> {
    fn new(model: &'a Model, coder: C) -> Self {
        Self { model, coder, before: Before::NONE }
    }
}

impl Half<'_, Encoder> {
    /// Appends the most probable value that may be stored, given the sum of the position.
    fn push(&mut self, sum: Row, choice: Choice) {
        let probabilities = self.model.probabilities(&sum, self.before);
        let wdl = choice.likeliest(|output| probabilities[output]);
        self.coder.push(probabilities[IS_WON], wdl == Wdl::Win);
        if wdl != Wdl::Win {
            self.coder.push(probabilities[IS_LOST], wdl == Wdl::Loss);
        }
        self.before = self.before.and(wdl);
    }
}

impl Half<'_, Decoder> {
    /// Decodes the next value, given the sum of its position.
    fn next(&mut self, sum: Row) -> Wdl {
        let probabilities = self.model.probabilities(&sum, self.before);
        let wdl = if self.coder.next(probabilities[IS_WON]) {
            Wdl::Win
        } else if self.coder.next(probabilities[IS_LOST]) {
            Wdl::Loss
        } else {
            Wdl::Draw
        };
        self.before = self.before.and(wdl);
        wdl
    }
}
