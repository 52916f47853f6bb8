//! Binary arithmetic coding: encodes decisions of known probabilities as a bit string that is hardly longer than their
//! information.
//!
//! A string decodes correctly whatever bits follow it. So two strings can share memory without storing where the first
//! one ends: the second one starts at the other end and runs backwards.
//!
//! See: Ian Witten, Radford Neal and John Cleary, "Arithmetic Coding for Data Compression", 1987.

use std::array;

/// A probability in units of 1/65536, never 0 or 1.
pub type Probability = u16;

/// The interval of all strings that encode the decisions so far.
#[derive(Clone, Copy)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const ALL: Self = Self { low: 0, high: u32::MAX };

    /// The last string that means yes.
    fn split(self, is_yes: Probability) -> u32 {
        let width = u64::from(self.high - self.low);
        self.low + ((width * u64::from(is_yes)) >> Probability::BITS) as u32
    }

    fn decide(&mut self, split: u32, yes: bool) {
        if yes {
            self.high = split;
        } else {
            self.low = split + 1;
        }
    }

    /// Removes the leading bits that all strings share. Returns their number.
    fn settle(&mut self) -> u32 {
        let settled = (self.low ^ self.high).leading_zeros();
        // In 64 bits, since all 32 may be settled.
        self.low = (u64::from(self.low) << settled) as u32;
        self.high = !((u64::from(!self.high) << settled) as u32);
        settled
    }
}

/// Encodes decisions.
pub struct Encoder {
    interval: Interval,
    bits: Vec<bool>,
}

impl Encoder {
    /// An encoder without decisions.
    pub fn new() -> Self {
        Self { interval: Interval::ALL, bits: Vec::new() }
    }

    /// Appends a decision, given the probability that it is yes.
    pub fn push(&mut self, is_yes: Probability, yes: bool) {
        self.interval.decide(self.interval.split(is_yes), yes);
        let low = self.interval.low;
        let settled = self.interval.settle();
        self.bits.extend(first_bits(low, settled));
    }

    /// Returns the shortest string that decodes to the decisions whatever follows it.
    pub fn finish(mut self) -> Vec<bool> {
        let Interval { low, high } = self.interval;
        let shortest = (0..=u32::BITS).find_map(|len| {
            let rest = u32::MAX.unbounded_shr(len);
            let first = low.checked_add(rest)? & !rest;
            (first | rest <= high).then(|| first_bits(first, len))
        });
        self.bits.extend(shortest.into_iter().flatten());
        self.bits
    }
}

/// The first bits of a word, the highest one first.
fn first_bits(word: u32, len: u32) -> impl Iterator<Item = bool> {
    (0..len).map(move |bit| word << bit >> (u32::BITS - 1) == 1)
}

/// The number of bytes that hold two strings, with room to spare.
pub const BYTES: usize = 40;

/// Decodes decisions.
pub struct Decoder {
    interval: Interval,
    window: u32,
    /// The bits, the highest of a byte first. Zeros follow them.
    bytes: [u8; BYTES + 8],
    next: usize,
}

impl Decoder {
    /// Decodes the string that begins at a bit of some bytes, at least [`BYTES`].
    pub fn new(bits: &[u8], start: usize) -> Self {
        let mut bytes = [0; BYTES + 8];
        bytes[..BYTES].copy_from_slice(&bits[..BYTES]);
        let mut decoder = Self { interval: Interval::ALL, window: 0, bytes, next: start };
        decoder.shift(u32::BITS);
        decoder
    }

    /// Decodes the string that runs backwards from before the bit `end`.
    pub fn backwards(bits: &[u8], end: usize) -> Self {
        let bits = &bits[..BYTES];
        let reversed: [u8; BYTES] = array::from_fn(|place| bits[BYTES - 1 - place].reverse_bits());
        Self::new(&reversed, 8 * BYTES - end)
    }

    /// Decodes the next decision, given the probability that it is yes.
    pub fn next(&mut self, is_yes: Probability) -> bool {
        let split = self.interval.split(is_yes);
        let yes = self.window <= split;
        self.interval.decide(split, yes);
        let settled = self.interval.settle();
        self.shift(settled);
        yes
    }

    /// Drops the first bits of the window, and appends as many that follow.
    fn shift(&mut self, count: u32) {
        let following = self.bytes.get(self.next / 8..).and_then(<[u8]>::first_chunk);
        let following = following.map_or(0, |bytes| u64::from_be_bytes(*bytes) << (self.next % 8));
        let window = u64::from(self.window) << u32::BITS | following >> u32::BITS;
        self.window = (window << count >> u32::BITS) as u32;
        self.next += count as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::file::chunks::BitSink;
    use proptest::prelude::*;

    fn encode(decisions: &[(u16, bool)]) -> Vec<bool> {
        let mut encoder = Encoder::new();
        for &(is_yes, yes) in decisions {
            encoder.push(is_yes.max(1), yes);
        }
        encoder.finish()
    }

    proptest! {
        #[test]
        fn two_strings_share_their_memory(
            first in prop::collection::vec((0..u16::MAX, any::<bool>()), 0..40),
            second in prop::collection::vec((0..u16::MAX, any::<bool>()), 0..40),
            before in 0..8_usize,
        ) {
            let [front, back] = [encode(&first), encode(&second)];
            let len = front.len() + back.len();
            prop_assume!(u8::try_from(len).is_ok());
            let mut sink = BitSink::default();
            let strings = front.into_iter().chain(back.into_iter().rev());
            let bits = std::iter::repeat_n(true, before).chain(strings).chain([true]);
            bits.for_each(|bit| sink.push(bit.into(), 1));
            let mut bytes = sink.into_bytes();
            bytes.resize(BYTES, 0);
            let decoders =
                [Decoder::new(&bytes, before), Decoder::backwards(&bytes, before + len)];
            for (mut decoder, decisions) in decoders.into_iter().zip([first, second]) {
                for (is_yes, yes) in decisions {
                    prop_assert_eq!(decoder.next(is_yes.max(1)), yes);
                }
            }
        }
    }
}
