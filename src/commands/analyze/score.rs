//! Scores as programs read them.

use millstone::analysis::WhiteScore;
use millstone::score::{Score, ScoreKind};
use serde::Serialize;

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
        match score.score().kind() {
            ScoreKind::Estimate(hundredths) => Self::Cp(hundredths),
            ScoreKind::WinIn(turns) => Self::Mate(Score::turns_of_winner(turns).into()),
            ScoreKind::LossIn(turns) => Self::Mate(-i32::from(Score::turns_of_winner(turns))),
        }
    }
}
