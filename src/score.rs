//! The value of a position for the side to move.

use std::ops::Neg;

/// A value from the view of the side to move: an estimate, 100 a man, or a win or loss foreseen.
///
/// Distances are counted in turns of both sides, a removal belonging to the turn that earned it,
/// from the root of the search: less is better for the winner. The loser counts the turn that it
/// cannot play, so a side without a move has lost in 0, and the removal that leaves two men wins
/// in 1.
///
/// ```
/// use millstone::score::{Score, ScoreKind};
///
/// assert!(Score::win_in(1) > Score::win_in(3));
/// assert_eq!((-Score::win_in(3)).kind(), ScoreKind::LossIn(3));
/// assert_eq!(Score::estimate(250).kind(), ScoreKind::Estimate(250));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

/// What a [`Score`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// A judgement in hundredths of a man.
    Estimate(i16),
    /// The side to move wins in so many turns of both sides.
    WinIn(u16),
    /// The side to move loses in so many turns of both sides.
    LossIn(u16),
}

const WIN: i16 = 32_000;
const LEAST_WIN: i16 = 31_000;

impl Score {
    /// What a man is worth in a judgement.
    pub const MAN: i16 = 100;
    /// Neither side is better, or the game is drawn.
    pub const DRAW: Self = Self(0);
    /// The side to move wins, nobody knows how soon: below every win with a number of turns.
    pub const KNOWN_WIN: Self = Self(20_000);
    /// The side to move would win, but the n-move rule may come first: below every known win and
    /// above every judgement of ours.
    pub const UNCERTAIN_WIN: Self = Self(10_000);
    /// Above every other value.
    pub const INFINITE: Self = Self(i16::MAX);
    /// The most turns of a foreseen win or loss.
    pub const MAX_TURNS: u16 = (WIN - LEAST_WIN) as u16;

    /// A judgement in hundredths of a man, kept apart from wins and losses.
    #[inline]
    #[must_use]
    pub const fn estimate(hundredths: i32) -> Self {
        const LIMIT: i32 = Score::UNCERTAIN_WIN.0 as i32 - 1;
        Self(if hundredths > LIMIT {
            LIMIT as i16
        } else if hundredths < -LIMIT {
            -LIMIT as i16
        } else {
            hundredths as i16
        })
    }

    /// The side to move wins in so many turns, at most [`MAX_TURNS`](Self::MAX_TURNS).
    #[inline]
    #[must_use]
    pub const fn win_in(turns: u16) -> Self {
        debug_assert!(turns <= Self::MAX_TURNS);
        Self(WIN - turns as i16)
    }

    /// The side to move loses in so many turns, at most [`MAX_TURNS`](Self::MAX_TURNS).
    #[inline]
    #[must_use]
    pub const fn loss_in(turns: u16) -> Self {
        debug_assert!(turns <= Self::MAX_TURNS);
        Self(turns as i16 - WIN)
    }

    /// How many of the turns of both sides to the end of the game are the winner's.
    #[must_use]
    pub const fn turns_of_winner(turns: u16) -> u16 {
        turns.div_ceil(2)
    }

    /// What the value tells.
    #[must_use]
    pub const fn kind(self) -> ScoreKind {
        if self.0 >= LEAST_WIN {
            ScoreKind::WinIn((WIN - self.0) as u16)
        } else if self.0 <= -LEAST_WIN {
            ScoreKind::LossIn((WIN + self.0) as u16)
        } else {
            ScoreKind::Estimate(self.0)
        }
    }

    /// Whether a win or a loss is foreseen.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        !matches!(self.kind(), ScoreKind::Estimate(_))
    }

    /// Whether it is a judgement of ours: neither a win or loss foreseen nor one known.
    #[inline]
    #[must_use]
    pub const fn is_judgement(self) -> bool {
        self.0.unsigned_abs() < Self::UNCERTAIN_WIN.0.unsigned_abs()
    }

    /// The next value above.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The next value below.
    #[inline]
    #[must_use]
    pub const fn previous(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The value less a margin.
    #[inline]
    #[must_use]
    pub const fn less(self, margin: i16) -> Self {
        Self(self.0.saturating_sub(margin))
    }

    /// The value as it is kept in the table: distances count from the node instead of the root.
    ///
    /// A node 4 turns below the root sees a win 9 turns below the root: `win_in(9)` is stored as
    /// `win_in(5)`. When the same position is met again 2 turns below the root,
    /// [`from_node`](Self::from_node) makes of it `win_in(7)`.
    #[inline]
    #[must_use]
    pub const fn to_node(self, turns: u16) -> Self {
        self.shifted(turns as i16)
    }

    /// The value of the table as the root sees it through a node so many turns below.
    #[inline]
    #[must_use]
    pub const fn from_node(self, turns: u16) -> Self {
        self.shifted(-(turns as i16))
    }

    const fn shifted(self, by: i16) -> Self {
        if self.0 >= LEAST_WIN {
            Self(self.0.saturating_add(by))
        } else if self.0 <= -LEAST_WIN {
            Self(self.0.saturating_sub(by))
        } else {
            self
        }
    }

    /// The 16 bits of the value.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0.cast_unsigned()
    }

    /// The value with these bits.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits.cast_signed())
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// How a score that a search found relates to the value of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The value is at least the score.
    Lower = 1,
    /// The value is at most the score.
    Upper = 2,
    /// The value is the score.
    Exact = 3,
}

/// The bounds between which a search is asked for an exact value; `alpha` is below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Values not above this are all alike.
    pub alpha: Score,
    /// Values not below this are all alike.
    pub beta: Score,
}

impl Window {
    /// The window that contains every value.
    pub const FULL: Self = Self { alpha: Score(-i16::MAX), beta: Score::INFINITE };

    /// The window without a value inside, which asks whether the value is at least `beta`.
    #[inline]
    #[must_use]
    pub const fn null(beta: Score) -> Self {
        Self { alpha: beta.previous(), beta }
    }

    /// Whether no value lies inside.
    #[inline]
    #[must_use]
    pub fn is_null(self) -> bool {
        self.alpha.next() == self.beta
    }
}

impl Neg for Window {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_kept_relative_to_the_node_and_come_back() {
        assert_eq!(Score::win_in(9).to_node(4), Score::win_in(5));
        assert_eq!(Score::win_in(5).from_node(2), Score::win_in(7));
        assert_eq!(Score::loss_in(8).to_node(8), Score::loss_in(0));
        assert_eq!(Score::estimate(77).to_node(4), Score::estimate(77));
    }

    #[test]
    fn estimates_never_look_like_wins() {
        for hundredths in [i32::MAX, 40_000, 31_000, -31_000, i32::MIN] {
            assert!(!Score::estimate(hundredths).is_decided());
            assert!(Score::estimate(hundredths) < Score::UNCERTAIN_WIN);
        }
        assert!(Score::win_in(Score::MAX_TURNS).is_decided());
        assert!(Score::loss_in(Score::MAX_TURNS) < Score::estimate(i32::MIN));
    }

    #[test]
    fn a_window_turned_round_twice_is_the_same() {
        let window = Window::null(Score::estimate(5));
        assert!(window.is_null() && (-window).is_null());
        assert_eq!(-(-window), window);
        assert!(!Window::FULL.is_null());
    }
}
