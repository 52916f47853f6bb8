//! A block: all positions in which the opponent's men stand on the same points.
//!
//! The free points of a block are numbered as slots. The men of the side to move are a set of slots, whose rank is the
//! index of the position within the block. Sets of slots are mapped to points, or to the slots of another block, eight
//! slots at a time.

use std::array;
use std::sync::LazyLock;

use crate::board::{Diagonals, Square, SquareSet, lines};
use crate::tablebase::sets::sets;

/// The points of a block, their slots, and the moves between them, on the board without diagonals or
/// (`CROSSED`) with them.
pub struct Block<const CROSSED: bool> {
    /// The opponent's men.
    pub standing: SquareSet,
    /// The slot of each free point.
    slots: [u8; Square::COUNT],
    /// Maps sets of slots to points.
    points: SlotMap,
    /// The slots of both ends of each slide.
    ends: [u32; MOST_SLIDES],
    flies: bool,
}

/// Converts the constant `CROSSED` to the board that it selects.
pub const fn board(crossed: bool) -> Diagonals {
    if crossed { Diagonals::With } else { Diagonals::Without }
}

impl<const CROSSED: bool> Block<CROSSED> {
    /// The block with the opponent's men on `standing`, where the side to move flies or slides.
    pub fn new(standing: SquareSet, flies: bool) -> Self {
        let mut slots = [0; Square::COUNT];
        for (square, free) in (!standing).into_iter().zip(0..) {
            slots[square.index()] = free;
        }
        let slot = |square: Square| 1 << slots[square.index()];
        let ends = Self::ENDS.map(|ends| ends.into_iter().fold(0, |set, end| set | slot(end)));
        Self { standing, slots, points: SlotMap::to_points(!standing), ends, flies }
    }

    /// The number of slots.
    pub fn free_slots(&self) -> usize {
        Square::COUNT - self.standing.len() as usize
    }

    /// The men on a set of slots.
    pub fn men(&self, slots: u32) -> SquareSet {
        SquareSet::from_bits(self.points.map(slots))
    }

    /// The set with the slot of one free point.
    pub fn slot(&self, square: Square) -> u32 {
        1 << self.slots[square.index()]
    }

    /// The points without men of either side.
    pub fn empty(&self, men: SquareSet) -> SquareSet {
        !(men | self.standing)
    }

    /// The men on complete lines.
    pub fn in_mills(men: SquareSet) -> SquareSet {
        lines::in_mills(men, const { board(CROSSED) })
    }

    /// Takes back every move to `men` by one of the men on `moved`, and calls `visit` with the slots before the move.
    /// `slots` are the slots of `men`.
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
        } else if CROSSED {
            let [along, across] = crossed_slides(moved, empty);
            bits(along).for_each(|slide| visit(slots ^ self.ends[slide]));
            bits(across).for_each(|slide| visit(slots ^ self.ends[ALONG + slide]));
        } else {
            bits(slides(moved, empty)).for_each(|slide| visit(slots ^ self.ends[slide]));
        }
    }

    /// The number of moves from a point of `from` to a point of `to`.
    pub fn count_moves(&self, from: SquareSet, to: SquareSet) -> u32 {
        if self.flies {
            from.len() * to.len()
        } else if CROSSED {
            lines::count_edges(from, to, Diagonals::With)
        } else {
            slides(from, to).count_ones()
        }
    }

    /// The two ends of each edge.
    const ENDS: [SquareSet; MOST_SLIDES] = ends(CROSSED);
}

/// The number of directed edges with diagonals.
const MOST_SLIDES: usize = 80;

/// The number of directed edges along the rings.
const ALONG: usize = 48;

/// The set of edges from a point of `from` to a point of `to`, one bit each.
///
/// The edges along the rings take 24 bits for each direction. Edges across the rings connect only middles, so both
/// directions share 16 bits: one takes the even bits, the other the odd ones.
const fn slides(from: SquareSet, to: SquareSet) -> u64 {
    let middles = from.bits() & SquareSet::MIDDLES.bits();
    let outward = middles & to.inward().bits();
    let inward = (middles & to.outward().bits()) >> 8;
    slides_along(from, to) | ((outward | inward << 1) as u64) << ALONG
}

/// Like [`slides`], on the board with diagonals: the edges along the rings, and the edges across them.
const fn crossed_slides(from: SquareSet, to: SquareSet) -> [u64; 2] {
    let outward = from.bits() & to.inward().bits();
    let inward = (from.bits() & to.outward().bits()) >> 8;
    [slides_along(from, to), outward as u64 | (inward as u64) << 16]
}

const fn slides_along(from: SquareSet, to: SquareSet) -> u64 {
    let clockwise = from.bits() & to.anticlockwise().bits();
    let anticlockwise = from.bits() & to.clockwise().bits();
    clockwise as u64 | (anticlockwise as u64) << 24
}

/// The two ends of each edge, by its number.
const fn ends(crossed: bool) -> [SquareSet; MOST_SLIDES] {
    let mut ends = [SquareSet::EMPTY; MOST_SLIDES];
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            let (one, other) = (SquareSet::of(Square::ALL[from]), SquareSet::of(Square::ALL[to]));
            if lines::neighbours(Square::ALL[from], board(crossed)).contains(Square::ALL[to]) {
                ends[number(one, other, crossed)] = SquareSet::from_bits(one.bits() | other.bits());
            }
            to += 1;
        }
        from += 1;
    }
    ends
}

/// The number of the only edge from one point to another.
const fn number(from: SquareSet, to: SquareSet, crossed: bool) -> usize {
    if !crossed {
        return slides(from, to).trailing_zeros() as usize;
    }
    match crossed_slides(from, to) {
        [0, across] => ALONG + across.trailing_zeros() as usize,
        [along, _] => along.trailing_zeros() as usize,
    }
}

/// The indices of the set bits of a word, lowest first.
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

/// All sets of `size` slots among the first `count`, in the order of their ranks: each set of higher slots, with the
/// sets of the lowest eight slots that complete it.
pub fn slot_sets(count: usize, size: usize) -> Vec<(u32, &'static [u8])> {
    let higher = (0..1_u32 << (count - 8)).map(|higher| higher << 8);
    let part = |higher: u32| {
        let rest = size.checked_sub(higher.count_ones() as usize)?;
        Some((higher, LOWEST.get(rest)?.as_slice()))
    };
    higher.filter_map(part).collect()
}

/// The sets of each size among eight slots.
static LOWEST: LazyLock<[Vec<u8>; 9]> =
    LazyLock::new(|| array::from_fn(|size| sets(8, size).map(|set| set as u8).collect()));

/// Maps sets of slots to other sets, eight slots at a time.
pub struct SlotMap([[u32; 1 << 8]; 3]);

impl SlotMap {
    /// A map from the images of single slots, in the order of slots.
    pub fn new(images: impl Iterator<Item = u32>) -> Self {
        let mut maps = [[0; 1 << 8]; 3];
        for (slot, image) in images.enumerate() {
            let map = &mut maps[slot / 8];
            let bit = 1 << (slot % 8);
            for lower in 0..bit {
                map[bit | lower] = map[lower] | image;
            }
        }
        Self(maps)
    }

    /// A map from sets of slots to sets of points, given the free points.
    pub fn to_points(free: SquareSet) -> Self {
        Self::new(free.into_iter().map(|point| SquareSet::of(point).bits()))
    }

    pub fn map_lowest(&self, slots: u8) -> u32 {
        self.0[0][usize::from(slots)]
    }

    pub fn map(&self, slots: u32) -> u32 {
        let [low, middle, high, _] = slots.to_le_bytes();
        let [first, second, third] = &self.0;
        first[usize::from(low)] | second[usize::from(middle)] | third[usize::from(high)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(all: &[SquareSet], crossed: bool) {
        assert!(all.iter().all(|ends| ends.len() == 2));
        for (slide, ends) in all.iter().enumerate() {
            let mut ways = ends.into_iter().map(|from| {
                let from = SquareSet::of(from);
                number(from, *ends - from, crossed)
            });
            assert!(ways.any(|number| number == slide));
        }
    }

    #[test]
    fn every_slide_has_a_number_of_its_own() {
        let (ends, none) = Block::<false>::ENDS.split_at(64);
        check(ends, false);
        assert!(none.iter().all(|ends| ends.is_empty()));
        check(&Block::<true>::ENDS, true);
        assert_eq!(slides(SquareSet::ALL, SquareSet::ALL), u64::MAX);
        let all = crossed_slides(SquareSet::ALL, SquareSet::ALL).map(u64::count_ones);
        assert_eq!(all.map(|count| count as usize), [ALONG, MOST_SLIDES - ALONG]);
    }
}
