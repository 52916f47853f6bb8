//! Draws by the moves before: repetition and the n-move rule.
//!
//! A game is drawn when a position occurs for the third time. A side that repeats once can repeat
//! again, so the search takes the second occurrence for the draw. Only slides can be taken back by
//! later moves, so only the keys since the last placement or removal are compared.

use super::features::Features;
use super::worker::Worker;
use crate::game::draw_by_n_move;
use crate::position::Position;
use crate::rules::{DrawRules, Rules};
use crate::score::Score;

/// Whether a mate comes before the n-move rule can draw, after so many slides since the last
/// placement or removal. True of every score that is no mate.
#[inline]
pub(super) fn mate_precedes_n_move_rule(score: Score, quiet_plies: u16, rules: DrawRules) -> bool {
    score.turns().is_none_or(|turns| quiet_plies.saturating_add(turns) <= rules.first_limit())
}

/// How many slides can lead back to a position.
struct Cycle {
    /// The fewest.
    shortest: usize,
    /// The difference to the next number that can.
    step: usize,
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Whether the moves before draw the position of the node, whose key ends the path.
    #[inline]
    pub(super) fn is_drawn_by_history(&self) -> bool {
        let quiet_plies = usize::from(self.position.quiet_plies());
        quiet_plies >= self.cycle().shortest
            && (self.position.pending() == 0 || self.position.owes_for_stalemate())
            && (self.is_repeated(quiet_plies)
                || draw_by_n_move(&self.position, self.draw_rules).is_some())
    }

    /// Whether the moves before would draw a position that follows the node.
    #[inline]
    pub(super) fn would_be_drawn(&self, after: &Position<R>) -> bool {
        let quiet_plies = usize::from(after.quiet_plies());
        quiet_plies > 0
            && (self.path.iter().rev().take(quiet_plies).any(|&key| key == after.key())
                || draw_by_n_move(after, self.draw_rules).is_some())
    }

    fn is_repeated(&self, quiet_plies: usize) -> bool {
        let key = self.position.key();
        let Cycle { shortest, step } = self.cycle();
        let mut earlier = self.path.iter().rev().take(quiet_plies + 1).skip(shortest).step_by(step);
        self.draw_rules.threefold_repetition && earlier.any(|&earlier| earlier == key)
    }

    /// Where the sides take turns, both go and come back, and the same side is to move at every
    /// second position only. Where a turn may pass, a side can go and come back alone.
    #[inline]
    fn cycle(&self) -> Cycle {
        if self.position.rules().may_pass() {
            Cycle { shortest: 2, step: 1 }
        } else {
            Cycle { shortest: 4, step: 2 }
        }
    }
}
