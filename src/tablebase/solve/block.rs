//! One block: all positions in which the opponent's men stand on the same points.
//!
//! The free points of a block are numbered as slots, so that the men of the side to move are a set of
//! slots, and its rank is their index within the block.

use crate::board::{Diagonals, Square, SquareSet, lines};

/// The points of a block, their slots, and the moves between them.
pub struct Block {
    /// The opponent's men.
    pub standing: SquareSet,
    /// The slot of each free point.
    slots: [u8; Square::COUNT],
    /// The points of every set of seven slots.
    points: [[u32; 1 << GROUP]; 3],
    /// The slots of both ends of each slide.
    ends: [u32; SLIDES],
    /// Whether the men that move may go anywhere.
    flies: bool,
}

/// How many slots are looked up at once.
const GROUP: usize = 7;

impl Block {
    /// The block with the opponent's men on `standing`, for `moving` men of the side to move.
    pub fn new(standing: SquareSet, moving: usize) -> Self {
        let mut slots = [0; Square::COUNT];
        let mut points = [[0; 1 << GROUP]; 3];
        let mut bits = [0; 3 * GROUP];
        for (slot, square) in (!standing).into_iter().enumerate() {
            slots[square.index()] = slot as u8;
            bits[slot] = SquareSet::of(square).bits();
        }
        for (points, bits) in points.iter_mut().zip(bits.chunks(GROUP)) {
            for set in 1..1_usize << GROUP {
                points[set] = points[set & (set - 1)] | bits[set.trailing_zeros() as usize];
            }
        }
        let slot = |square: Square| 1 << slots[square.index()];
        let ends = ENDS.map(|ends| ends.into_iter().fold(0, |set, end| set | slot(end)));
        Self { standing, slots, points, ends, flies: moving == 3 }
    }

    /// How many slots there are.
    pub fn free_slots(&self) -> usize {
        Square::COUNT - self.standing.len() as usize
    }

    /// The men on a set of slots.
    #[inline]
    pub fn men(&self, slots: u32) -> SquareSet {
        let group = |number: usize| (slots as usize >> (number * GROUP)) % (1 << GROUP);
        let [low, middle, high] = &self.points;
        SquareSet::from_bits(low[group(0)] | middle[group(1)] | high[group(2)])
    }

    /// The slot of a free point, as a set.
    #[inline]
    pub fn slot(&self, square: Square) -> u32 {
        1 << self.slots[square.index()]
    }

    /// The points without men of either side.
    #[inline]
    pub fn empty(&self, men: SquareSet) -> SquareSet {
        !(men | self.standing)
    }

    /// Takes back every move that leads to `men`, which are on `slots`, and was made by one of those on
    /// `moved`: calls `visit` with the slots before each.
    #[inline]
    pub fn take_back(
        &self,
        slots: u32,
        men: SquareSet,
        moved: SquareSet,
        mut visit: impl FnMut(u32),
    ) {
        let empty = self.empty(men);
        if self.flies {
            for to in moved {
                let rest = slots ^ self.slot(to);
                empty.into_iter().for_each(|from| visit(rest | self.slot(from)));
            }
        } else {
            bits(slides(moved, empty)).for_each(|slide| visit(slots ^ self.ends[slide]));
        }
    }

    /// How many moves lead from one of the men on the points `from` to a point of `to`.
    #[inline]
    pub fn count_moves(&self, from: SquareSet, to: SquareSet) -> u32 {
        if self.flies { from.len() * to.len() } else { slides(from, to).count_ones() }
    }
}

/// How many directed edges there are.
pub const SLIDES: usize = 64;

/// All slides at once: the edges from a point of `from` to a point of `to`, one bit each.
///
/// The edges along the rings take 24 bits for each direction. Those across the rings have only
/// middles as ends, so both directions share 16 bits, one on the even and one on the odd places.
#[inline]
const fn slides(from: SquareSet, to: SquareSet) -> u64 {
    let clockwise = from.bits() & to.anticlockwise().bits();
    let anticlockwise = from.bits() & to.clockwise().bits();
    let middles = from.bits() & SquareSet::MIDDLES.bits();
    let outward = middles & to.inward().bits();
    let inward = (middles & to.outward().bits()) >> 8;
    clockwise as u64 | (anticlockwise as u64) << 24 | ((outward | inward << 1) as u64) << 48
}

/// The ends of each edge.
static ENDS: [SquareSet; SLIDES] = {
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

/// The numbers of the bits that are set in a word, from the lowest.
#[inline]
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

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
