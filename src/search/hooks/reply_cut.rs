//! Enhanced transposition cut-offs: a move whose answer is already known may refute the node.
//!
//! Before the first move is searched, the table is asked for the positions after all of them. The
//! price is a look for each, so only nodes with a large tree below them pay it. Draws are left to the
//! search, since the table does not know the moves before.
//!
//! See: Jonathan Schaeffer and Aske Plaat, "New Advances in Alpha-Beta Searching", 1996.

use std::ops::ControlFlow;

use super::Features;
use super::table_cut::is_deep_enough;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, Window};
use crate::search::parameters::LEAST_REPLY_CUT_DEPTH;
use crate::search::tt::Bound;
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// The score of a move that is known to be enough.
    #[inline]
    pub(in crate::search) fn reply_cut(&self, window: Window, depth: u32) -> Option<Score> {
        if !F::ON.enhanced_cut || depth < LEAST_REPLY_CUT_DEPTH || self.position.pending() > 0 {
            return None;
        }
        let visited = self.position.visit_moves(|mv| match self.known_after(mv, depth - 1) {
            Some(score) if score >= window.beta => ControlFlow::Break(score),
            _ => ControlFlow::Continue(()),
        });
        visited.break_value()
    }

    /// The least that a move which ends the turn is worth, if the table knows its answer.
    fn known_after(&self, mv: Move, depth: u32) -> Option<Score> {
        let after = self.position.after(mv);
        if after.plays_on(self.position.to_move()) {
            return None;
        }
        let record = self.find_record(&after)?;
        let is_limit = is_deep_enough::<F>(record, depth) && record.bound != Bound::Lower;
        let is_sure = is_limit && record.score != Score::DRAW && !self.draws_by_history(&after);
        let is_sure = is_sure && self.is_in_time(record, &after);
        is_sure.then(|| -record.score.from_node(self.turns + 1))
    }
}
