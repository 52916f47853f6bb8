//! Sectors: all positions with the same numbers of men, and the index of each.
//!
//! A position is a pair of sets: the men of the side to move and those of the opponent. A symmetry
//! maps the opponent's men to the representative of their orbit, and the own men with them; these
//! are ranked among the sets of their size on the points that are left.
//!
//! ```text
//! index = orbit of the opponent's men * sets of own men on the free points + rank of own men
//! ```
//!
//! Where a representative has symmetries of its own, a position has several indices; only the lowest
//! is counted. All indices with the same orbit are a block. A move leaves the opponent's men where
//! they are, so the positions between which one side moves are one block, close together in memory.

use std::fmt;

use super::orbits::{Orbit, Orbits};
use super::ranks::{MOST_OF_A_SIDE, choose, compress, expand, rank, unrank};
use crate::board::{Square, SquareSet};

/// All positions with given numbers of men of the side to move and of the opponent, 3 to 9 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sector {
    own: u8,
    opponent: u8,
}

const FEWEST_OF_A_SIDE: usize = 3;

impl Sector {
    /// The sector with these numbers of men, if there is one.
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

    /// All sectors, each after those that a removal leads to.
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
    pub const fn ordinal(self) -> usize {
        let least = FEWEST_OF_A_SIDE;
        (self.own() - least) * (MOST_OF_A_SIDE - least + 1) + self.opponent() - least
    }

    /// The sector that a quiet move leads to.
    #[must_use]
    pub const fn reply(self) -> Self {
        Self { own: self.opponent, opponent: self.own }
    }

    /// The sector and, if it is another, that of the replies: they are solved together.
    #[must_use]
    pub fn pair(self) -> Vec<Self> {
        let mut pair = vec![self, self.reply()];
        pair.dedup();
        pair
    }

    /// The sector that a removal leads to; none when the removal wins.
    #[must_use]
    pub fn after_removal(self) -> Option<Self> {
        Self::new(self.opponent() - 1, self.own())
    }

    /// How many blocks it has.
    #[must_use]
    pub fn blocks(self) -> usize {
        Orbits::of(self.opponent()).len()
    }

    /// How many indices a block has.
    #[must_use]
    pub const fn block_len(self) -> usize {
        choose(Square::COUNT - self.opponent(), self.own()) as usize
    }

    /// The number of indices.
    #[must_use]
    pub fn len(self) -> usize {
        self.blocks() * self.block_len()
    }

    /// Always false; `len` needs it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The index of the position in a block whose own men have a rank.
    #[inline]
    #[must_use]
    pub const fn index(self, block: usize, rank: usize) -> usize {
        block * self.block_len() + rank
    }

    /// The index of a position with the right numbers of men.
    #[inline]
    #[must_use]
    pub fn index_of(self, own: SquareSet, opponent: SquareSet) -> usize {
        let Orbit { number, to_representative, .. } = Orbits::of(self.opponent()).find(opponent);
        let own = compress(to_representative.set(own), !to_representative.set(opponent));
        self.index(number, rank(own) as usize)
    }

    /// The position with an index: the men of the side to move and of the opponent.
    #[must_use]
    pub fn position(self, index: usize) -> (SquareSet, SquareSet) {
        let (block, rank) = (index / self.block_len(), index % self.block_len());
        let opponent = Orbits::of(self.opponent()).representative(block);
        (expand(unrank(rank as u32, self.own()), !opponent), opponent)
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

    /// Goes from indices to positions and back.
    fn check(sector: Sector, step: usize) {
        (0..sector.len()).into_par_iter().step_by(step).for_each(|index| {
            let (own, opponent) = sector.position(index);
            assert_eq!(
                (own.len() as usize, opponent.len() as usize),
                (sector.own(), sector.opponent())
            );
            assert!((own & opponent).is_empty());
            assert_eq!(sector.index_of(own, opponent), index, "{sector}");
        });
    }

    #[test]
    fn indices_and_positions_go_both_ways() {
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
    fn images_have_an_index_of_the_same_position() {
        for sector in Sector::all() {
            let last = sector.len() - 1;
            for index in (0..=last).step_by(last / 200) {
                let (own, opponent) = sector.position(index);
                let images = Symmetry::all().map(|map| (map.set(own), map.set(opponent)));
                for image in images.map(|(own, opponent)| sector.index_of(own, opponent)) {
                    let found = canonical(sector.position(image));
                    assert_eq!(found, canonical((own, opponent)), "{sector} {index}");
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
                let orbits = Orbits::of(sector.opponent());
                let own = |rank| sector.position(sector.index(block, rank)).0;
                ranks.filter(|&rank| orbits.is_least(block, own(rank))).count()
            };
            let count: usize = (0..sector.blocks()).into_par_iter().map(counted).sum();
            assert_eq!(count, positions, "{sector}");
        }
    }
}
