//! Results of the transposition table that answer the question of a node.
//!
//! A win or loss is none where the n-move rule may come first, since the table knows no slides before.
//!
//! See: Richard Greenblatt, Donald Eastlake and Stephen Crocker, "The Greenblatt Chess Program",
//! 1967.

use super::{Features, comes_in_time};
use crate::position::Position;
use crate::rules::Rules;
use crate::score::{Score, Window};
use crate::search::parameters::LEAST_TABLE_DEPTH;
use crate::search::tt::{Bound, Entry};
use crate::search::worker::Worker;

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// What is known of the position, if a node of this depth uses it at all.
    #[inline]
    pub(in crate::search) fn known(&self, depth: u32) -> Option<Entry> {
        let is_used = F::ON.uses_table() && depth >= LEAST_TABLE_DEPTH;
        if is_used { self.find_record(&self.position) } else { None }
    }

    /// The score that ends the node, if the record is deep enough and on the right side.
    #[inline]
    pub(in crate::search) fn table_cut(
        &self,
        record: Entry,
        window: Window,
        depth: u32,
    ) -> Option<Score> {
        let is_deep_enough = F::ON.table_cut && is_deep_enough::<F>(record, depth);
        if !is_deep_enough || !self.is_in_time(record, &self.position) {
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

    /// Whether what is known of a position comes before any draw by slides.
    #[inline]
    pub(super) fn is_in_time(&self, record: Entry, position: &Position<R>) -> bool {
        comes_in_time(record.score, position.quiet_plies(), self.draw_rules)
    }

    /// Keeps the result of a node.
    #[inline]
    pub(in crate::search) fn remember(&self, record: Entry) {
        if F::ON.uses_table() && u32::from(record.depth) >= LEAST_TABLE_DEPTH {
            let score = record.score.to_node(self.turns);
            self.store_record(Entry { score, ..record });
        }
    }
}

/// Whether a result answers for a search to a depth.
#[inline]
pub(super) fn is_deep_enough<F: Features>(record: Entry, depth: u32) -> bool {
    let found = u32::from(record.depth);
    found == depth || F::ON.deeper_results && found > depth
}
