//! Results of the transposition table that answer the question of a node.
//!
//! See: Richard Greenblatt, Donald Eastlake and Stephen Crocker, "The Greenblatt Chess Program",
//! 1967.

use super::Features;
use crate::rules::Rules;
use crate::score::{Score, Window};
use crate::search::table::{Bound, Record};
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// What is known of the position, if this search uses it at all.
    #[inline]
    pub(in crate::search) fn known(&self) -> Option<Record> {
        if F::ON.uses_table() { self.table.find(self.position.key()) } else { None }
    }

    /// The score that ends the node, if the record is deep enough and on the right side.
    #[inline]
    pub(in crate::search) fn table_cut(
        &self,
        record: Record,
        window: Window,
        depth: u32,
    ) -> Option<Score> {
        let found = u32::from(record.depth);
        let is_deep_enough = found == depth || F::ON.deeper_results && found > depth;
        if !F::ON.table_cut || !is_deep_enough {
            return None;
        }
        let score = record.score.from_node(self.turns);
        let answers = match record.bound {
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
            Bound::Exact => true,
        };
        answers.then_some(score)
    }

    /// Keeps the result of a node.
    #[inline]
    pub(in crate::search) fn remember(&self, record: Record) {
        if F::ON.uses_table() {
            let score = record.score.to_node(self.turns);
            self.table.store(self.position.key(), Record { score, ..record });
        }
    }
}
