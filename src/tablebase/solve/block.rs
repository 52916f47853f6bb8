//! One block: all positions in which the opponent's men stand on the same points.

use super::bits::Bits;
use super::slides::{ENDS, SLIDES, slides};
use crate::board::{Square, SquareSet};

/// The points of a block, and the way between points and their places among the free ones.
pub struct Block {
    /// The men that stand still.
    pub standing: SquareSet,
    /// The place of each free point.
    places: [u8; Square::COUNT],
    /// The points of every set of seven places.
    points: [[u32; 1 << GROUP]; 3],
    /// The places of both ends of each slide.
    ends: [u32; SLIDES],
    /// Whether the men that move may go anywhere.
    flies: bool,
}

/// The places that a table looks up at once.
const GROUP: usize = 7;

impl Block {
    /// `moving` men move while those of `standing` do not.
    pub fn new(standing: SquareSet, moving: usize) -> Self {
        let mut places = [0; Square::COUNT];
        let mut points = [[0; 1 << GROUP]; 3];
        let mut bits = [0; 3 * GROUP];
        for (place, square) in (!standing).into_iter().enumerate() {
            places[square.index()] = place as u8;
            bits[place] = SquareSet::of(square).bits();
        }
        for (points, bits) in points.iter_mut().zip(bits.chunks(GROUP)) {
            for set in 1..1_usize << GROUP {
                points[set] = points[set & (set - 1)] | bits[set.trailing_zeros() as usize];
            }
        }
        let place = |square: Square| 1 << places[square.index()];
        let ends = ENDS.map(|ends| ends.into_iter().fold(0, |set, end| set | place(end)));
        Self { standing, places, points, ends, flies: moving == 3 }
    }

    /// How many places there are.
    pub fn free_places(&self) -> usize {
        Square::COUNT - self.standing.len() as usize
    }

    /// The men on a set of places.
    #[inline]
    pub fn men(&self, places: u32) -> SquareSet {
        let group = |number: usize| (places as usize >> (number * GROUP)) % (1 << GROUP);
        let [low, middle, high] = &self.points;
        SquareSet::from_bits(low[group(0)] | middle[group(1)] | high[group(2)])
    }

    /// The place of a free point, as a set.
    #[inline]
    pub fn place(&self, square: Square) -> u32 {
        1 << self.places[square.index()]
    }

    /// The points without men of either side.
    #[inline]
    pub fn empty(&self, men: SquareSet) -> SquareSet {
        !(men | self.standing)
    }

    /// Calls `visit` with all sets of places from which a move of one of the men on the points
    /// `moved` leads to `men`, which are on `places`.
    #[inline]
    pub fn take_back(
        &self,
        places: u32,
        men: SquareSet,
        moved: SquareSet,
        mut visit: impl FnMut(u32),
    ) {
        let empty = self.empty(men);
        if self.flies {
            for to in moved {
                let rest = places ^ self.place(to);
                empty.into_iter().for_each(|from| visit(rest | self.place(from)));
            }
        } else {
            Bits(slides(moved, empty)).for_each(|slide| visit(places ^ self.ends[slide]));
        }
    }

    /// How many moves lead from one of the men on the points `from` to a point of `to`.
    #[inline]
    pub fn count_moves(&self, from: SquareSet, to: SquareSet) -> u32 {
        if self.flies { from.len() * to.len() } else { slides(from, to).count_ones() }
    }
}
