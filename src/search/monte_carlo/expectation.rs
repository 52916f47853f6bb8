//! Scores as expectations, 0 for a loss and 1 for a win, and back.

use crate::score::Score;
use crate::search::parameters::EXPECTATION_SCALE;

/// The expectation of a score: that of a won game is nearly 1.
#[must_use]
pub fn of(score: Score) -> f32 {
    let hundredths = f32::from(score.hundredths());
    1.0 / (1.0 + (-hundredths / EXPECTATION_SCALE).exp())
}

/// The judgement with an expectation.
pub(super) fn score(expectation: f32) -> Score {
    let odds = expectation / (1.0 - expectation);
    Score::estimate((EXPECTATION_SCALE * odds.ln()) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_come_back_from_their_expectations() {
        for hundredths in [-900, -120, 0, 5, 300] {
            let found = score(of(Score::estimate(hundredths))).hundredths();
            assert!((i32::from(found) - hundredths).abs() <= 2, "{hundredths}: {found}");
        }
    }

    #[test]
    fn certainty_is_no_proof() {
        assert!((of(Score::mate_in(3)) - 1.0).abs() < f32::EPSILON);
        assert!((of(Score::DRAW) - 0.5).abs() < f32::EPSILON);
        assert!(!score(1.0).is_mate() && !score(0.0).is_mate());
        assert!(score(0.0) < Score::DRAW && Score::DRAW < score(1.0));
    }
}
