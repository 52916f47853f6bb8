//! How the value of the root is found from answers about windows.

mod aspiration;
mod mtdf;

use super::engine::Algorithm;
use super::hooks::Features;
use super::root::RootMoves;
use super::worker::{Stopped, Worker};
use crate::rules::Rules;
use crate::score::{Score, Window};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of the root to a depth, given the values to each depth before.
    pub(super) fn iterate(
        &mut self,
        algorithm: Algorithm,
        moves: &mut RootMoves,
        values: &[Score],
        depth: u32,
    ) -> Result<Score, Stopped> {
        let guess = guess(values);
        match algorithm {
            Algorithm::AlphaBeta => self.root(moves, Window::FULL, depth),
            Algorithm::PrincipalVariation => self.aspiration(moves, guess, depth),
            Algorithm::MtdF | Algorithm::MonteCarlo | Algorithm::Random => {
                self.mtdf(moves, guess.unwrap_or_default(), depth)
            }
        }
    }
}

/// What the next value will be near to: the one two iterations before, when the same side had the
/// last move, else the one before.
///
/// See: Aske Plaat, "MTD(f): A Minimax Algorithm Faster than `NegaScout`", 1997, on odd and even
/// depths.
fn guess(values: &[Score]) -> Option<Score> {
    values.iter().rev().nth(1).or(values.last()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guess_comes_from_two_iterations_before() {
        let values = [10, 90, 20].map(Score::estimate);
        assert_eq!(guess(&values), Some(values[1]));
        assert_eq!(guess(&values[..2]), Some(values[0]));
        assert_eq!(guess(&values[..1]), Some(values[0]));
        assert_eq!(guess(&[]), None);
    }
}
