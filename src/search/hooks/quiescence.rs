//! Removals are played out before a position is judged.
//!
//! A closed mill is worth the man that it removes. A position between the two halves of such a turn
//! cannot be estimated, so removals cost no depth and the end of a line is never put between them.

use super::Features;
use crate::rules::Rules;
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// Whether the line ends here.
    #[inline]
    pub(in crate::search) fn is_horizon(&self, depth: u32) -> bool {
        depth == 0 && (self.position.pending() == 0 || !F::ON.quiescence)
    }

    /// What is left of the depth after a move of the position.
    #[inline]
    pub(in crate::search) fn depth_after_move(&self, depth: u32) -> u32 {
        depth.saturating_sub(u32::from(self.position.pending() == 0))
    }
}
