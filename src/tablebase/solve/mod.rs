//! Retrograde analysis: the value of every position of a sector and of the one it replies to.
//!
//! The values of positions after a removal are known from smaller sectors. From them and from the
//! positions that are lost at once, those with a decided value spread from level to level of
//! distance to the positions that come to them by quiet moves: a position from which a loss of the
//! opponent is reached is won, and one from which every move wins for the opponent is lost.
//!
//! All positions between which one side moves while the other stands still are one block, of a few
//! thousand values, so that a level goes through memory block by block. Only a position that has
//! just been decided is turned over, from the block of the side that came to it to that of the
//! side that leaves it.
//!
//! See: Ralph Gasser, "Solving Nine Men's Morris", 1996.

mod bits;
mod block;
mod deciding;
mod frontier;
mod mills;
mod place_ranks;
mod removals;
mod slides;
mod spread;
mod start;

use super::sector::Sector;
use super::solved::Solved;
use super::watcher::{Stopped, Watcher};
use frontier::Frontier;
use removals::Removals;
use start::{Levels, Start};

/// Solves a sector together with the one that it replies to, which may be the same.
///
/// `smaller` gives the solved sectors that removals come to.
///
/// # Errors
///
/// When the watcher breaks it off.
pub fn solve<'a>(
    sector: Sector,
    smaller: impl Fn(Sector) -> &'a Solved,
    watcher: &dyn Watcher,
) -> Result<Vec<Solved>, Stopped> {
    let pair = sector.pair();
    let mills = pair.iter().map(|sector| {
        let solved = sector.after_removal().map(&smaller);
        mills::best_mills(*sector, solved, watcher)
    });
    // All tables of removals are gone before the moves are counted.
    let mills = mills.collect::<Result<Vec<_>, _>>()?;
    let starts = pair.iter().zip(mills).map(|(sector, mills)| Start::of(*sector, mills, watcher));
    let values = spread::spread(starts.collect::<Result<_, _>>()?, watcher)?;
    let solved =
        pair.iter().zip(values).map(|(sector, values)| Solved::from_values(*sector, values));
    Ok(solved.collect())
}

/// How many bytes it takes at most to solve a sector together with the one that it replies to,
/// the smaller sectors included, but for tables that do not grow with the sectors.
#[must_use]
pub fn memory(sector: Sector) -> u64 {
    let pair = sector.pair();
    let positions = |sector: Sector| sector.len() as u64;
    let smaller = pair.iter().filter_map(|sector| sector.after_removal()).map(positions);
    let values: u64 = pair.iter().map(|sector| positions(*sector)).sum();
    let removals = pair.iter().map(|sector| Removals::memory(*sector)).max();
    let spreading = pair.iter().map(|sector| {
        let levels = sector.blocks() * size_of::<Levels>();
        positions(*sector) + levels as u64 + 2 * Frontier::memory(*sector)
    });
    smaller.sum::<u64>() + values + spreading.sum::<u64>().max(removals.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::tablebase::statistics::Statistics;
    use crate::tablebase::watcher::Unwatched;

    #[test]
    fn three_men_against_three_have_the_known_counts() {
        let sector = Sector::new(3, 3).unwrap();
        let solved = solve(sector, |_| unreachable!("a removal wins"), &Unwatched).unwrap();
        let Statistics { wins, draws, losses, .. } = Statistics::of(&solved[0]);
        // From another program, as in the tests of databases.
        assert_eq!([wins, draws, losses], [140_621, 269, 28_736]);
    }

    /// Counts the progress and breaks off once it has come so far.
    struct Limit {
        positions: AtomicU64,
        last: u64,
    }

    impl Watcher for Limit {
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
