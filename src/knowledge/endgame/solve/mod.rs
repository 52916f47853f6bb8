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

mod block;
mod frontier;
mod removals;
mod spread;
mod start;
mod watcher;

pub use watcher::{Stopped, Watcher};

use super::sector::Sector;
use super::value::Value;

/// A sector with the value of every position.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The sector.
    pub sector: Sector,
    values: Vec<Value>,
}

impl Solved {
    /// A sector with its values in the order of their numbers.
    #[must_use]
    pub fn from_values(sector: Sector, values: Vec<Value>) -> Self {
        Self { sector, values }
    }

    /// All values in the order of their numbers.
    #[inline]
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
pub fn solve<'a>(
    sector: Sector,
    smaller: impl Fn(Sector) -> &'a Solved,
    _watcher: &dyn Watcher,
) -> Result<Vec<Solved>, Stopped> {
    let mut pair = vec![sector, sector.reply()];
    pair.dedup();
    let starts = pair.iter().map(|sector| {
        let solved = sector.after_removal().map(&smaller);
        start::Start::of(*sector, solved)
    });
    Ok(spread::spread(starts.collect()))
}

pub fn memory(_sector: Sector) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

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
                let pair = solve(sector, |smaller| &solved[&smaller], &()).unwrap();
                solved.extend(pair.into_iter().map(|one| (one.sector, one)));
            }
            assert_eq!(count(&solved[&sector]), (counts, longest), "{sector}");
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
