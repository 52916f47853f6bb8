//! Sectors: all positions with the same numbers of men on the board and in hand, and the index of each.
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
use crate::board::{BySide, Side, Square, SquareSet};
use crate::position::Position;
use crate::rules::Standard;

/// All positions with given numbers of men of the side to move and of the opponent: on the board, and in
/// hand while men are placed. A side has 3 to 9 men in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sector {
    own: u8,
    opponent: u8,
    own_hand: u8,
    opponent_hand: u8,
}

const FEWEST_OF_A_SIDE: usize = 3;

/// How many numbers of men on the board a side has while men are placed.
const NUMBERS_OF_MEN: usize = MOST_OF_A_SIDE + 1;

impl Sector {
    /// The sector of the moving phase with these numbers of men, if there is one.
    #[must_use]
    pub fn new(own: usize, opponent: usize) -> Option<Self> {
        Self::with_hands([own, opponent], [0, 0])
    }

    /// The sector with these numbers of men of the side to move and of the opponent, on the board and in
    /// hand, if there is one.
    ///
    /// Both sides place in turn, so that the opponent has as many men in hand, or one less after having
    /// placed first.
    #[inline]
    #[must_use]
    pub fn with_hands([own, opponent]: [usize; 2], [own_hand, hand]: [usize; 2]) -> Option<Self> {
        let range = FEWEST_OF_A_SIDE..=MOST_OF_A_SIDE;
        let in_all = |men: usize, hand: usize| men.saturating_add(hand);
        let exists =
            range.contains(&in_all(own, own_hand)) && range.contains(&in_all(opponent, hand));
        let is_in_turn = own_hand.checked_sub(hand).is_some_and(|more| more <= 1);
        (exists && is_in_turn).then_some(Self {
            own: own as u8,
            opponent: opponent as u8,
            own_hand: own_hand as u8,
            opponent_hand: hand as u8,
        })
    }

    /// The sectors of the placing phase of a game with so many men a side, 3 to 9, each after those that
    /// a placement leads to.
    #[must_use]
    pub fn of_placing(men: usize) -> Vec<Self> {
        let mut sectors: Vec<Self> = Self::with_hands([0, 0], [men, men]).into_iter().collect();
        let mut next = 0;
        while let Some(sector) = sectors.get(next).copied() {
            let after = [sector.after_placement(), sector.after_placement_and_removal()];
            for after in after.into_iter().flatten().filter(|after| after.is_placing()) {
                if !sectors.contains(&after) {
                    sectors.push(after);
                }
            }
            next += 1;
        }
        sectors.reverse();
        sectors
    }

    /// All sectors of the placing phase of any game with at most nine men a side.
    pub fn all_of_placing() -> impl Iterator<Item = Self> {
        let of_hands = |hands: usize| {
            let hands = [hands.div_ceil(2), hands / 2];
            let numbers =
                (0..NUMBERS_OF_MEN).flat_map(|own| (0..NUMBERS_OF_MEN).map(move |men| [own, men]));
            numbers.filter_map(move |men| Self::with_hands(men, hands))
        };
        (1..=2 * MOST_OF_A_SIDE).flat_map(of_hands)
    }

    /// How many sectors of the moving phase there are.
    pub const COUNT: usize = (MOST_OF_A_SIDE - FEWEST_OF_A_SIDE + 1).pow(2);

    /// A number above every [`place`](Self::place).
    pub(super) const PLACES: usize = Self::COUNT + 2 * MOST_OF_A_SIDE * NUMBERS_OF_MEN.pow(2);

    /// A number, different for every sector.
    #[inline]
    pub(super) const fn place(self) -> usize {
        match self.men_in_hand() {
            0 => self.ordinal(),
            hands => {
                let men = self.own() * NUMBERS_OF_MEN + self.opponent();
                Self::COUNT + (hands - 1) * NUMBERS_OF_MEN.pow(2) + men
            }
        }
    }

    /// The fewest men of both sides together.
    pub const FEWEST_MEN: usize = 2 * FEWEST_OF_A_SIDE;

    /// The most men of both sides together.
    pub const MOST_MEN: usize = 2 * MOST_OF_A_SIDE;

    /// All sectors of the moving phase, each after those that a removal leads to.
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

    /// The men of both sides on the board.
    #[must_use]
    pub const fn men(self) -> usize {
        self.own() + self.opponent()
    }

    /// The men in hand of the side to move and of the opponent.
    #[must_use]
    pub const fn hands(self) -> [usize; 2] {
        [self.own_hand as usize, self.opponent_hand as usize]
    }

    /// The men of both sides in hand.
    #[inline]
    #[must_use]
    pub const fn men_in_hand(self) -> usize {
        self.own_hand as usize + self.opponent_hand as usize
    }

    /// The men of both sides on the board and in hand.
    #[must_use]
    pub const fn men_in_all(self) -> usize {
        self.men() + self.men_in_hand()
    }

    /// Whether men are in hand.
    #[must_use]
    pub const fn is_placing(self) -> bool {
        self.own_hand > 0
    }

    /// A number below [`COUNT`](Self::COUNT), different for every sector of the moving phase.
    #[inline]
    #[must_use]
    pub const fn ordinal(self) -> usize {
        let least = FEWEST_OF_A_SIDE;
        (self.own() - least) * (MOST_OF_A_SIDE - least + 1) + self.opponent() - least
    }

    /// The sector of the moving phase that a quiet slide leads to.
    #[must_use]
    pub const fn reply(self) -> Self {
        Self { own: self.opponent, opponent: self.own, own_hand: 0, opponent_hand: 0 }
    }

    /// The sectors that are solved together: one of the moving phase and, if it is another, that of the
    /// replies; one of the placing phase alone.
    #[must_use]
    pub fn pair(self) -> Vec<Self> {
        let mut pair = vec![self];
        pair.extend((!self.is_placing() && self.reply() != self).then(|| self.reply()));
        pair
    }

    /// The sector of the moving phase that a slide with a removal leads to; none when the removal wins.
    #[must_use]
    pub fn after_removal(self) -> Option<Self> {
        let left = self.opponent().checked_sub(1)?;
        if self.is_placing() { None } else { Self::new(left, self.own()) }
    }

    /// The sector that a quiet placement leads to.
    #[must_use]
    pub fn after_placement(self) -> Option<Self> {
        let [own_hand, hand] = self.hands();
        Self::with_hands([self.opponent(), self.own() + 1], [hand, own_hand.checked_sub(1)?])
    }

    /// The sector that a placement with a removal leads to; none when the removal wins, or when there is
    /// no man to remove. Whether men can stand so that a placement closes a mill is not asked.
    #[must_use]
    pub fn after_placement_and_removal(self) -> Option<Self> {
        let after = self.after_placement()?;
        let own = after.own().checked_sub(1)?;
        Self::with_hands([own, after.opponent()], after.hands())
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

    /// The side to move: in the placing phase the first mover if hands are equal, else the other one. In
    /// the moving phase it may be either; White stands for both.
    #[must_use]
    pub const fn to_move(self) -> Side {
        if self.own_hand == self.opponent_hand { Side::White } else { Side::Black }
    }

    /// The position with these men of the side to move and of the opponent, in Nine Men's Morris.
    ///
    /// # Panics
    ///
    /// When a point has men of both sides.
    #[must_use]
    pub fn set_up(self, own: SquareSet, opponent: SquareSet) -> Position {
        let to_move = self.to_move();
        let mut men = BySide::both(opponent);
        men[to_move] = own;
        let mut in_hand = BySide::both(self.opponent_hand);
        in_hand[to_move] = self.own_hand;
        Position::with_men(Standard, men, in_hand, to_move)
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
    /// Writes the men, such as `5-3`, and those in hand, such as `5+2-3+1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_placing() {
            let [own_hand, hand] = self.hands();
            write!(f, "{}+{own_hand}-{}+{hand}", self.own, self.opponent)
        } else {
            write!(f, "{}-{}", self.own, self.opponent)
        }
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
