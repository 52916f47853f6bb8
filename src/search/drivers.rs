//! How the value of the root is found from answers about windows.

use super::hooks::Features;
use super::root::RootMoves;
use super::worker::{Stopped, Worker};
use crate::rules::Rules;
use crate::score::{Score, Window};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// MTD(f): null windows close in on the value from a first guess.
    ///
    /// Each pass asks whether the value is at least `beta` and moves one bound to the score it
    /// gets; the table makes passes over the same tree cheap.
    ///
    /// See: Aske Plaat, Jonathan Schaeffer, Wim Pijls and Arie de Bruin, "Best-First Fixed-Depth
    /// Minimax Algorithms", 1996.
    pub(super) fn mtdf(
        &mut self,
        moves: &mut RootMoves,
        guess: Score,
        depth: u32,
    ) -> Result<Score, Stopped> {
        let Window { alpha: mut lower, beta: mut upper } = Window::FULL;
        let mut value = guess;
        while lower < upper {
            let beta = if value == lower { value.next() } else { value };
            value = self.root(moves, Window::null(beta), depth)?;
            if value < beta {
                upper = value;
            } else {
                lower = value;
            }
        }
        Ok(value)
    }

    /// One pass over the window of all values.
    pub(super) fn full_window(
        &mut self,
        moves: &mut RootMoves,
        depth: u32,
    ) -> Result<Score, Stopped> {
        self.root(moves, Window::FULL, depth)
    }
}
