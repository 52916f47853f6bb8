//! What a position is worth under perfect play, and how soon.

use std::cmp::Ordering;
use std::fmt;

use super::wdl::Wdl;

use bytemuck::{TransparentWrapper, TransparentWrapperAlloc};

/// The value of a position for the side to move, with the plies to the end of the game.
///
/// A ply is a move with the removal that it earns, if any; a [`Score`](crate::score::Score) calls
/// it a turn. A side that cannot move has lost in 0,
/// a removal that leaves two men wins in 1. The winner takes the shortest way, the loser the
/// longest, so wins are odd and losses even; a draw has no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, TransparentWrapper)]
#[repr(transparent)]
pub struct Value(u8);

impl Value {
    /// Nobody can force the end of the game.
    pub const DRAW: Self = Self(u8::MAX);
    /// The side to move has lost.
    pub const LOST: Self = Self(0);
    /// The most plies to an end that can be told: one more, counted on, would pass for a draw.
    pub const MOST_PLIES: u8 = u8::MAX - 2;

    /// The end is `plies` away, at most [`MOST_PLIES`](Self::MOST_PLIES): a win if they are odd,
    /// else a loss.
    #[inline]
    #[must_use]
    pub const fn ends_in(plies: u8) -> Self {
        Self(plies)
    }

    /// The values with the plies to the end, or the greatest number if there is none.
    pub(super) fn all_from_plies(plies: Vec<u8>) -> Vec<Self> {
        Self::wrap_vec(plies)
    }

    /// The plies to the end, if there is one.
    #[inline]
    #[must_use]
    pub const fn plies(self) -> Option<u8> {
        if self.0 == Self::DRAW.0 { None } else { Some(self.0) }
    }

    /// The number that stands for the value: the plies, or 255 for a draw.
    #[inline]
    #[must_use]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The value that a number stands for.
    #[inline]
    #[must_use]
    pub const fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    /// Whether the side to move wins.
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 != Self::DRAW.0 && self.0 % 2 == 1
    }

    /// Whether the side to move loses.
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 != Self::DRAW.0 && self.0.is_multiple_of(2)
    }

    /// The value of a move, for the side that plays it, to a position with this value.
    ///
    /// An end that is too far away to be told counts as none.
    #[inline]
    #[must_use]
    pub const fn before_move(self) -> Self {
        if self.0 >= Self::MOST_PLIES { Self::DRAW } else { Self(self.0 + 1) }
    }

    /// A number, not 0, that is greater for values that the side to move prefers.
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

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    /// A value is greater that the side to move prefers.
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.preference().cmp(&other.preference())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wdl = Wdl::from(*self);
        match self.plies() {
            Some(plies) => write!(f, "{wdl} in {plies}"),
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
        for plies in 0..=Value::MOST_PLIES {
            let value = Value::ends_in(plies);
            assert_eq!(Value::preferred(value.preference()), value);
        }
        assert_eq!(Value::preferred(Value::DRAW.preference()), Value::DRAW);
        assert_eq!(Value::LOST.before_move(), Value::ends_in(1));
        assert_eq!(Value::DRAW.before_move(), Value::DRAW);
    }
}
