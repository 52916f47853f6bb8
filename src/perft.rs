//! Perft: counting the leaves of the game tree, to test and time the rules.
//!
//! A leaf at `depth` is a sequence of exactly `depth` legal moves, where a removal is a move of its own.
//! Sequences that end the game earlier do not count, and draws by history are off.
//!
//! One walker serves all kinds of perft; plain, bulk-counting and hashed perft differ in their [`Hooks`].
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

/// What a kind of perft does at each node; `depth` is the remaining depth.
pub trait Hooks<R: Rules> {
    /// Visits a node. Returns its count unless its moves must be walked.
    fn known(&mut self, position: &Position<R>, depth: u32) -> Option<u64>;

    /// Stores the count of a node.
    fn insert(&mut self, _position: &Position<R>, _depth: u32, _count: u64) {}
}

/// Counts the leaves below a position; `u64::MAX` stands for more.
pub fn walk<R: Rules>(position: &Position<R>, depth: u32, hooks: &mut impl Hooks<R>) -> u64 {
    let mut position = *position;
    walk_in_place(&mut position, depth, hooks)
}

#[inline]
fn walk_in_place<R: Rules>(
    position: &mut Position<R>,
    depth: u32,
    hooks: &mut impl Hooks<R>,
) -> u64 {
    if let Some(count) = hooks.known(position, depth) {
        return count;
    }
    walk_moves(position, depth, hooks)
}

/// Not inlined, so that leaves do not pay for it.
#[inline(never)]
fn walk_moves<R: Rules>(position: &mut Position<R>, depth: u32, hooks: &mut impl Hooks<R>) -> u64 {
    let mut count = 0_u64;
    let start = *position;
    let ControlFlow::Continue(()) = start.visit_moves::<Infallible>(|mv| {
        let undo = position.do_move(mv);
        count = walk_in_place(position, depth - 1, hooks).saturating_add(count);
        position.undo_move(undo);
        ControlFlow::Continue(())
    });
    hooks.insert(position, depth, count);
    count
}

/// Counts the leaves below a position. If `should_stop` ends the walk, the count is incomplete.
pub fn count(position: &Position, depth: u32, should_stop: &dyn Fn() -> bool) -> u64 {
    let mut hooks = Stoppable(should_stop);
    match position.to_standard() {
        Some(position) => walk(&position, depth, &mut hooks),
        None => walk(position, depth, &mut hooks),
    }
}

/// Walks to every leaf.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<R: Rules> Hooks<R> for Plain {
    #[inline]
    fn known(&mut self, _position: &Position<R>, depth: u32) -> Option<u64> {
        (depth == 0).then_some(1)
    }
}

/// Counts the moves of the last ply without playing them, and does not visit the nodes one ply earlier.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bulk;

impl<R: Rules> Hooks<R> for Bulk {
    #[inline]
    fn known(&mut self, position: &Position<R>, depth: u32) -> Option<u64> {
        match depth {
            0 => Some(1),
            1 => Some(u64::from(position.count_moves())),
            2 => Some(count_pairs(position)),
            _ => None,
        }
    }
}

/// Counts the leaves at depth 2; the positions at depth 1 never reach memory.
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
}

/// Hooks that also look up and store counts in a table.
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
    fn known(&mut self, position: &Position<R>, depth: u32) -> Option<u64> {
        let stored = || self.table.0.probe(CountTable::key(position, depth));
        self.hooks.known(position, depth).or_else(|| stored().map(|data| data >> DEPTH_BITS))
    }

    /// Stores the count with its depth, unless it is too large; deeper counts are kept longer.
    fn insert(&mut self, position: &Position<R>, depth: u32, count: u64) {
        let key = CountTable::key(position, depth);
        let depth_bits = u64::from(depth) & DEPTH_MASK;
        if depth_bits > 0 && count.leading_zeros() >= DEPTH_BITS {
            let priority = |data| (data & DEPTH_MASK) as i32;
            self.table.0.store(key, |_| Some(count << DEPTH_BITS | depth_bits), priority);
        }
        self.hooks.insert(position, depth, count);
    }
}

/// Below this depth the walk does not check whether to stop.
const LEAST_POLL_DEPTH: u32 = 4;

/// Bulk counting that ends the walk soon after the function returns true.
struct Stoppable<'a>(&'a dyn Fn() -> bool);

impl<R: Rules> Hooks<R> for Stoppable<'_> {
    fn known(&mut self, position: &Position<R>, depth: u32) -> Option<u64> {
        let is_stopped = depth >= LEAST_POLL_DEPTH && (self.0)();
        if is_stopped { Some(0) } else { Bulk.known(position, depth) }
    }
}

/// Counts the leaves below each legal move of a position, in the order of generation.
///
/// The walks are distributed over the threads of the current `rayon` pool, each with its own clone
/// of the hooks. `depth` is at least 1.
pub fn split<R, H>(position: &Position<R>, depth: u32, hooks: &H) -> Vec<(Move, u64)>
where
    R: Rules,
    H: Hooks<R> + Clone + Send + Sync,
{
    let count = |&mv: &Move| {
        let after = position.after(mv);
        // Split once more, so that there are many more tasks than threads.
        let below = |&mv: &Move| walk(&after.after(mv), depth - 2, &mut hooks.clone());
        let sum = || after.moves().par_iter().map(below).reduce(|| 0, u64::saturating_add);
        let leaves = if depth > 1 { sum() } else { 1 };
        (mv, leaves)
    };
    position.moves().par_iter().map(count).collect()
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

    struct Huge;

    impl<R: Rules> Hooks<R> for Huge {
        fn known(&mut self, _position: &Position<R>, depth: u32) -> Option<u64> {
            (depth == 0).then_some(u64::MAX / 2)
        }
    }

    #[test]
    fn counts_that_do_not_fit_are_told() {
        let leaves = walk(&Position::start(Standard), 1, &mut Huge);
        assert_eq!(leaves, u64::MAX);
        let count = Count { depth: 1, leaves, time: Duration::ZERO };
        assert!(count.to_string().contains("2^64 or more"), "{count}");
    }

    #[test]
    fn all_kinds_count_the_same() {
        let table = CountTable::new(1).unwrap();
        let text = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";
        for start in [Position::start(Standard), Position::from_text(text, Standard).unwrap()] {
            for depth in 1..=4 {
                let plain = walk(&start, depth, &mut Plain);
                let mut hashed = Hashed::new(&table, Bulk);
                assert_eq!(walk(&start, depth, &mut Bulk), plain);
                assert_eq!(walk(&start, depth, &mut hashed), plain);
                let split = split(&start, depth, &Bulk);
                assert_eq!(split.iter().map(|(_, count)| count).sum::<u64>(), plain);
            }
        }
    }
}
