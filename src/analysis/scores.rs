//! Scores and lines from White's view.

use std::fmt;

use crate::board::Side;
use crate::position::Move;
use crate::score::{Bound, Score, ScoreKind};
use crate::search::Variation;

/// A score from White's view.
///
/// As text, `+1.25` means that White is 1.25 men ahead, `-#3` that Black wins in three of Black's turns, and
/// `+won` that White wins in an unknown number of turns, with a question mark if the n-move rule may turn
/// the win into a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WhiteScore(Score);

impl WhiteScore {
    /// Converts a score from the view of `side`.
    pub fn new(score: Score, side: Side) -> Self {
        Self(if side == Side::White { score } else { -score })
    }

    /// White's expected score, 0 to 1.
    pub fn share(self) -> f32 {
        self.0.expectation()
    }
}

impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < Score::DRAW { '-' } else { '+' };
        let text = match self.0.kind() {
            ScoreKind::MateIn(turns) | ScoreKind::MatedIn(turns) => {
                format!("{sign}#{}", Score::turns_of_winner(turns))
            }
            ScoreKind::TablebaseWin | ScoreKind::TablebaseLoss => format!("{sign}won"),
            ScoreKind::CursedWin | ScoreKind::BlessedLoss => format!("{sign}won?"),
            ScoreKind::Estimate(hundredths) => {
                format!("{:+.2}", f32::from(hundredths) / f32::from(Score::MAN))
            }
        };
        f.pad(&text)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for WhiteScore {
    /// Writes the winner's turns to the end as `mate`, negative if Black wins; otherwise hundredths of a man
    /// as `cp`, with the text as `word` if one side wins in an unknown number of turns.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let mut fields = serializer.serialize_struct("WhiteScore", 2)?;
        let mate = |turns| i32::from(Score::turns_of_winner(turns));
        match self.0.kind() {
            ScoreKind::MateIn(turns) => fields.serialize_field("mate", &mate(turns))?,
            ScoreKind::MatedIn(turns) => fields.serialize_field("mate", &-mate(turns))?,
            ScoreKind::Estimate(hundredths) => fields.serialize_field("cp", &hundredths)?,
            _ => {
                fields.serialize_field("cp", &self.0.hundredths())?;
                fields.serialize_field("word", &self.to_string())?;
            }
        }
        fields.end()
    }
}

/// A line of play with its score from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct WhiteLine<'a> {
    /// The score.
    pub score: WhiteScore,
    /// Whether this is the score, or White's score is only at least or at most this.
    pub bound: Bound,
    /// The depth of the search that found the line, in plies; 0 if no iteration found it.
    pub depth: u32,
    /// The moves.
    pub moves: &'a [Move],
}

impl<'a> WhiteLine<'a> {
    /// Converts a line whose first move is by `side`.
    pub fn new(line: &'a Variation, side: Side) -> Self {
        let bound = if side == Side::White { line.bound } else { -line.bound };
        let score = WhiteScore::new(line.score, side);
        Self { score, bound, depth: line.depth, moves: &line.pv }
    }

    /// Converts lines whose first moves are by `side`.
    pub fn all(lines: &'a [Variation], side: Side) -> Vec<Self> {
        lines.iter().map(|line| Self::new(line, side)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "serde")]
    #[test]
    fn scores_are_serialized_for_white() {
        use serde_json::json;

        let written = |score| serde_json::to_value(WhiteScore::new(score, Side::Black)).unwrap();
        assert_eq!(written(Score::estimate(-125)), json!({"cp": 125}));
        let cp = i32::from(Score::CURSED_WIN.bits());
        assert_eq!(written(Score::CURSED_WIN), json!({"cp": -cp, "word": "-won?"}));
        assert_eq!(written(Score::mated_in(2)), json!({"mate": 1}));
    }

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
