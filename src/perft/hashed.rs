//! Perft that remembers the counts of positions it has seen.

use super::Hooks;
use crate::clusters::{Clusters, SizeError};
use crate::position::Position;
use crate::rules::Rules;

/// Counts by position and depth; threads may share it.
pub struct CountTable(Clusters);

const DEPTH_BITS: u32 = 6;
const DEPTH_MASK: u64 = (1 << DEPTH_BITS) - 1;

impl CountTable {
    /// An empty table of a size in MiB.
    ///
    /// # Errors
    ///
    /// When the memory cannot be had.
    pub fn new(mebibytes: usize) -> Result<Self, SizeError> {
        Clusters::new(mebibytes).map(Self)
    }

    /// The key of a position at a depth; the same position counts differently at another.
    fn key<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
        position.key() ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// Other hooks with a table.
#[derive(Clone)]
pub struct Hashed<'a, H> {
    table: &'a CountTable,
    hooks: H,
}

impl<'a, H> Hashed<'a, H> {
    /// Adds a table to hooks.
    pub fn new(table: &'a CountTable, hooks: H) -> Self {
        Self { table, hooks }
    }
}

impl<R: Rules, H: Hooks<R>> Hooks<R> for Hashed<'_, H> {
    fn visit(&mut self, position: &Position<R>, depth: u32) {
        self.hooks.visit(position, depth);
    }

    fn leaf(&mut self, position: &Position<R>, depth: u32) -> Option<u64> {
        self.hooks.leaf(position, depth)
    }

    fn find(&mut self, position: &Position<R>, depth: u32) -> Option<u64> {
        let data = self.table.0.probe(CountTable::key(position, depth));
        data.map(|data| data >> DEPTH_BITS).or_else(|| self.hooks.find(position, depth))
    }

    /// Stores the count beside the depth, which is its worth; a count too large is not stored.
    fn insert(&mut self, position: &Position<R>, depth: u32, count: u64) {
        let key = CountTable::key(position, depth);
        let depth_bits = u64::from(depth) & DEPTH_MASK;
        if depth_bits > 0 && count.leading_zeros() >= DEPTH_BITS {
            let worth = |data| (data & DEPTH_MASK) as i32;
            self.table.0.store(key, count << DEPTH_BITS | depth_bits, |_| true, worth);
        }
        self.hooks.insert(position, depth, count);
    }
}
