//! What the threads of a search count together.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Sums and maxima over all threads, as of their last poll.
#[derive(Debug, Default)]
pub(in crate::search) struct Tally {
    nodes: AtomicU64,
    tablebase_hits: AtomicU64,
    deepest_ply: AtomicUsize,
}

impl Tally {
    /// Adds what a thread has counted since it last did.
    pub(in crate::search) fn add(&self, nodes: u64, tablebase_hits: u64, deepest_ply: usize) {
        self.nodes.fetch_add(nodes, Relaxed);
        self.tablebase_hits.fetch_add(tablebase_hits, Relaxed);
        self.deepest_ply.fetch_max(deepest_ply, Relaxed);
    }

    /// Positions visited.
    pub(in crate::search) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Positions that the databases knew.
    pub(in crate::search) fn tablebase_hits(&self) -> u64 {
        self.tablebase_hits.load(Relaxed)
    }

    /// The length of the longest line.
    pub(in crate::search) fn deepest_ply(&self) -> usize {
        self.deepest_ply.load(Relaxed)
    }
}
