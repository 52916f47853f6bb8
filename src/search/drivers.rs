//! How an iteration finds the value of the root: three ways to choose the windows of its passes.

use super::features::Features;
use super::node::bound;
use super::observer::Progress;
use super::parameters::{ASPIRATION, ASPIRATION_GROWTH, WIDEST_ASPIRATION};
use super::root_moves::RootMoves;
use super::tt::Bound;
use super::worker::{Stopped, Worker};
use crate::rules::Rules;
use crate::score::{Score, ScoreKind, Window};

/// A way to find the value of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Driver {
    /// One pass with the full window.
    AlphaBeta,
    /// A window around the expected value, with null windows inside.
    PrincipalVariation,
    /// Null windows only.
    MtdF,
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of the root to a depth, given the scores of the iterations before.
    pub(super) fn value(
        &mut self,
        driver: Driver,
        moves: &mut RootMoves,
        past_scores: &[Score],
        depth: u32,
    ) -> Result<Score, Stopped> {
        let guess = first_guess(past_scores);
        match driver {
            Driver::AlphaBeta => self.search_root(moves, Window::FULL, depth),
            Driver::PrincipalVariation => self.aspiration(moves, guess, depth),
            Driver::MtdF => self.mtdf(moves, guess.unwrap_or_default(), depth),
        }
    }

    /// Aspiration windows: a window around the guess, wider on the side on which the value fails.
    ///
    /// See: Gérard Baudet, "The Design and Analysis of Algorithms for Asynchronous
    /// Multiprocessors", 1978.
    fn aspiration(
        &mut self,
        moves: &mut RootMoves,
        guess: Option<Score>,
        depth: u32,
    ) -> Result<Score, Stopped> {
        let Some(ScoreKind::Estimate(guess)) = guess.map(Score::kind) else {
            return self.search_root(moves, Window::FULL, depth);
        };
        let [mut below, mut above] = [ASPIRATION; 2];
        loop {
            let alpha = edge(guess, -below).unwrap_or(Window::FULL.alpha);
            let beta = edge(guess, above).unwrap_or(Window::FULL.beta);
            let score = self.search_root(moves, Window { alpha, beta }, depth)?;
            if score <= alpha {
                below *= ASPIRATION_GROWTH;
            } else if score >= beta {
                above *= ASPIRATION_GROWTH;
            } else {
                return Ok(score);
            }
        }
    }

    /// MTD(f): null windows close in on the value from a first guess.
    ///
    /// Each pass tells whether the value is at least `beta`, and its score becomes a bound of the
    /// value. The transposition table makes passes over the same tree cheap.
    ///
    /// See: Aske Plaat, Jonathan Schaeffer, Wim Pijls and Arie de Bruin, "Best-First Fixed-Depth
    /// Minimax Algorithms", 1996.
    fn mtdf(&mut self, moves: &mut RootMoves, guess: Score, depth: u32) -> Result<Score, Stopped> {
        let Window { alpha: mut lower, beta: mut upper } = Window::FULL;
        let mut value = guess;
        while lower < upper {
            // After a pass that failed high the value is at least `lower`; ask whether it is more.
            let beta = if value == lower { value.next() } else { value };
            value = self.search_root(moves, Window::null(beta), depth)?;
            if value < beta {
                upper = value;
            } else {
                lower = value;
            }
        }
        Ok(value)
    }

    /// Searches the root within a window, and reports a bound of the value.
    fn search_root(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: u32,
    ) -> Result<Score, Stopped> {
        let score = self.root(moves, window, depth)?;
        let bound = bound(score, window);
        if bound != Bound::Exact && self.is_reporting() {
            let pv = self.stored_pv(moves.best_remaining());
            let rank = moves.excluded() + 1;
            let progress = Progress { bound, ..self.progress(depth, rank, score, &pv) };
            self.observer().bound(&progress);
        }
        Ok(score)
    }
}

/// What the next value will be near to: the value two iterations before, when the same side had the
/// last move, or else the last one.
///
/// See: Aske Plaat, "MTD(f): A Minimax Algorithm Faster than `NegaScout`", 1997, on odd and even
/// depths.
fn first_guess(past_scores: &[Score]) -> Option<Score> {
    past_scores.iter().rev().nth(1).or(past_scores.last()).copied()
}

/// The end of an aspiration window at a distance from the guess, unless the window is open there.
fn edge(guess: i16, distance: i32) -> Option<Score> {
    (distance.abs() <= WIDEST_ASPIRATION).then(|| Score::estimate(i32::from(guess) + distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guess_comes_from_two_iterations_before() {
        let values = [10, 90, 20].map(Score::estimate);
        assert_eq!(first_guess(&values), Some(values[1]));
        assert_eq!(first_guess(&values[..2]), Some(values[0]));
        assert_eq!(first_guess(&values[..1]), Some(values[0]));
        assert_eq!(first_guess(&[]), None);
    }

    #[test]
    fn an_aspiration_window_opens_when_it_is_wide() {
        assert_eq!(edge(-70, 30), Some(Score::estimate(-40)));
        assert_eq!(edge(-70, -WIDEST_ASPIRATION - 1), None);
    }
}
