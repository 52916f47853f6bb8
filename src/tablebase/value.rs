//! The value of a position under perfect play: win, draw or loss, and the distance to the end; and a sector with the
//! value of every position, once it is solved, and its statistics.

use std::array;
use std::cmp::{Ordering, Reverse};
use std::fmt;

use bytemuck::{TransparentWrapper, TransparentWrapperAlloc};
use rayon::prelude::*;

use super::sector::Sector;
use super::sets::Orbits;
use crate::position::Ending;

/// Win, draw or loss under perfect play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Wdl {
    /// It loses.
    Loss,
    /// Neither side can force a win.
    Draw,
    /// It wins.
    Win,
}

impl Wdl {
    /// The value of a move, for the side that plays it, to a position with this value.
    #[inline]
    #[must_use]
    pub const fn before_move(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// A value that a tablebase gives.
pub trait Probe: Worth + From<Value> {
    /// Whether it has the distance to the end.
    const HAS_DISTANCE: bool;
}

impl Probe for Wdl {
    const HAS_DISTANCE: bool = false;
}

impl Probe for Value {
    const HAS_DISTANCE: bool = true;
}

/// What a position is worth to a side, the greater the better.
pub trait Worth: Copy + Ord + Send + Sync {
    /// The side has lost.
    const LOST: Self;
    /// The side wins in this turn.
    const WON: Self;
}

impl Worth for Wdl {
    const LOST: Self = Self::Loss;
    const WON: Self = Self::Win;
}

impl Worth for Value {
    const LOST: Self = Self::LOST;
    const WON: Self = Self::ends_in(1);
}

/// A [preference](Value::preference), 0 for none.
impl Worth for u8 {
    const LOST: Self = 0;
    const WON: Self = Self::MAX;
}

/// A rank in the [order among draws](super::DrawOrder).
impl Worth for i8 {
    const LOST: Self = -Self::MAX;
    const WON: Self = Self::MAX;
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loss => "loss",
            Self::Draw => "draw",
            Self::Win => "win",
        })
    }
}

/// The value of a position for the side to move, with the distance to the end of the game.
///
/// The distance counts the turns of both sides, as that of a mate [`Score`](crate::score::Score) does:
/// a removal belongs to the move that earns it. A side that cannot move has lost in 0, a removal that
/// leaves two men wins in 1. The winner takes the shortest way, the loser the longest, so wins are odd
/// and losses even; a draw has no distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, TransparentWrapper)]
#[repr(transparent)]
pub struct Value(u8);

impl Value {
    /// Neither side can force a win.
    pub const DRAW: Self = Self(u8::MAX);
    /// The side to move has lost.
    pub const LOST: Self = Self(0);
    /// The longest distance that can be represented.
    pub const MOST_TURNS: u8 = u8::MAX - 2;

    /// A win if `turns`, at most [`MOST_TURNS`](Self::MOST_TURNS), is odd, else a loss.
    #[inline]
    pub const fn ends_in(turns: u8) -> Self {
        Self(turns)
    }

    /// The value that stands for a win, draw or loss without a distance: every win has distance 1, every
    /// loss 0.
    #[inline]
    pub const fn without_distance(wdl: Wdl) -> Self {
        match wdl {
            Wdl::Win => Self::ends_in(1),
            Wdl::Draw => Self::DRAW,
            Wdl::Loss => Self::LOST,
        }
    }

    /// The values with these distances in turns, 255 for a draw.
    pub(super) fn all_from_turns(turns: Vec<u8>) -> Vec<Self> {
        Self::wrap_vec(turns)
    }

    /// The distance in turns, or `None` for a draw.
    #[inline]
    pub const fn turns(self) -> Option<u8> {
        if self.0 == Self::DRAW.0 { None } else { Some(self.0) }
    }

    /// The byte that stands for the value: the distance, or 255 for a draw.
    #[inline]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// Whether the side to move wins.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 != Self::DRAW.0 && self.0 % 2 == 1
    }

    /// Whether the side to move loses.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 != Self::DRAW.0 && self.0.is_multiple_of(2)
    }

    /// The value of a move, for the side that plays it, to a position with this value.
    ///
    /// A distance never gets too long: it stays the longest of its kind.
    #[inline]
    #[must_use]
    pub const fn before_move(self) -> Self {
        match self {
            Self::DRAW => Self::DRAW,
            Self(Self::MOST_TURNS) => Self(Self::MOST_TURNS - 1),
            Self(turns) => Self(turns + 1),
        }
    }

    /// A number above 0 that is higher for values that the side to move prefers.
    #[inline]
    pub(super) const fn preference(self) -> u8 {
        if self.is_win() {
            u8::MAX - self.0 / 2
        } else if self.is_loss() {
            self.0 / 2 + 1
        } else {
            DRAW_PREFERENCE
        }
    }

    /// The value with a [`preference`](Self::preference).
    #[inline]
    pub(super) const fn preferred(preference: u8) -> Self {
        if preference > DRAW_PREFERENCE {
            Self((u8::MAX - preference) * 2 + 1)
        } else if preference < DRAW_PREFERENCE {
            Self((preference - 1) * 2)
        } else {
            Self::DRAW
        }
    }
}

const DRAW_PREFERENCE: u8 = 128;

impl From<Value> for Wdl {
    #[inline]
    fn from(value: Value) -> Self {
        if value.is_win() {
            Self::Win
        } else if value.is_loss() {
            Self::Loss
        } else {
            Self::Draw
        }
    }
}

impl From<Ending> for Value {
    /// What the end of the game is worth.
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Loss(_) => Self::LOST,
            Ending::Draw(_) => Self::DRAW,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    /// The side to move prefers the greater value.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wdl = Wdl::from(*self);
        match self.turns() {
            Some(turns) => write!(f, "{wdl} in {turns}"),
            None => write!(f, "{wdl}"),
        }
    }
}

/// A sector with the value of every position.
#[derive(Clone, Debug)]
pub struct Solved<V = Value> {
    /// The sector.
    pub sector: Sector,
    values: Vec<V>,
}

impl<V: Copy + Sync> Solved<V> {
    /// A sector with the values of all positions in the order of their indices.
    ///
    /// # Panics
    ///
    /// When there are not as many values as positions.
    pub fn from_values(sector: Sector, values: Vec<V>) -> Self {
        assert_eq!(values.len(), sector.len());
        Self { sector, values }
    }

    /// The values of all positions in the order of their indices.
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// The same, for whoever changes them.
    pub fn into_values(self) -> Vec<V> {
        self.values
    }

    /// The values of a block, by rank.
    #[inline]
    pub fn block(&self, block: usize) -> &[V] {
        let len = self.sector.block_len();
        &self.values[block * len..][..len]
    }

    /// How many positions have each number that `number` gives, symmetric ones counted once.
    pub(super) fn count(&self, number: impl Fn(V) -> Option<u8> + Sync) -> Counts {
        let orbits = Orbits::of(self.sector.opponent());
        let count = |block: usize| {
            let mut counts = [0; 1 << u8::BITS];
            let is_rigid = orbits.stabilizer(block).count() == 1;
            let mut men = self.sector.men_of_block(block, 0);
            for &value in self.block(block) {
                let is_first =
                    is_rigid || men.next().is_some_and(|own| orbits.is_least(block, own));
                if let Some(number) = number(value) {
                    counts[usize::from(number)] += u64::from(is_first);
                }
            }
            counts
        };
        let sum = |one: Counts, other: Counts| array::from_fn(|number| one[number] + other[number]);
        (0..self.sector.blocks()).into_par_iter().map(count).reduce(|| [0; 1 << u8::BITS], sum)
    }
}

/// How many positions have each number of a byte.
type Counts = [u64; 1 << u8::BITS];

/// How many positions of a sector are won, drawn and lost, and how long the longest last. Symmetric
/// positions are counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The positions won, for the side to move.
    pub wins: u64,
    /// The positions drawn.
    pub draws: u64,
    /// The positions lost.
    pub losses: u64,
    /// The longest win.
    pub longest_win: Option<Longest>,
    /// The longest loss.
    pub longest_loss: Option<Longest>,
}

/// The longest distance in a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Longest {
    /// The distance in turns.
    pub turns: u8,
    /// The index of the first position that has it.
    pub index: u64,
}

impl Statistics {
    /// Counts a solved sector.
    pub fn of(solved: &Solved) -> Self {
        let by_value = solved.count(|value| Some(value.byte()));
        // Distances of wins are odd.
        let (decided, draws) = by_value.split_at(Value::DRAW.byte().into());
        let losses = decided.iter().step_by(2).sum();
        let wins = decided.iter().skip(1).step_by(2).sum();
        let longest = |is_kind: fn(Value) -> bool| {
            let mut values = (0..=Value::MOST_TURNS).rev().map(Value::ends_in);
            let has = |value: &Value| is_kind(*value) && by_value[usize::from(value.byte())] > 0;
            let value = values.find(has)?;
            let blocks = Value::peel_slice(&solved.values).par_chunks(solved.sector.block_len());
            let block = blocks.position_first(|block| block.contains(&value.byte()))?;
            let rank = solved.block(block).iter().position(|&other| other == value)?;
            let index = solved.sector.index(block, rank) as u64;
            Some(Longest { turns: value.turns()?, index })
        };
        let (longest_win, longest_loss) = (longest(Value::is_win), longest(Value::is_loss));
        Self { wins, draws: draws[0], losses, longest_win, longest_loss }
    }

    /// The positions of the sector.
    pub const fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The longest distance in turns, if distances are known and any position is decided.
    #[inline]
    pub fn longest(&self) -> Option<u8> {
        self.longest_win.max(self.longest_loss).map(|longest| longest.turns)
    }

    /// The sum of two statistics; of equal distances the one with the lower index is kept.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            longest_win: longer(self.longest_win, other.longest_win),
            longest_loss: longer(self.longest_loss, other.longest_loss),
        }
    }

    /// The statistics without distances.
    #[must_use]
    pub const fn without_distances(self) -> Self {
        Self { longest_win: None, longest_loss: None, ..self }
    }
}

/// The one with more turns, of equal ones the first.
fn longer(a: Option<Longest>, b: Option<Longest>) -> Option<Longest> {
    let both = a.into_iter().chain(b);
    both.max_by_key(|longest| (longest.turns, Reverse(longest.index)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soon_wins_are_best_and_soon_losses_worst() {
        let order = [0, 2, 100, 255, 101, 3, 1].map(Value);
        assert!(order.is_sorted_by(|a, b| a < b));
        for turns in 0..=Value::MOST_TURNS {
            let value = Value::ends_in(turns);
            assert_eq!(Value::preferred(value.preference()), value);
        }
        assert_eq!(Value::preferred(Value::DRAW.preference()), Value::DRAW);
        assert_eq!(Value::LOST.before_move(), Value::ends_in(1));
        assert_eq!(Value::DRAW.before_move(), Value::DRAW);
        assert!(Value::ends_in(Value::MOST_TURNS).before_move().is_loss());
        assert!(Value::ends_in(Value::MOST_TURNS - 1).before_move().is_win());
    }
}
