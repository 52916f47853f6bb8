//! Scores as people read them.

use std::fmt;

use crate::board::Side;
use crate::score::{Score, ScoreKind};

/// A score from White's view.
///
/// As text it is `+1.25` where White is ahead by as many men, `-#3` where Black wins in three of
/// Black's turns, and `+won` where White wins in an unknown number of turns, with a question mark if
/// the n-move rule may come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WhiteScore(Score);

impl WhiteScore {
    /// The score that a side has.
    #[must_use]
    pub fn new(score: Score, side: Side) -> Self {
        Self(match side {
            Side::White => score,
            Side::Black => -score,
        })
    }

    /// The score that White has.
    #[must_use]
    pub const fn score(self) -> Score {
        self.0
    }

    /// The share of the point that White can expect, 0 to 1.
    #[must_use]
    pub fn share(self) -> f32 {
        self.0.expectation()
    }
}

impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.0.kind() {
            ScoreKind::MateIn(turns) => format!("+#{}", Score::turns_of_winner(turns)),
            ScoreKind::MatedIn(turns) => format!("-#{}", Score::turns_of_winner(turns)),
            ScoreKind::TablebaseWin => "+won".to_owned(),
            ScoreKind::TablebaseLoss => "-won".to_owned(),
            ScoreKind::CursedWin => "+won?".to_owned(),
            ScoreKind::BlessedLoss => "-won?".to_owned(),
            ScoreKind::Estimate(hundredths) => {
                format!("{:+.2}", f32::from(hundredths) / f32::from(Score::MAN))
            }
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_for_white() {
        let written = |score, side| WhiteScore::new(score, side).to_string();
        for (score, white, black) in [
            (Score::estimate(125), "+1.25", "-1.25"),
            (Score::mate_in(5), "+#3", "-#3"),
            (Score::mated_in(2), "-#1", "+#1"),
            (Score::TABLEBASE_WIN, "+won", "-won"),
            (Score::CURSED_WIN, "+won?", "-won?"),
        ] {
            assert_eq!(written(score, Side::White), white);
            assert_eq!(written(score, Side::Black), black);
        }
        assert_eq!(format!("{:>6}", WhiteScore::new(Score::DRAW, Side::Black)), " +0.00");
    }
}
