//! All slides at once: the directed edges of the board, numbered to fit into one word.
//!
//! The edges along the rings take 24 bits for each direction. Those across the rings have only
//! middles as ends, so both directions share 16 bits, one on the even and one on the odd places.

use crate::board::{Diagonals, Square, SquareSet, lines};

/// How many directed edges there are.
pub const SLIDES: usize = 64;

/// The edges from a point of `from` to a point of `to`, one bit each.
#[inline]
pub const fn slides(from: SquareSet, to: SquareSet) -> u64 {
    let clockwise = from.bits() & to.anticlockwise().bits();
    let anticlockwise = from.bits() & to.clockwise().bits();
    let middles = from.bits() & SquareSet::MIDDLES.bits();
    let outward = middles & to.inward().bits();
    let inward = (middles & to.outward().bits()) >> 8;
    clockwise as u64 | (anticlockwise as u64) << 24 | ((outward | inward << 1) as u64) << 48
}

/// The ends of each edge.
pub static ENDS: [SquareSet; SLIDES] = {
    let mut ends = [SquareSet::EMPTY; SLIDES];
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            let (one, other) = (SquareSet::of(Square::ALL[from]), SquareSet::of(Square::ALL[to]));
            if lines::neighbours(Square::ALL[from], Diagonals::Without).contains(Square::ALL[to]) {
                let slide = slides(one, other).trailing_zeros() as usize;
                ends[slide] = SquareSet::from_bits(one.bits() | other.bits());
            }
            to += 1;
        }
        from += 1;
    }
    ends
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slide_has_a_number_of_its_own() {
        assert!(ENDS.iter().all(|ends| ends.len() == 2));
        for (slide, ends) in ENDS.iter().enumerate() {
            let ways = ends.into_iter().map(|from| {
                let from = SquareSet::of(from);
                (from, *ends - from)
            });
            let numbers: Vec<u64> = ways.map(|(from, to)| slides(from, to)).collect();
            assert!(numbers.contains(&(1 << slide)));
            assert!(numbers.iter().all(|bits| bits.is_power_of_two()));
        }
        assert_eq!(slides(SquareSet::ALL, SquareSet::ALL), u64::MAX);
    }
}
