//! Scores as programs read them.

use millstone::analysis::WhiteScore;
use millstone::score::{Score, ScoreKind};
use serde::Serialize;

/// A score in the words of the protocol, White's.
#[derive(Serialize)]
#[serde(untagged)]
pub enum JsonScore {
    /// Hundredths of a man.
    Judged { cp: i16 },
    /// Won by one side, nobody knows how soon; the word is that of texts.
    Won { cp: i16, word: String },
    /// Turns of the winner, negative if that is Black.
    Mate { mate: i32 },
}

impl From<WhiteScore> for JsonScore {
    fn from(score: WhiteScore) -> Self {
        let mate = |turns| Score::turns_of_winner(turns).into();
        match score.score().kind() {
            ScoreKind::Estimate(cp) => Self::Judged { cp },
            ScoreKind::MateIn(turns) => Self::Mate { mate: mate(turns) },
            ScoreKind::MatedIn(turns) => Self::Mate { mate: -mate(turns) },
            _ => Self::Won { cp: score.score().hundredths(), word: score.to_string() },
        }
    }
}

#[cfg(test)]
mod tests {
    use millstone::board::Side;
    use serde_json::json;

    use super::*;

    #[test]
    fn won_scores_are_told_from_judgements() {
        let written = |score| {
            let score = JsonScore::from(WhiteScore::new(score, Side::Black));
            serde_json::to_value(score).expect("JSON")
        };
        assert_eq!(written(Score::estimate(-125)), json!({"cp": 125}));
        let cp = i32::from(Score::CURSED_WIN.bits());
        assert_eq!(written(Score::CURSED_WIN), json!({"cp": -cp, "word": "-won?"}));
        assert_eq!(written(Score::mated_in(2)), json!({"mate": 1}));
    }
}
