//! Scores as people and programs read them, from White's view.

use std::fmt;

use millstone::board::Side;
use millstone::score::{Score, ScoreKind};
use serde::Serialize;

/// A score for White: `+1.25`, `-#3` for a win of Black in three of Black's turns, `+won` for one
/// that nobody knows the length of, with a question mark if the n-move rule may come first.
#[derive(Clone, Copy)]
pub struct WhiteScore(Score);

impl WhiteScore {
    /// The score that a side has.
    pub fn new(score: Score, side: Side) -> Self {
        Self(match side {
            Side::White => score,
            Side::Black => -score,
        })
    }
}

impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.0.kind() {
            ScoreKind::WinIn(turns) => format!("+#{}", Score::turns_of_winner(turns)),
            ScoreKind::LossIn(turns) => format!("-#{}", Score::turns_of_winner(turns)),
            ScoreKind::Estimate(hundredths) if self.0.is_judgement() => {
                format!("{:+.2}", f32::from(hundredths) / 100.0)
            }
            ScoreKind::Estimate(hundredths) => {
                let sign = if hundredths > 0 { '+' } else { '-' };
                let is_known = hundredths.unsigned_abs() >= Score::KNOWN_WIN.bits();
                format!("{sign}won{}", if is_known { "" } else { "?" })
            }
        };
        f.pad(&text)
    }
}

/// A score in the words of the protocol, White's: `cp` in hundredths of a man, or `mate` in turns of
/// the winner, negative if that is Black.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JsonScore {
    Cp(i16),
    Mate(i32),
}

impl From<WhiteScore> for JsonScore {
    fn from(score: WhiteScore) -> Self {
        match score.0.kind() {
            ScoreKind::Estimate(hundredths) => Self::Cp(hundredths),
            ScoreKind::WinIn(turns) => Self::Mate(Score::turns_of_winner(turns).into()),
            ScoreKind::LossIn(turns) => Self::Mate(-i32::from(Score::turns_of_winner(turns))),
        }
    }
}
