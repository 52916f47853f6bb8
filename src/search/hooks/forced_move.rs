//! One ply more where there is only one move.
//!
//! A forced move decides nothing, so it should not use up depth; lines in which a side is shut in
//! one man after another are seen to their end. Repetition ends lines in which both are forced.

use super::Features;
use crate::rules::Rules;
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The depth of a node with its extension.
    #[inline]
    pub(in crate::search) fn extended(&self, depth: u32) -> u32 {
        let is_forced =
            F::ON.forced_move && self.position.pending() == 0 && self.position.count_moves() == 1;
        depth + u32::from(is_forced)
    }
}
