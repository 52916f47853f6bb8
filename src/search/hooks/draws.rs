//! Draws by the moves before: repetition and the n-move rule.
//!
//! A game is drawn when a position occurs for the third time, but who repeats once can repeat
//! again, so the search takes the second occurrence for the draw. Only slides can be undone by
//! later moves, hence only the keys since the last placement or removal are compared, every second
//! one of them because the side to move must be the same, beginning four back because both sides
//! must have gone and come back.

use super::Features;
use crate::game::draw_by_n_move;
use crate::rules::Rules;
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Whether the moves before draw the position, which was reached by the last key of the path.
    #[inline]
    pub(in crate::search) fn is_drawn_by_history(&self) -> bool {
        let quiet_plies = usize::from(self.position.quiet_plies());
        F::ON.draws
            && quiet_plies >= 4
            && self.position.pending() == 0
            && (self.is_repeated(quiet_plies)
                || draw_by_n_move(&self.position, self.draw_rules).is_some())
    }

    fn is_repeated(&self, quiet_plies: usize) -> bool {
        let key = self.position.key();
        self.draw_rules.threefold_repetition
            && self.path.iter().rev().take(quiet_plies + 1).skip(4).step_by(2).any(|&k| k == key)
    }
}
