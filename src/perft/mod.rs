//! Counting the leaves of the game tree, to test and time the rules.
//!
//! A leaf is a sequence of exactly so many legal moves, a removal being a move of its own.
//! Sequences that end the game earlier are not counted, and draws by history are off.
//!
//! One walker serves all kinds of perft: what differs between plain, bulk-counting, hashed and
//! checked perft are the [`Hooks`].
//!
//! See: Rein Halbersma's visitor form of perft, 2013.

mod checked;
mod count;
mod hashed;
mod stoppable;

pub use checked::Checked;
pub use count::Count;
pub use hashed::{CountTable, Hashed};
pub use stoppable::Stoppable;

use std::convert::Infallible;
use std::ops::ControlFlow;

use rayon::prelude::*;

use crate::position::{Move, Position};
use crate::rules::Rules;

/// The greatest depth at which the counts of all positions fit in 64 bits.
pub const MAX_DEPTH: u32 = 14;

/// What a kind of perft does at the nodes of the walk; `depth` is what is left below the node.
pub trait Hooks<R: Rules> {
    /// Looks at a node before anything else.
    fn visit(&mut self, _position: &Position<R>, _depth: u32) {}

    /// The count of a node, if it is known already.
    fn find(&mut self, _position: &Position<R>, _depth: u32) -> Option<u64> {
        None
    }

    /// The count of a node that needs no further walk.
    fn leaf(&mut self, position: &Position<R>, depth: u32) -> Option<u64>;

    /// Learns the count of a node.
    fn insert(&mut self, _position: &Position<R>, _depth: u32, _count: u64) {}
}

/// Counts the leaves below a position.
pub fn walk<R: Rules>(position: &Position<R>, depth: u32, hooks: &mut impl Hooks<R>) -> u64 {
    hooks.visit(position, depth);
    if let Some(count) = hooks.leaf(position, depth) {
        return count;
    }
    if let Some(count) = hooks.find(position, depth) {
        return count;
    }
    let mut count = 0;
    let ControlFlow::Continue(()) = position.visit_moves::<Infallible>(|mv| {
        count += walk(&position.after(mv), depth - 1, hooks);
        ControlFlow::Continue(())
    });
    hooks.insert(position, depth, count);
    count
}

/// Walks to every leaf.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

impl<R: Rules> Hooks<R> for Plain {
    #[inline]
    fn leaf(&mut self, _position: &Position<R>, depth: u32) -> Option<u64> {
        (depth == 0).then_some(1)
    }
}

/// Counts the moves of the last ply without playing them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bulk;

impl<R: Rules> Hooks<R> for Bulk {
    #[inline]
    fn leaf(&mut self, position: &Position<R>, depth: u32) -> Option<u64> {
        match depth {
            0 => Some(1),
            1 => Some(u64::from(position.count_moves())),
            _ => None,
        }
    }
}

/// The leaves below each legal move of a position, moves in the order of generation.
///
/// The walks are shared out over the threads of the current `rayon` pool, each with its own clone
/// of the hooks. `depth` is at least 1.
pub fn split<R, H>(position: &Position<R>, depth: u32, hooks: &H) -> Vec<(Move, u64)>
where
    R: Rules,
    H: Hooks<R> + Clone + Send + Sync,
{
    let moves: Vec<Move> = position.moves().into_iter().collect();
    let count = |mv: Move| {
        let after = position.after(mv);
        match depth {
            0 | 1 => 1,
            2 => walk(&after, 1, &mut hooks.clone()),
            _ => count_in_parallel(&after, depth - 1, hooks),
        }
    };
    moves.into_par_iter().map(|mv| (mv, count(mv))).collect()
}

/// Splits the walk once more, so that there are many more pieces than threads.
fn count_in_parallel<R, H>(position: &Position<R>, depth: u32, hooks: &H) -> u64
where
    R: Rules,
    H: Hooks<R> + Clone + Send + Sync,
{
    let moves: Vec<Move> = position.moves().into_iter().collect();
    let count = |mv: &Move| walk(&position.after(*mv), depth - 1, &mut hooks.clone());
    moves.par_iter().map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Standard;

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
                assert_eq!(walk(&start, depth, &mut Checked), plain);
                let split = split(&start, depth, &Bulk);
                assert_eq!(split.iter().map(|(_, count)| count).sum::<u64>(), plain);
            }
        }
    }
}
