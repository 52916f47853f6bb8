//! MTD(f): null windows close in on the value from a first guess.
//!
//! Each pass asks whether the value is at least `beta` and moves one bound to the score it gets;
//! the table makes passes over the same tree cheap, so that many small steps visit fewer nodes than
//! a few large ones which ask what the value is not.
//!
//! See: Aske Plaat, Jonathan Schaeffer, Wim Pijls and Arie de Bruin, "Best-First Fixed-Depth
//! Minimax Algorithms", 1996.

use crate::rules::Rules;
use crate::score::{Score, Window};
use crate::search::hooks::Features;
use crate::search::root::RootMoves;
use crate::search::worker::{Stopped, Worker};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The value of the root to a depth, from a first guess.
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
}
