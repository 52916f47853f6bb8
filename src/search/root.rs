//! The root of the tree: its moves are kept in order from one search to the next.

use super::hooks::Features;
use super::node::bound;
use super::table::Record;
use super::worker::{Stopped, Worker};
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, Window};

/// The moves of the root, the best one so far first.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    moves: Vec<Move>,
    /// Whether all legal moves are there, so that their best value is that of the position.
    is_complete: bool,
}

impl RootMoves {
    /// Takes the moves in the order given.
    pub(super) fn new(moves: Vec<Move>, is_complete: bool) -> Self {
        Self { moves, is_complete }
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<Move> {
        self.moves.first().copied()
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    fn bring_forward(&mut self, index: usize) {
        self.moves[..=index].rotate_right(1);
    }
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The node function at the root, with the same contract; a better move comes to the front.
    pub(super) fn root(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: u32,
    ) -> Result<Score, Stopped> {
        let depth_below = self.depth_after_move(depth);
        let mut open = window;
        let mut best = -Score::INFINITE;
        for index in 0..moves.len() {
            let mv = moves.moves[index];
            let score = match index {
                0 => self.child(mv, open, depth_below)?,
                _ => self.later_move(mv, open, depth_below, 0)?,
            };
            best = best.max(score);
            if score > open.alpha {
                open.alpha = score;
                moves.bring_forward(index);
            }
            if score >= window.beta {
                break;
            }
        }
        if moves.is_complete {
            let bound = bound(best, window);
            self.remember(Record { best: moves.best(), score: best, depth: depth as u8, bound });
        }
        Ok(best)
    }
}
