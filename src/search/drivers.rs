//! How an iteration finds the value of the root: three ways to choose the windows of its passes.

use super::engine::Algorithm;
use super::features::Features;
use super::node::bound;
use super::observer::Variation;
use super::parameters::{ASPIRATION, ASPIRATION_GROWTH, FIRST_STEP, WIDEST_ASPIRATION};
use super::root::RootMoves;
use super::worker::{Found, Worker};
use crate::rules::Rules;
use crate::score::{Bound, Score, ScoreKind, Window};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of the root to a depth, given the scores of the iterations before.
    pub(super) fn value(
        &mut self,
        moves: &mut RootMoves,
        past_scores: &[Score],
        depth: u32,
    ) -> Found<(Score, Bound)> {
        let guess = first_guess(past_scores);
        let exact = |score| (score, Bound::Exact);
        match self.algorithm {
            Algorithm::AlphaBeta => self.search_root(moves, Window::FULL, depth).map(exact),
            Algorithm::PrincipalVariation => self.aspiration(moves, guess, depth).map(exact),
            _ => self.mtdf(moves, guess.unwrap_or_default(), depth),
        }
    }

    /// Aspiration windows: a window around the guess, wider on the side on which the value fails.
    ///
    /// See: Gérard Baudet, "The Design and Analysis of Algorithms for Asynchronous
    /// Multiprocessors", 1978.
    fn aspiration(&mut self, moves: &mut RootMoves, guess: Option<Score>, depth: u32) -> Found {
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
    /// Each pass tells whether the value is at least `beta`, and its score becomes a limit of the
    /// value. The transposition table makes passes over the same tree cheap. They ask further and
    /// further beyond the limit on one side, and halve the distance when there is one on the other.
    ///
    /// What is pruned or reduced depends on the window, so passes may contradict each other. The best
    /// move is that of the last pass that failed high, and its score then is a lower bound.
    ///
    /// See: Aske Plaat, Jonathan Schaeffer, Wim Pijls and Arie de Bruin, "Best-First Fixed-Depth
    /// Minimax Algorithms", 1996.
    fn mtdf(&mut self, moves: &mut RootMoves, guess: Score, depth: u32) -> Found<(Score, Bound)> {
        let Window { alpha: mut lower, beta: mut upper } = Window::FULL;
        let mut beta = guess;
        let mut step = FIRST_STEP;
        while lower < upper {
            let value = self.search_root(moves, Window::null(beta), depth)?;
            if value < beta {
                upper = value;
            } else {
                lower = value;
            }
            beta = next_beta(lower, upper, step);
            step = step.saturating_mul(2);
        }
        Ok((lower, if lower == upper { Bound::Exact } else { Bound::Lower }))
    }

    /// Searches the root within a window, and reports a bound of the value.
    fn search_root(&mut self, moves: &mut RootMoves, window: Window, depth: u32) -> Found {
        let score = self.team_pass(moves, window, depth)?;
        let bound = bound(score, window);
        if bound != Bound::Exact && self.is_reporting() {
            let line = Variation { score, bound, pv: self.stored_pv(moves.best_remaining()) };
            let progress = self.progress(depth, moves.excluded + 1, line);
            self.observer.bound(&progress);
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

/// What the next pass of MTD(f) asks for: a score above `lower` and at most `upper`.
fn next_beta(lower: Score, upper: Score, step: i32) -> Score {
    let [low, high] = [lower, upper].map(|limit| i32::from(limit.hundredths()));
    let goal = match Window::FULL {
        Window { alpha, .. } if lower == alpha => high.saturating_sub(step),
        Window { beta, .. } if upper == beta => low.saturating_add(step),
        _ => (low + high + 1) / 2,
    };
    Score::estimate(goal).min(upper).max(lower.next())
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
    fn each_pass_asks_for_something_new() {
        let (low, high) = (Window::FULL.alpha, Window::FULL.beta);
        let [ten, fifty] = [10, 50].map(Score::estimate);
        assert_eq!(next_beta(low, ten, 8), Score::estimate(2));
        assert_eq!(next_beta(ten, high, 8), Score::estimate(18));
        assert_eq!(next_beta(ten, fifty, 8), Score::estimate(30));
        assert_eq!(next_beta(ten, ten.next(), 8), ten.next());
        assert_eq!(next_beta(low, Score::mated_in(4), 8), Score::mated_in(4));
        assert_eq!(next_beta(Score::mate_in(4), high, 8), Score::mate_in(3));
    }

    #[test]
    fn an_aspiration_window_opens_when_it_is_wide() {
        assert_eq!(edge(-70, 30), Some(Score::estimate(-40)));
        assert_eq!(edge(-70, -WIDEST_ASPIRATION - 1), None);
    }
}
