//! Sectors: all positions with the same numbers of men, numbered.
//!
//! A position is a pair of sets: the men of the side to move and those of the opponent. The
//! opponent's set is carried to the leader of its class by a symmetry of the board, which carries
//! the other set along; that is ranked among the sets of its size in the points that are left.
//!
//! ```text
//! number = class of the opponent's men * sets of own men in the free points + rank of own men
//! ```
//!
//! Where a leader has symmetries of its own, several numbers stand for one position; the least of
//! them is the one that counts when positions are counted. The opponent's men come first because
//! a move leaves them where they are: the positions between which a side moves lie close together.

use std::fmt;

use super::classes::{Class, Classes};
use super::ranks::{MOST_OF_A_SIDE, choose, compress, expand, rank, unrank};
use crate::board::{Square, SquareSet};

/// All positions with so many men of the side to move and of the opponent, 3 to 9 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sector {
    own: u8,
    opponent: u8,
}

/// The place of a position in its sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The class of the opponent's men.
    pub block: usize,
    /// The rank of the own men among the sets in the free points.
    pub rank: usize,
}

const FEWEST_OF_A_SIDE: usize = 3;

impl Sector {
    /// The sector with so many men, if there is one.
    #[must_use]
    pub fn new(own: usize, opponent: usize) -> Option<Self> {
        let range = FEWEST_OF_A_SIDE..=MOST_OF_A_SIDE;
        let exists = range.contains(&own) && range.contains(&opponent);
        exists.then_some(Self { own: own as u8, opponent: opponent as u8 })
    }

    /// How many sectors there are.
    pub const COUNT: usize = (MOST_OF_A_SIDE - FEWEST_OF_A_SIDE + 1).pow(2);

    /// The fewest men of both sides together.
    pub const FEWEST_MEN: usize = 2 * FEWEST_OF_A_SIDE;

    /// The most men of both sides together.
    pub const MOST_MEN: usize = 2 * MOST_OF_A_SIDE;

    /// All sectors, each after those that its positions can come to by a removal.
    pub fn all() -> impl Iterator<Item = Self> {
        let sums = Self::FEWEST_MEN..=Self::MOST_MEN;
        sums.flat_map(|sum| (0..=sum).filter_map(move |own| Self::new(own, sum - own)))
    }

    /// The men of the side to move.
    #[must_use]
    pub const fn own(self) -> usize {
        self.own as usize
    }

    /// The men of the opponent.
    #[must_use]
    pub const fn opponent(self) -> usize {
        self.opponent as usize
    }

    /// The men of both sides.
    #[must_use]
    pub const fn men(self) -> usize {
        self.own() + self.opponent()
    }

    /// A number below [`COUNT`](Self::COUNT), different for every sector.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        let least = FEWEST_OF_A_SIDE;
        (self.own() - least) * (MOST_OF_A_SIDE - least + 1) + self.opponent() - least
    }

    /// The sector that a quiet move comes to.
    #[must_use]
    pub const fn reply(self) -> Self {
        Self { own: self.opponent, opponent: self.own }
    }

    /// The sector and the one that it replies to, if that is another: they are solved together.
    #[must_use]
    pub fn pair(self) -> Vec<Self> {
        let mut pair = vec![self, self.reply()];
        pair.dedup();
        pair
    }

    /// The sector that a removal comes to; none when it wins.
    #[must_use]
    pub fn after_removal(self) -> Option<Self> {
        Self::new(self.opponent() - 1, self.own())
    }

    /// How many blocks it has.
    #[must_use]
    pub fn blocks(self) -> usize {
        Classes::of(self.opponent()).len()
    }

    /// How many numbers a block has.
    #[must_use]
    pub const fn block_len(self) -> usize {
        choose(Square::COUNT - self.opponent(), self.own()) as usize
    }

    /// How many numbers there are in all.
    #[must_use]
    pub fn len(self) -> usize {
        self.blocks() * self.block_len()
    }

    /// Whether there is no position, which never happens.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The number of a place.
    #[inline]
    #[must_use]
    pub const fn number(self, place: Place) -> usize {
        place.block * self.block_len() + place.rank
    }

    /// The place with a number.
    #[must_use]
    pub const fn numbered(self, number: usize) -> Place {
        Place { block: number / self.block_len(), rank: number % self.block_len() }
    }

    /// Where a position with the right numbers of men lies.
    #[inline]
    #[must_use]
    pub fn place(self, own: SquareSet, opponent: SquareSet) -> Place {
        let classes = Classes::of(self.opponent());
        let Class { number, to_leader, .. } = classes.find(opponent);
        let own = compress(to_leader.set(own), !to_leader.set(opponent));
        Place { block: number, rank: rank(own) as usize }
    }

    /// The position at a place: the men of the side to move and of the opponent.
    #[must_use]
    pub fn position(self, place: Place) -> (SquareSet, SquareSet) {
        let opponent = Classes::of(self.opponent()).leader(place.block);
        let own = unrank(place.rank as u32, self.own());
        (expand(own, !opponent), opponent)
    }
}

impl fmt::Display for Sector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.own, self.opponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use rayon::prelude::*;

    /// Goes from places to positions and back.
    fn check(sector: Sector, step: usize) {
        (0..sector.blocks()).into_par_iter().for_each(|block| {
            for rank in (block % step..sector.block_len()).step_by(step) {
                let place = Place { block, rank };
                let (own, opponent) = sector.position(place);
                assert_eq!(
                    (own.len() as usize, opponent.len() as usize),
                    (sector.own(), sector.opponent())
                );
                assert!((own & opponent).is_empty());
                assert_eq!(sector.place(own, opponent), place, "{sector}");
            }
        });
    }

    #[test]
    fn places_and_positions_go_both_ways() {
        let (small, large): (Vec<_>, Vec<_>) =
            Sector::all().partition(|sector| sector.own() + sector.opponent() <= 8);
        assert_eq!((small.len(), large.len()), (6, 43));
        for (sectors, step) in [(small, 1), (large, 1009)] {
            for sector in sectors {
                check(sector, step);
            }
        }
    }

    /// The least image of a position.
    fn canonical((own, opponent): (SquareSet, SquareSet)) -> (u32, u32) {
        let images = Symmetry::all().map(|map| (map.set(own).bits(), map.set(opponent).bits()));
        images.min().unwrap()
    }

    #[test]
    fn images_have_a_place_of_the_same_position() {
        for sector in Sector::all() {
            let last = sector.len() - 1;
            for number in (0..=last).step_by(last / 200) {
                let (own, opponent) = sector.position(sector.numbered(number));
                let images = Symmetry::all().map(|map| (map.set(own), map.set(opponent)));
                let places = images.map(|(own, opponent)| sector.place(own, opponent));
                for place in places {
                    let found = canonical(sector.position(place));
                    assert_eq!(found, canonical((own, opponent)), "{sector} {number}");
                }
            }
        }
    }

    /// The positions of the small sectors up to symmetry, as another program counted them.
    #[test]
    fn positions_are_counted_once() {
        for (own, opponent, positions) in [
            (3, 3, 169_626),
            (3, 4, 760_398),
            (4, 3, 760_398),
            (4, 4, 3_225_597),
            (5, 3, 2_580_390),
        ] {
            let sector = Sector::new(own, opponent).unwrap();
            let counted = |block: usize| {
                let ranks = 0..sector.block_len();
                let classes = Classes::of(sector.opponent());
                let own = |rank| sector.position(Place { block, rank }).0;
                ranks.filter(|&rank| classes.is_least(block, own(rank))).count()
            };
            let count: usize = (0..sector.blocks()).into_par_iter().map(counted).sum();
            assert_eq!(count, positions, "{sector}");
        }
    }
}
