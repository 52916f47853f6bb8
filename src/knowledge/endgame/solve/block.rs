//! One block: all positions in which the opponent's men stand on the same points.

use crate::board::{Diagonals, Square, SquareSet, lines};
use crate::knowledge::endgame::ranks::choose;

/// The points of a block, and the way between points and their places among the free ones.
pub struct Block {
    /// The men that stand still.
    pub standing: SquareSet,
    /// The place of each free point.
    places: [u8; Square::COUNT],
    /// The points of every set of seven places.
    points: [[u32; 1 << GROUP]; 3],
}

/// The places that a table looks up at once.
const GROUP: usize = 7;

impl Block {
    pub fn new(standing: SquareSet) -> Self {
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
        Self { standing, places, points }
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

    /// Where a man on a point may go to, or come from.
    #[inline]
    pub fn ways(&self, from: Square, men: SquareSet, flies: bool) -> SquareSet {
        let empty = !(men | self.standing);
        if flies { empty } else { lines::neighbours(from, Diagonals::Without) & empty }
    }
}

/// The ranks of sets of places, by a table small enough to stay in the cache.
pub struct PlaceRanks {
    low: Vec<u32>,
    /// By the number of places in the lower half.
    high: Vec<Vec<u32>>,
}

const LOW_BITS: usize = 11;
const HIGH_BITS: usize = 10;

impl PlaceRanks {
    /// The ranks of sets of so many places.
    pub fn of(size: usize) -> Self {
        let rank = |set: u32, offset: usize, below: usize| {
            let places = (0..LOW_BITS).filter(|place| set >> place & 1 == 1);
            let terms = places.zip(below + 1..).take_while(|(_, k)| *k <= size);
            terms.map(|(place, k)| choose(place + offset, k)).sum()
        };
        let low = (0..1 << LOW_BITS).map(|set| rank(set, 0, 0)).collect();
        let high = (0..=size)
            .map(|below| (0..1 << HIGH_BITS).map(|set| rank(set, LOW_BITS, below)).collect());
        Self { low, high: high.collect() }
    }

    #[inline]
    pub fn rank(&self, places: u32) -> usize {
        let low = places as usize % (1 << LOW_BITS);
        let high = &self.high[low.count_ones() as usize];
        (self.low[low] + high[places as usize >> LOW_BITS]) as usize
    }
}
