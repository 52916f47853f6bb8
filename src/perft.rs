//! Perft: counting the leaves of the game tree, to test and time the rules.
//!
//! A leaf at `depth` is a sequence of exactly `depth` legal moves, where a removal is a move of its own.
//! Sequences that end the game earlier do not count, and draws by history are off.
//!
//! See: Rein Halbersma's visitor form of perft, 2013.

use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use rayon::prelude::*;

use crate::clusters::{Clusters, SizeError};
use crate::position::{Move, Position, spread};
use crate::rules::Rules;
use crate::system::clock::Moment;

/// The greatest depth.
pub const MAX_DEPTH: u32 = 14;

/// Below this depth a walk does not check whether to stop.
const LEAST_POLL_DEPTH: u32 = 4;

/// A way of counting leaves.
#[derive(Clone, Copy, Default)]
pub struct Perft<'a> {
    /// Whether to walk to every leaf. Otherwise the moves of the last ply are counted without playing them, and the
    /// nodes one ply earlier are not visited.
    pub plays_last: bool,
    /// A table to look up and store counts in.
    pub table: Option<&'a CountTable>,
    /// Ends a walk soon after the function returns true, which it then has to go on doing; the count is incomplete.
    pub should_stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl Perft<'_> {
    /// Counts the leaves below a position; `u64::MAX` stands for more.
    pub fn count<R: Rules>(&self, position: &Position<R>, depth: u32) -> u64 {
        let mut position = *position;
        if self.plays_last {
            self.count_in_place::<R, true>(&mut position, depth)
        } else {
            self.count_in_place::<R, false>(&mut position, depth)
        }
    }

    fn count_in_place<R: Rules, const PLAYS_LAST: bool>(
        &self,
        position: &mut Position<R>,
        depth: u32,
    ) -> u64 {
        match depth {
            0 => 1,
            1 if !PLAYS_LAST => position.count_moves().into(),
            2 if !PLAYS_LAST => count_pairs(position),
            _ => self.count_below::<R, PLAYS_LAST>(position, depth),
        }
    }

    /// Not inlined, so that leaves do not pay for it.
    #[inline(never)]
    fn count_below<R: Rules, const PLAYS_LAST: bool>(
        &self,
        position: &mut Position<R>,
        depth: u32,
    ) -> u64 {
        if self.is_stopped(depth) {
            return 0;
        }
        if let Some(count) = self.table.and_then(|table| table.get(position, depth)) {
            return count;
        }
        let mut count = 0_u64;
        let start = *position;
        let ControlFlow::Continue(()) = start.visit_moves::<Infallible>(|mv| {
            let undo = position.do_move(mv);
            count = self.count_in_place::<R, PLAYS_LAST>(position, depth - 1).saturating_add(count);
            position.undo_move(undo);
            ControlFlow::Continue(())
        });
        // A walk that was stopped has not counted all leaves.
        if let Some(table) = self.table.filter(|_| !self.is_stopped(depth)) {
            table.insert(position, depth, count);
        }
        count
    }

    /// Whether a walk has to end, which is asked only this far above its leaves.
    fn is_stopped(&self, depth: u32) -> bool {
        depth >= LEAST_POLL_DEPTH && self.should_stop.is_some_and(|should_stop| should_stop())
    }

    /// Counts the leaves below each legal move of a position, in the order of generation.
    ///
    /// The walks are distributed over the threads of the current `rayon` pool. `depth` is at least 1.
    pub fn split<R: Rules>(&self, position: &Position<R>, depth: u32) -> Vec<(Move, u64)> {
        let count = |&mv: &Move| {
            let after = position.after(mv);
            // Split once more, so that there are many more tasks than threads.
            let below = |&mv: &Move| self.count(&after.after(mv), depth - 2);
            let sum = || after.moves().par_iter().map(below).reduce(|| 0, u64::saturating_add);
            let leaves = if depth > 1 { sum() } else { 1 };
            (mv, leaves)
        };
        position.moves().par_iter().map(count).collect()
    }
}

/// Counts the leaves at depth 2; the positions at depth 1 never reach memory. A function of its own: within the walk it
/// may be laid out so that perft takes 16 % longer.
#[inline(never)]
fn count_pairs<R: Rules>(position: &Position<R>) -> u64 {
    let mut count = 0;
    let ControlFlow::Continue(()) = position.visit_moves::<Infallible>(|mv| {
        count += u64::from(position.after(mv).count_moves());
        ControlFlow::Continue(())
    });
    count
}

/// A table of counts by position and depth, which threads may share.
pub struct CountTable(Clusters);

const DEPTH_BITS: u32 = 6;
const DEPTH_MASK: u64 = (1 << DEPTH_BITS) - 1;

impl CountTable {
    /// Creates an empty table of a size in MiB.
    ///
    /// # Errors
    ///
    /// When the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<Self, SizeError> {
        Clusters::new(mebibytes).map(Self)
    }

    /// Returns the key of a position and a depth.
    fn key<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
        position.key() ^ spread(u64::from(depth))
    }

    fn get<R: Rules>(&self, position: &Position<R>, depth: u32) -> Option<u64> {
        self.0.probe(Self::key(position, depth)).map(|data| data >> DEPTH_BITS)
    }

    /// Stores the count with its depth, unless it is too large; deeper counts are kept longer.
    fn insert<R: Rules>(&self, position: &Position<R>, depth: u32, count: u64) {
        let depth_bits = u64::from(depth) & DEPTH_MASK;
        if depth_bits > 0 && count.leading_zeros() >= DEPTH_BITS {
            let priority = |data| (data & DEPTH_MASK) as i32;
            let data = |_| Some(count << DEPTH_BITS | depth_bits);
            self.0.store(Self::key(position, depth), data, priority);
        }
    }
}

/// The leaves at a depth and the time it took to count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The depth in moves.
    pub depth: u32,
    /// The number of leaves; `u64::MAX` stands for more.
    pub leaves: u64,
    /// The time taken.
    pub time: Duration,
}

impl Count {
    /// The column titles.
    pub const TITLE: &str = "depth               leaves    seconds        leaves/s";

    /// Times a count.
    pub fn of(depth: u32, count: impl FnOnce() -> u64) -> Self {
        let start = Moment::now();
        let leaves = count();
        Self { depth, leaves, time: start.elapsed() }
    }

    /// Returns a number of leaves, or `None` if it stands for more.
    pub fn known(leaves: u64) -> Option<u64> {
        Some(leaves).filter(|&leaves| leaves < u64::MAX)
    }

    /// Returns a number of leaves as text.
    pub fn word(leaves: u64) -> String {
        Self::known(leaves).map_or("2^64 or more".to_owned(), |leaves| leaves.to_string())
    }

    /// Returns the leaves a second.
    pub fn rate(&self) -> f64 {
        self.leaves as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, leaves, time } = self;
        let seconds = time.as_secs_f64();
        write!(f, "{depth:>5} {:>20} {seconds:>10.3}", Self::word(*leaves))?;
        Self::known(*leaves).map_or(Ok(()), |_| write!(f, " {:>15.0}", self.rate()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Standard;

    #[test]
    fn counts_that_do_not_fit_are_told() {
        let (start, table) = (Position::start(Standard), CountTable::new(1).unwrap());
        for first in start.moves() {
            let after = start.after(first);
            let insert = |mv: &Move| table.insert(&after.after(*mv), 3, u64::MAX >> DEPTH_BITS);
            after.moves().iter().for_each(insert);
        }
        let leaves = Perft { table: Some(&table), ..Perft::default() }.count(&start, 5);
        assert_eq!(leaves, u64::MAX);
        let count = Count { depth: 5, leaves, time: Duration::ZERO };
        assert!(count.to_string().contains("2^64 or more"), "{count}");
    }

    #[test]
    fn all_kinds_count_the_same() {
        let table = CountTable::new(1).unwrap();
        let text = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";
        for start in [Position::start(Standard), Position::from_text(text, Standard).unwrap()] {
            for depth in 1..=4 {
                let bulk = Perft::default();
                let plain = Perft { plays_last: true, ..bulk }.count(&start, depth);
                assert_eq!(bulk.count(&start, depth), plain);
                assert_eq!(Perft { table: Some(&table), ..bulk }.count(&start, depth), plain);
                let split = bulk.split(&start, depth);
                assert_eq!(split.iter().map(|(_, count)| count).sum::<u64>(), plain);
            }
        }
    }
}
