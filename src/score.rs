//! The value of a position for the side to move.
//!
//! Scores are written by `protocol/reply.rs` for front ends, by `analysis/scores.rs` in analyses,
//! and by `commands/play/engine.rs` in words.

use std::ops::Neg;

/// A value from the point of view of the side to move: an estimate in hundredths of a man, or a win or loss.
///
/// Distances count turns of both sides from the root of the search; a removal belongs to the turn
/// that earned it, and a shorter win scores higher. A side to move that has lost is mated in 0, so
/// the removal that leaves the opponent two men wins in 1.
///
/// ```
/// use millstone::score::{Score, ScoreKind};
///
/// assert!(Score::mate_in(1) > Score::mate_in(3));
/// assert_eq!((-Score::mate_in(3)).kind(), ScoreKind::MatedIn(3));
/// assert_eq!(Score::estimate(250).kind(), ScoreKind::Estimate(250));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Neg)]
pub struct Score(i16);

/// The meaning of a [`Score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreKind {
    /// An estimate in hundredths of a man; a draw is near 0.
    Estimate(i16),
    /// The side to move wins by the tablebase, in an unknown number of turns.
    TablebaseWin,
    /// The side to move loses by the tablebase, in an unknown number of turns.
    TablebaseLoss,
    /// A tablebase win that the n-move rule may turn into a draw.
    CursedWin,
    /// A tablebase loss that the n-move rule may turn into a draw.
    BlessedLoss,
    /// The side to move wins in this number of turns of both sides.
    MateIn(u16),
    /// The side to move loses in this number of turns of both sides.
    MatedIn(u16),
}

const MATE: i16 = 32_000;
const LEAST_MATE: i16 = 31_000;

impl Score {
    /// The estimate for being a man ahead, where the log-odds are 1.
    ///
    /// The odds are those of the expected share of a point, with a draw counting half: a man ahead,
    /// they are e to one, a share of 73 %. The trained weights define a hundredth of a man this
    /// way, and the scores of 4000-node searches agree: in two samples of games between nearly
    /// equal players, 95 and 115 hundredths were the best fit for log-odds of 1.
    pub const MAN: i16 = 100;
    /// Neither side is better, or the game is drawn.
    pub const DRAW: Self = Self(0);
    /// A tablebase win of unknown length: below every mate.
    pub const TABLEBASE_WIN: Self = Self(20_000);
    /// A tablebase win that the n-move rule may turn into a draw: below every other win and above
    /// every estimate.
    pub const CURSED_WIN: Self = Self(10_000);
    /// Greater than every other value.
    pub const INFINITE: Self = Self(i16::MAX);
    /// The longest distance of a mate, in turns of both sides.
    pub const MAX_TURNS: u16 = (MATE - LEAST_MATE) as u16;

    /// An estimate in hundredths of a man, clamped to stay apart from wins and losses.
    pub fn estimate(hundredths: i32) -> Self {
        const LIMIT: i32 = Score::CURSED_WIN.0 as i32 - 1;
        Self(hundredths.clamp(-LIMIT, LIMIT) as i16)
    }

    /// The side to move wins in `turns` turns, at most [`MAX_TURNS`](Self::MAX_TURNS).
    pub const fn mate_in(turns: u16) -> Self {
        debug_assert!(turns <= Self::MAX_TURNS);
        Self(MATE - turns as i16)
    }

    /// The side to move loses in `turns` turns, at most [`MAX_TURNS`](Self::MAX_TURNS).
    pub const fn mated_in(turns: u16) -> Self {
        debug_assert!(turns <= Self::MAX_TURNS);
        Self(turns as i16 - MATE)
    }

    /// The number of the winner's turns among all `turns` to the end of the game.
    pub const fn turns_of_winner(turns: u16) -> u16 {
        turns.div_ceil(2)
    }

    /// The meaning of the score.
    pub const fn kind(self) -> ScoreKind {
        const TABLEBASE_WIN: i16 = Score::TABLEBASE_WIN.0;
        const CURSED_WIN: i16 = Score::CURSED_WIN.0;
        match self.0 {
            LEAST_MATE.. => ScoreKind::MateIn((MATE - self.0) as u16),
            TABLEBASE_WIN.. => ScoreKind::TablebaseWin,
            CURSED_WIN.. => ScoreKind::CursedWin,
            score if score <= -LEAST_MATE => ScoreKind::MatedIn((MATE + score) as u16),
            score if score <= -TABLEBASE_WIN => ScoreKind::TablebaseLoss,
            score if score <= -CURSED_WIN => ScoreKind::BlessedLoss,
            estimate => ScoreKind::Estimate(estimate),
        }
    }

    /// The score as a number on a scale of hundredths of a man.
    ///
    /// Wins and losses lie beyond every estimate, mates beyond tablebase wins.
    pub const fn hundredths(self) -> i16 {
        self.0
    }

    /// The expected share of a point: 0 for a loss, 0.5 for a draw, 1 for a win.
    ///
    /// This is the logistic function of the [log-odds](Self::MAN); for a win it is nearly 1.
    pub fn expectation(self) -> f32 {
        expectation(f32::from(self.hundredths()) / f32::from(Self::MAN))
    }

    /// The estimate for an expected share of a point, 0 to 1, rounded to hundredths of a man.
    pub fn from_expectation(expectation: f32) -> Self {
        let log_odds = libm::logf(expectation / (1.0 - expectation));
        Self::estimate((log_odds * f32::from(Self::MAN)).round() as i32)
    }

    /// The turns of both sides to the end of the game, if the search has seen it.
    pub const fn turns(self) -> Option<u16> {
        match self.kind() {
            ScoreKind::MateIn(turns) | ScoreKind::MatedIn(turns) => Some(turns),
            _ => None,
        }
    }

    /// Whether the search has seen the end of the game.
    pub const fn is_mate(self) -> bool {
        self.0.unsigned_abs() >= LEAST_MATE.unsigned_abs()
    }

    /// Whether the score is an estimate: neither a mate nor a tablebase win or loss.
    pub const fn is_estimate(self) -> bool {
        self.0.unsigned_abs() < Self::CURSED_WIN.0.unsigned_abs()
    }

    /// The next value above.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// The next value below.
    #[must_use]
    pub const fn previous(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// The value minus a margin.
    #[must_use]
    pub const fn less(self, margin: i16) -> Self {
        Self(self.0.saturating_sub(margin))
    }

    /// The value as stored in the transposition table: distances count from the node instead of the root.
    ///
    /// A node 4 turns below the root sees a win 9 turns below the root: `mate_in(9)` is stored as
    /// `mate_in(5)`. When the same position is met again 2 turns below the root,
    /// [`from_node`](Self::from_node) turns it into `mate_in(7)`.
    #[must_use]
    pub const fn to_node(self, turns: u16) -> Self {
        self.shifted(turns as i16)
    }

    /// The inverse of [`to_node`](Self::to_node): converts a distance from a node `turns` below the
    /// root to one from the root.
    #[must_use]
    pub const fn from_node(self, turns: u16) -> Self {
        self.shifted(-(turns as i16))
    }

    const fn shifted(self, by: i16) -> Self {
        if self.0 >= LEAST_MATE {
            Self(self.0.saturating_add(by))
        } else if self.0 <= -LEAST_MATE {
            Self(self.0.saturating_sub(by))
        } else {
            self
        }
    }

    /// The 16 bits of the score.
    pub const fn bits(self) -> u16 {
        self.0.cast_unsigned()
    }

    /// The score with these bits.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits.cast_signed())
    }
}

/// The share of a point, 0 to 1, with these log-odds.
pub fn expectation(log_odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-log_odds))
}

/// How a score that a search found relates to the value of the position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, derive_more::Display)]
#[display(rename_all = "lowercase")]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Bound {
    /// The value is at least the score.
    Lower = 1,
    /// The value is at most the score.
    Upper = 2,
    /// The value is the score.
    #[default]
    Exact = 3,
}

impl Neg for Bound {
    type Output = Self;

    fn neg(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
            Self::Exact => Self::Exact,
        }
    }
}

/// An alpha-beta window: the bounds between which a search must return an exact value; `alpha` is below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Values at or below this need not be distinguished.
    pub alpha: Score,
    /// Values at or above this need not be distinguished.
    pub beta: Score,
}

impl Window {
    /// The window that contains every value.
    pub const FULL: Self = Self { alpha: Score(-i16::MAX), beta: Score::INFINITE };

    /// The null window, with no value inside: it asks whether the value is at least `beta`.
    pub const fn null(beta: Score) -> Self {
        Self { alpha: beta.previous(), beta }
    }

    /// Whether this is a null window.
    pub fn is_null(self) -> bool {
        self.alpha.next() == self.beta
    }
}

impl Neg for Window {
    type Output = Self;

    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_kept_relative_to_the_node_and_come_back() {
        assert_eq!(Score::mate_in(9).to_node(4), Score::mate_in(5));
        assert_eq!(Score::mate_in(5).from_node(2), Score::mate_in(7));
        assert_eq!(Score::mated_in(8).to_node(8), Score::mated_in(0));
        assert_eq!(Score::estimate(77).to_node(4), Score::estimate(77));
    }

    #[test]
    fn estimates_never_look_like_wins() {
        for hundredths in [i32::MAX, 40_000, 31_000, -31_000, i32::MIN] {
            assert!(!Score::estimate(hundredths).is_mate());
            assert!(Score::estimate(hundredths) < Score::CURSED_WIN);
        }
        assert!(Score::mate_in(Score::MAX_TURNS).is_mate());
        assert!(Score::mated_in(Score::MAX_TURNS) < Score::estimate(i32::MIN));
    }

    #[test]
    fn a_window_turned_round_twice_is_the_same() {
        let window = Window::null(Score::estimate(5));
        assert!(window.is_null() && (-window).is_null());
        assert_eq!(-(-window), window);
        assert!(!Window::FULL.is_null());
    }

    #[test]
    fn estimates_come_back_from_their_expectations() {
        for hundredths in [-900, -120, 0, 5, 300] {
            let expectation = Score::estimate(hundredths).expectation();
            let found = i32::from(Score::from_expectation(expectation).hundredths());
            assert!((found - hundredths).abs() <= 1, "{hundredths}: {found}");
        }
    }

    #[test]
    fn a_man_ahead_the_odds_are_e_to_one() {
        let ahead = Score::estimate(Score::MAN.into());
        let share = ahead.expectation();
        assert!((share / (1.0 - share) - std::f32::consts::E).abs() < 1e-3);
        assert_eq!(Score::from_expectation(share), ahead);
    }

    #[test]
    fn certain_results_give_no_mates() {
        assert!((Score::mate_in(3).expectation() - 1.0).abs() < f32::EPSILON);
        assert!((Score::DRAW.expectation() - 0.5).abs() < f32::EPSILON);
        let [lost, won] = [0.0, 1.0].map(Score::from_expectation);
        assert!(!won.is_mate() && !lost.is_mate());
        assert!(lost < Score::DRAW && Score::DRAW < won);
    }
}
