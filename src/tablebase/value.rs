//! The value of a position under perfect play: win, draw or loss, and the distance to the end.

use std::cmp::Ordering;
use std::fmt;

use bytemuck::{TransparentWrapper, TransparentWrapperAlloc};

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
