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
mod removals;
mod slides;
mod spread;
mod start;
mod watcher;

use super::sector::Sector;
use super::value::Value;
use frontier::Frontier;
use removals::Removals;
use start::{Levels, Start};
pub use watcher::{Silent, Stopped, Watcher};

/// A sector with the value of every position.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The sector.
    pub sector: Sector,
    values: Vec<Value>,
}

impl Solved {
    /// A sector with the values of all positions in the order of their numbers.
    ///
    /// # Panics
    ///
    /// When there are not as many values as positions.
    #[must_use]
    pub fn from_values(sector: Sector, values: Vec<Value>) -> Self {
        assert_eq!(values.len(), sector.len());
        Self { sector, values }
    }

    /// The values of all positions in the order of their numbers.
    #[must_use]
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The values of a block, by rank.
    #[inline]
    #[must_use]
    pub fn block(&self, block: usize) -> &[Value] {
        let len = self.sector.block_len();
        &self.values[block * len..][..len]
    }
}

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
    let pair = pair(sector);
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
    let pair = pair(sector);
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

/// The sectors that are solved together.
fn pair(sector: Sector) -> Vec<Sector> {
    let mut pair = vec![sector, sector.reply()];
    pair.dedup();
    pair
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;
    use crate::knowledge::endgame::sector::Place;

    /// Wins, draws and losses up to symmetry and the longest win and loss, from another program.
    const KNOWN: [(usize, usize, [usize; 3], [u8; 2]); 6] = [
        (3, 3, [140_621, 269, 28_736], [25, 26]),
        (3, 4, [102_281, 658_117, 0], [33, 0]),
        (4, 3, [75_397, 681_906, 3_095], [1, 32]),
        (4, 4, [159, 3_225_409, 29], [9, 8]),
        (3, 5, [6_301, 2_564_412, 9_677], [31, 2]),
        (5, 3, [580_660, 1_999_730, 0], [3, 0]),
    ];

    #[test]
    fn small_sectors_have_the_known_counts() {
        let mut solved: BTreeMap<Sector, Solved> = BTreeMap::new();
        for (own, opponent, counts, longest) in KNOWN {
            let sector = Sector::new(own, opponent).unwrap();
            if !solved.contains_key(&sector) {
                let pair = solve(sector, |smaller| &solved[&smaller], &Silent).unwrap();
                solved.extend(pair.into_iter().map(|one| (one.sector, one)));
            }
            assert_eq!(count(&solved[&sector]), (counts, longest), "{sector}");
        }
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

    fn count(solved: &Solved) -> ([usize; 3], [u8; 2]) {
        let (mut counts, mut longest) = ([0; 3], [0; 2]);
        for block in 0..solved.sector.blocks() {
            for (rank, value) in solved.block(block).iter().enumerate() {
                let is_first = solved.sector.is_first(Place { block, rank });
                let kind = if value.is_win() { 0 } else { 1 + usize::from(value.is_loss()) };
                counts[kind] += usize::from(is_first);
                if let Some(plies) = value.plies() {
                    let longest = &mut longest[kind / 2];
                    *longest = plies.max(*longest);
                }
            }
        }
        (counts, longest)
    }
}
