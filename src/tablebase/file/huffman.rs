//! Huffman codes, and bit streams of them.
//!
//! The codes are canonical, so that their lengths determine them, and limited in length, so that tables
//! decode them.
//!
//! See: David Huffman, "A Method for the Construction of Minimum-Redundancy Codes", 1952.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::chunks::BitSink;

/// The maximum length of a code in bits.
pub const LONGEST: u32 = 11;

/// The stored code lengths for symbols with these counts: the number of bits plus one for each symbol, or 0 if it does
/// not occur. Counts are halved until no code is longer than [`LONGEST`].
fn lengths(counts: &[u64]) -> Vec<u8> {
    let found = unlimited_lengths(counts);
    if found.iter().all(|&length| u32::from(length) <= LONGEST + 1) {
        return found;
    }
    lengths(&counts.iter().map(|count| count.div_ceil(2)).collect::<Vec<_>>())
}

/// Joins the two rarest groups of symbols until one is left. Each join adds a bit to the codes of both.
fn unlimited_lengths(counts: &[u64]) -> Vec<u8> {
    let mut lengths: Vec<u8> = counts.iter().map(|&count| u8::from(count > 0)).collect();
    let groups = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let mut groups: BinaryHeap<_> =
        groups.map(|(symbol, &count)| Reverse((count, vec![symbol]))).collect();
    while let (Some(Reverse(rarest)), Some(mut next)) = (groups.pop(), groups.peek_mut()) {
        let Reverse((count, symbols)) = &mut *next;
        *count += rarest.0;
        symbols.extend(rarest.1);
        for symbol in symbols {
            lengths[*symbol] += 1;
        }
    }
    lengths
}

/// The symbols and codes with these lengths, sorted by length and then by symbol.
fn canonical(lengths: &[u8]) -> Vec<(usize, Code)> {
    let mut codes = Vec::new();
    // The next code, left-aligned in `LONGEST` bits.
    let mut next = 0;
    for length in 0..=LONGEST {
        let has_length = |&symbol: &usize| u32::from(lengths[symbol]) == length + 1;
        for symbol in (0..lengths.len()).filter(has_length) {
            codes.push((symbol, Code { bits: next >> (LONGEST - length), length }));
            next += 1 << (LONGEST - length);
        }
    }
    codes
}

/// A code: its bits, right-aligned, and their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Code {
    bits: u32,
    length: u32,
}

/// The code of each symbol, empty if the symbol does not occur.
fn encoder(lengths: &[u8]) -> Vec<Code> {
    let mut codes = vec![Code::default(); lengths.len()];
    for (symbol, code) in canonical(lengths) {
        codes[symbol] = code;
    }
    codes
}

/// A decoded symbol.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decoded {
    /// The symbol.
    pub symbol: u8,
    /// The length of its code in bits.
    pub length: u8,
}

/// A decoder with two tables: one for short codes, so small that the tables of all contexts stay in the cache,
/// and one for longer codes, which follow all short ones in canonical order.
#[derive(Clone, Debug)]
pub struct Decoder {
    short: [Decoded; 1 << SHORT],
    /// The first long code, left-aligned in [`LONGEST`] bits.
    first_long: usize,
    long: Vec<Decoded>,
}

/// The maximum length of a short code in bits.
const SHORT: u32 = 8;

/// Marks a longer code in the first table.
const IS_LONG: u8 = u8::MAX;

impl Decoder {
    /// Makes a decoder of the codes with these lengths, or returns `None` if no set of codes has them.
    fn new(lengths: &[u8]) -> Option<Self> {
        let share = |&length: &u8| 1_u32.checked_shl((LONGEST + 1).checked_sub(length.into())?);
        let shares = lengths.iter().filter(|length| **length > 0).map(share);
        if shares.sum::<Option<u32>>()? > 1 << LONGEST {
            return None;
        }
        let mut short = [Decoded::default(); 1 << SHORT];
        let mut long = Vec::new();
        let mut first_long = 1 << LONGEST;
        for (symbol, Code { bits, length }) in canonical(lengths) {
            let decoded = Decoded { symbol: symbol as u8, length: length as u8 };
            let first = (bits << (LONGEST - length)) as usize;
            if length <= SHORT {
                let first = first >> (LONGEST - SHORT);
                short[first..][..1 << (SHORT - length)].fill(decoded);
            } else {
                first_long = first_long.min(first);
                short[first >> (LONGEST - SHORT)].length = IS_LONG;
                long.extend(std::iter::repeat_n(decoded, 1 << (LONGEST - length)));
            }
        }
        Some(Self { short, first_long, long })
    }

    /// Decodes the first code, a long one, of the next [`LONGEST`] bits.
    #[cold]
    fn decode_long(&self, next: usize) -> Decoded {
        self.long.get(next - self.first_long).copied().unwrap_or_default()
    }
}

/// Returns the codes of each context, given how often each symbol occurs in it: their lengths in stored form, and the
/// code of each symbol.
pub fn codes(counts: &[Vec<u64>]) -> (Vec<u8>, Vec<Vec<Code>>) {
    let lengths: Vec<Vec<u8>> = counts.iter().map(|counts| lengths(counts)).collect();
    // The first of two lengths is in the lower half of a byte.
    let pack = |two: &[u8]| two.iter().rev().fold(0, |byte, length| byte << 4 | length);
    let packed = lengths.iter().flat_map(|lengths| lengths.chunks(2)).map(pack).collect();
    (packed, lengths.iter().map(|lengths| encoder(lengths)).collect())
}

/// Encodes pairs of a context and a symbol with the codes of each context.
pub fn encode(codes: &[Vec<Code>], symbols: impl Iterator<Item = (usize, usize)>) -> Vec<u8> {
    let mut sink = BitSink::default();
    for (context, symbol) in symbols {
        let Code { bits, length } = codes[context][symbol];
        sink.push(bits, length);
    }
    sink.into_bytes()
}

/// The size of stored code lengths in bytes: two to a byte.
pub const fn code_bytes(contexts: usize, symbols: usize) -> usize {
    contexts * symbols.div_ceil(2)
}

/// Makes a decoder for each context from stored code lengths, or returns `None` if no set of codes has them.
pub fn decoders(lengths: &[u8], symbols: usize) -> Option<Vec<Decoder>> {
    let of_context = |bytes: &[u8]| {
        let lengths = bytes.iter().flat_map(|byte| [byte & 0xF, byte >> 4]).take(symbols);
        Decoder::new(&lengths.collect::<Vec<u8>>())
    };
    lengths.chunks_exact(symbols.div_ceil(2)).map(of_context).collect()
}

/// Reads the output of [`encode`], with zeros past the end.
#[derive(Clone, Copy, Debug)]
pub struct BitReader<B> {
    bytes: B,
    next: usize,
}

impl<B: AsRef<[u8]>> BitReader<B> {
    /// Starts at the first bit.
    pub fn new(bytes: B) -> Self {
        Self { bytes, next: 0 }
    }

    /// Reads the next symbol.
    pub fn read(&mut self, decoder: &Decoder) -> u8 {
        let start = self.next / 8;
        let rest = self.bytes.as_ref().get(start..).unwrap_or_default();
        let window = rest.first_chunk().copied().unwrap_or_else(|| window_at_end(rest));
        let next = u32::from_be_bytes(window) >> (u32::BITS - LONGEST - (self.next % 8) as u32);
        let next = next as usize % (1 << LONGEST);
        let mut found = decoder.short[next >> (LONGEST - SHORT)];
        if found.length == IS_LONG {
            found = decoder.decode_long(next);
        }
        self.next += usize::from(found.length);
        found.symbol
    }
}

/// The last bytes, fewer than four, padded with zeros.
#[cold]
fn window_at_end(rest: &[u8]) -> [u8; 4] {
    let mut window = [0; 4];
    window[..rest.len()].copy_from_slice(rest);
    window
}

#[cfg(test)]
mod tests {
    use super::*;

    const SYMBOLS: usize = 128;

    fn check(counts: &[u64]) {
        let lengths = lengths(counts);
        let (codes, decoder) = (encoder(&lengths), Decoder::new(&lengths).unwrap());
        let symbols: Vec<usize> = (0..SYMBOLS).filter(|&symbol| counts[symbol] > 0).collect();
        let mut sink = BitSink::default();
        for &symbol in &symbols {
            sink.push(codes[symbol].bits, codes[symbol].length);
        }
        let bytes = sink.into_bytes();
        let mut reader = BitReader::new(&bytes);
        for symbol in symbols {
            assert_eq!(usize::from(reader.read(&decoder)), symbol);
        }
    }

    #[test]
    fn symbols_come_back() {
        let mut counts = [0; SYMBOLS];
        check(&counts);
        counts[7] = 3;
        check(&counts);
        counts[0] = 1;
        check(&counts);
        check(&[1; SYMBOLS]);
        let rarer: [u64; SYMBOLS] = std::array::from_fn(|symbol| 1 << (symbol / 2).min(50));
        check(&rarer);
    }

    #[test]
    fn frequent_symbols_have_short_codes() {
        let mut counts = [0; SYMBOLS];
        counts[..4].copy_from_slice(&[50, 25, 13, 12]);
        assert_eq!(lengths(&counts)[..5], [2, 3, 4, 4, 0]);
    }

    #[test]
    fn lengths_of_no_codes_are_refused() {
        let mut lengths = [0; SYMBOLS];
        lengths[..3].fill(2);
        assert!(Decoder::new(&lengths).is_none());
        assert!(Decoder::new(&[13; SYMBOLS]).is_none());
    }
}
