//! Wins, draws and losses, coded by the probabilities that a model gives them.
//!
//! A chunk has two halves, which share its bits: one runs from the front, the other from the back. To read a
//! position its half is decoded from the first position on.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::arithmetic::{Bits, Decoder, Encoder, MOST_BITS, Probability};
use super::chunks::{BitSink, CHUNK};
use super::model::{Before, IS_LOST, IS_WON, Model, Sum};
use super::sums::Sums;
use crate::tablebase::sector::Sector;
use crate::tablebase::value::Wdl;

/// The positions of half a chunk.
pub const HALF: usize = CHUNK / 2;

/// The length of a chunk whose positions take two bits each, because the model fails there.
const IS_PLAIN: u8 = u8::MAX;

/// The bits of a chunk without a model.
const PLAIN_BITS: usize = 2 * CHUNK;

/// The bits of a chunk by the byte that states its length.
#[inline]
pub const fn bits(length: u8) -> usize {
    if length == IS_PLAIN { PLAIN_BITS } else { length as usize }
}

const _: () = assert!(MOST_BITS == IS_PLAIN as usize);

/// What may be stored for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its value.
    pub value: Wdl,
    /// Whether anything less will do, because a reader finds the value by a conversion.
    pub or_less: bool,
}

impl Choice {
    /// The value and nothing else.
    #[inline]
    pub const fn only(wdl: Wdl) -> Self {
        Self { value: wdl, or_less: false }
    }

    /// The one of them that is the most probable.
    #[inline]
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

/// Codes the positions of a sector.
pub struct WdlCode<'a> {
    model: &'a Model,
    sums: Sums<'a>,
}

impl<'a> WdlCode<'a> {
    /// That of a sector by its model. Chunks that follow one another are faster.
    #[inline]
    pub fn new(sector: Sector, model: &'a Model) -> Self {
        Self { model, sums: Sums::new(sector, model) }
    }

    /// Appends the chunk that begins at an index, given what may be stored for its positions. Returns the byte
    /// that states its length.
    pub fn pack(&mut self, first: usize, choices: &[Choice], sink: &mut BitSink) -> u8 {
        let (front, back) = choices.split_at(HALF.min(choices.len()));
        let (front, back) = (self.pack_half(first, front), self.pack_half(first + HALF, back));
        let len = front.len() + back.len();
        if len < MOST_BITS {
            sink.push(front.into_iter().chain(back.into_iter().rev()));
            return len as u8;
        }
        let wdl = |index: usize| choices.get(index).map_or(0, |choice| choice.value as u8);
        sink.push((0..CHUNK).flat_map(|index| [wdl(index) & 2 != 0, wdl(index) & 1 != 0]));
        IS_PLAIN
    }

    fn pack_half(&mut self, first: usize, choices: &[Choice]) -> Vec<bool> {
        let mut encoder = Encoder::new();
        let mut before = Before::NONE;
        let mut sums = [Sum::default(); HALF];
        self.sums.fill(first, &mut sums[..choices.len()]);
        for (sum, &choice) in sums.into_iter().zip(choices) {
            let units = self.model.complete(sum, before);
            let probability = |output| self.model.probability(units, output);
            let wdl = choice.likeliest(probability);
            encoder.push(probability(IS_WON), wdl == Wdl::Win);
            if wdl != Wdl::Win {
                encoder.push(probability(IS_LOST), wdl == Wdl::Loss);
            }
            before = before.and(wdl);
        }
        encoder.finish()
    }

    /// The positions of a chunk from the first of a half to the last that is wanted, given the bits of the chunk
    /// and the byte that states its length. The chunk begins at an index.
    #[inline]
    pub fn unpack_half(
        &mut self,
        first: usize,
        half: usize,
        wanted: usize,
        (bits, length): (Bits, u8),
        mut each: impl FnMut(Wdl),
    ) {
        let start = first + half * HALF;
        if length == IS_PLAIN {
            let wdl = |index| [Wdl::Loss, Wdl::Draw, Wdl::Win][usize::from(bits.pair(index)) % 3];
            (half * HALF..).take(wanted).for_each(|index| each(wdl(index)));
            return;
        }
        let bits = if half == 0 { bits } else { bits.reversed(length.into()) };
        let mut decoder = Decoder::new(bits);
        let mut sums = [Sum::default(); HALF];
        self.sums.fill(start, &mut sums[..wanted]);
        let mut before = Before::NONE;
        for sum in sums.into_iter().take(wanted) {
            let units = self.model.complete(sum, before);
            let wdl = if decoder.next(self.model.probability(units, IS_WON)) {
                Wdl::Win
            } else if decoder.next(self.model.probability(units, IS_LOST)) {
                Wdl::Loss
            } else {
                Wdl::Draw
            };
            before = before.and(wdl);
            each(wdl);
        }
    }

    /// What is stored for one position of a chunk.
    #[inline]
    pub fn get(&mut self, first: usize, index: usize, packed: (Bits, u8)) -> Wdl {
        let mut last = Wdl::Draw;
        self.unpack_half(first, index / HALF, index % HALF + 1, packed, |wdl| last = wdl);
        last
    }

    /// What is stored for some first positions of a chunk.
    pub fn all(&mut self, first: usize, wanted: usize, packed: (Bits, u8)) -> ArrayVec<Wdl, CHUNK> {
        let mut all = ArrayVec::new();
        let halves: [Range<usize>; 2] = [0..wanted.min(HALF), HALF..wanted.max(HALF)];
        for (half, range) in halves.into_iter().enumerate() {
            self.unpack_half(first, half, range.len(), packed, |wdl| all.push(wdl));
        }
        all
    }
}
