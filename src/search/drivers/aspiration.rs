//! Aspiration: a window around what the value should be, wider on the side on which it fails.
//!
//! See: Gérard Baudet, "The Design and Analysis of Algorithms for Asynchronous Multiprocessors",
//! 1978.

use crate::rules::Rules;
use crate::score::{Score, ScoreKind, Window};
use crate::search::hooks::Features;
use crate::search::parameters::{ASPIRATION, ASPIRATION_GROWTH, WIDEST_ASPIRATION};
use crate::search::root::RootMoves;
use crate::search::worker::{Stopped, Worker};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of the root to a depth, from a first guess if there is one.
    pub(super) fn aspiration(
        &mut self,
        moves: &mut RootMoves,
        guess: Option<Score>,
        depth: u32,
    ) -> Result<Score, Stopped> {
        let Some(guess) = guess.and_then(in_play) else {
            return self.root(moves, Window::FULL, depth);
        };
        let [mut below, mut above] = [ASPIRATION; 2];
        loop {
            let alpha = edge(guess, -below).unwrap_or(Window::FULL.alpha);
            let beta = edge(guess, above).unwrap_or(Window::FULL.beta);
            let score = self.root(moves, Window { alpha, beta }, depth)?;
            if score <= alpha {
                below *= ASPIRATION_GROWTH;
            } else if score >= beta {
                above *= ASPIRATION_GROWTH;
            } else {
                return Ok(score);
            }
        }
    }
}

/// The hundredths of a man of a score that tells of no win.
fn in_play(score: Score) -> Option<i32> {
    match score.kind() {
        ScoreKind::Estimate(value) if score.is_estimate() => Some(value.into()),
        _ => None,
    }
}

/// The end of a window so far from the guess, if the window has one on that side.
fn edge(guess: i32, distance: i32) -> Option<Score> {
    (distance.abs() <= WIDEST_ASPIRATION).then(|| Score::estimate(guess + distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_around_judgements_only() {
        assert_eq!(in_play(Score::estimate(-70)), Some(-70));
        assert_eq!(in_play(Score::TABLEBASE_WIN), None);
        assert_eq!(in_play(-Score::CURSED_WIN), None);
        assert_eq!(in_play(Score::mate_in(3)), None);
        assert_eq!(edge(-70, 30), Some(Score::estimate(-40)));
        assert_eq!(edge(-70, -WIDEST_ASPIRATION - 1), None);
    }
}
