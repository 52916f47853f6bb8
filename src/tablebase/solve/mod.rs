//! Retrograde analysis: the value of every position of a sector and of the one it replies to.
//!
//! The values of positions after a removal are known from smaller sectors. From them and from the
//! positions that are lost at once, decided values propagate level by level, a level being a distance
//! in turns: a position from which a quiet move leads to a lost one is won, and a position all of
//! whose moves lead to won ones is lost, which a counter of its moves finds. What is never decided is
//! drawn.
//!
//! All positions between which one side moves while the other stands still are one block of a few
//! thousand values, so that a level goes through memory block by block. Only a position that has
//! just been decided is looked up by both sides: from the block of the side that moved there to the
//! block of the side to move.
//!
//! ```text
//! block       points, slots and moves of one block
//! mills       the best mill of each position, from the smaller sectors
//! initial     the counter and the distance of each position before quiet moves
//! frontier    the positions decided at the last level
//! propagate   level by level, until nothing more is decided
//! placing     the placing phase, in one pass
//! ```
//!
//! See: Ralph Gasser, "Solving Nine Men's Morris", 1996.

mod block;
mod frontier;
mod initial;
mod mills;
mod placing;
mod propagate;

pub use placing::{Next, PlacingError, solve_placing};

use super::observer::{SolveObserver, Stopped};
use super::sector::Sector;
use super::solved::Solved;
use frontier::Frontier;
use initial::{Levels, State};
use mills::BestRemovals;

/// Solves a sector together with that of the replies, which may be the same.
///
/// `smaller` gives the solved sectors that removals lead to.
///
/// # Errors
///
/// When the observer stops it.
pub fn solve<'a>(
    sector: Sector,
    smaller: impl Fn(Sector) -> &'a Solved,
    observer: &dyn SolveObserver,
) -> Result<Vec<Solved>, Stopped> {
    let pair = sector.pair();
    let mills = pair.iter().map(|sector| {
        let solved = sector.after_removal().map(&smaller);
        mills::best_mills(*sector, solved, observer)
    });
    // All best removals are dropped before moves are counted.
    let mills = mills.collect::<Result<Vec<_>, _>>()?;
    let states = pair.iter().zip(mills).map(|(sector, mills)| State::of(*sector, mills, observer));
    let values = propagate::propagate(states.collect::<Result<_, _>>()?, observer)?;
    let solved =
        pair.iter().zip(values).map(|(sector, values)| Solved::from_values(*sector, values));
    Ok(solved.collect())
}

/// The most bytes of memory that solving a sector together with that of the replies needs, the smaller
/// sectors included, apart from lookup tables of constant size.
#[must_use]
pub fn memory(sector: Sector) -> u64 {
    if sector.is_placing() {
        return placing::memory(sector);
    }
    let pair = sector.pair();
    let positions = |sector: Sector| sector.len() as u64;
    let smaller = pair.iter().filter_map(|sector| sector.after_removal()).map(positions);
    let values: u64 = pair.iter().map(|sector| positions(*sector)).sum();
    let removals = pair.iter().map(|sector| BestRemovals::memory(*sector)).max();
    let propagation = pair.iter().map(|sector| {
        let levels = sector.blocks() * size_of::<Levels>();
        positions(*sector) + levels as u64 + 2 * Frontier::memory(*sector)
    });
    smaller.sum::<u64>() + values + propagation.sum::<u64>().max(removals.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::tablebase::observer::Unobserved;
    use crate::tablebase::solved::Statistics;

    #[test]
    fn three_men_against_three_have_the_known_counts() {
        let sector = Sector::new(3, 3).unwrap();
        let solved = solve(sector, |_| unreachable!("a removal wins"), &Unobserved).unwrap();
        let Statistics { wins, draws, losses, .. } = Statistics::of(&solved[0]);
        // Counted by another program.
        assert_eq!([wins, draws, losses], [140_621, 269, 28_736]);
    }

    /// Counts the progress and stops once it has come so far.
    struct Limit {
        positions: AtomicU64,
        last: u64,
    }

    impl SolveObserver for Limit {
        fn advance(&self, positions: u64) {
            self.positions.fetch_add(positions, Relaxed);
        }

        fn should_stop(&self) -> bool {
            self.positions.load(Relaxed) > self.last
        }
    }

    #[test]
    fn progress_is_complete_and_can_be_stopped() {
        let sector = Sector::new(3, 3).unwrap();
        let positions = sector.len() as u64;
        let solve_until = |last| {
            let limit = Limit { positions: AtomicU64::new(0), last };
            let solved = solve(sector, |smaller| unreachable!("{smaller} is won"), &limit);
            (solved.map(|pair| pair.len()), limit.positions.into_inner())
        };
        assert_eq!(solve_until(2 * positions), (Ok(1), 2 * positions));
        for last in [0, positions, positions * 3 / 2] {
            let (result, done) = solve_until(last);
            assert_eq!(result, Err(Stopped));
            assert!((last..2 * positions).contains(&done));
        }
    }
}
