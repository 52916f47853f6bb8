//! Going through the positions of a sector.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::successors::Successors;
use super::{Sample, VerifyError};
use crate::board::{BySide, SquareSet};
use crate::position::Position;
use crate::rules::Standard;
use crate::tablebase::classes::Classes;
use crate::tablebase::file::SectorFile;
use crate::tablebase::ranks::{expand, sets};
use crate::tablebase::sector::{Place, Sector};
use crate::tablebase::solved::Solved;
use crate::tablebase::statistics::{Longest, Statistics};
use crate::tablebase::value::Value;
use crate::tablebase::watcher::{self, Watcher};
use crate::tablebase::wdl::Wdl;

/// How many positions of a sample are looked at in one go.
const RUN: u64 = 1 << 12;

/// A sector with all that it takes to check it.
pub struct Check<'a> {
    pub stored: &'a Solved,
    pub successors: Successors<'a>,
    /// Whether the distances are checked too, and not only the wins, draws and losses.
    pub has_distances: bool,
    pub watcher: &'a dyn Watcher,
}

impl Check<'_> {
    /// Checks all positions and counts them.
    pub fn all(&self) -> Result<Statistics, VerifyError> {
        let blocks = (0..self.sector().blocks()).into_par_iter();
        let counts = blocks.map(|block| self.block(block));
        counts.try_reduce(Statistics::default, |a, b| Ok(a.plus(b)))
    }

    /// Checks a sample: one position at random from each of so many stretches of equal length.
    pub fn some(&self, sample: Sample) -> Result<(), VerifyError> {
        let Sample { positions, seed } = sample;
        let len = self.sector().len() as u64;
        let seed: u64 = Xoshiro256PlusPlus::seed_from_u64(seed).random();
        (0..positions.div_ceil(RUN)).into_par_iter().try_for_each(|run| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ run);
            let indices = run * RUN..positions.min((run + 1) * RUN);
            let checked = indices.end - indices.start;
            for index in indices {
                let [first, end] = [index, index + 1].map(|index| index * len / positions);
                let number = random.random_range(first..end) as usize;
                let (own, opponent) = self.sector().position(self.sector().numbered(number));
                self.position(own, opponent, self.stored.values()[number])?;
            }
            self.advance(checked)
        })
    }

    fn block(&self, block: usize) -> Result<Statistics, VerifyError> {
        let sector = self.sector();
        let classes = Classes::of(sector.opponent());
        let opponent = classes.leader(block);
        let free = !opponent;
        let all = sets(free.len() as usize, sector.own()).map(|places| expand(places, free));
        let mut counts = Statistics::default();
        for ((rank, own), &value) in all.enumerate().zip(self.stored.block(block)) {
            self.position(own, opponent, value)?;
            // Of the symmetric positions in the block only the first is counted.
            if classes.is_least(block, own) {
                count(&mut counts, value, sector.number(Place { block, rank }));
            }
        }
        self.advance(sector.block_len() as u64)?;
        Ok(counts)
    }

    #[inline]
    fn position(
        &self,
        own: SquareSet,
        opponent: SquareSet,
        stored: Value,
    ) -> Result<(), VerifyError> {
        let position = Position::placed(Standard, BySide([own, opponent]));
        let derived = self.successors.derive(&position);
        if self.is_right(stored, derived) {
            return Ok(());
        }
        Err(VerifyError::Value {
            sector: self.sector(),
            position: Box::new(position),
            stored,
            derived,
            has_distances: self.has_distances,
        })
    }

    #[inline]
    fn is_right(&self, stored: Value, derived: Value) -> bool {
        if self.has_distances {
            // One ply more than can be told would pass for a draw when it is counted on.
            stored == derived && stored.plies().is_none_or(|plies| plies <= Value::MOST_PLIES)
        } else {
            Wdl::from(stored) == Wdl::from(derived)
        }
    }

    fn advance(&self, positions: u64) -> Result<(), VerifyError> {
        self.watcher.advance(positions);
        watcher::check(self.watcher).map_err(|_| VerifyError::Stopped)
    }

    fn sector(&self) -> Sector {
        self.stored.sector
    }
}

/// Counts one more position, apart from the code that counted for the file.
fn count(counts: &mut Statistics, value: Value, number: usize) {
    let (count, longest) = match Wdl::from(value) {
        Wdl::Win => (&mut counts.wins, &mut counts.longest_win),
        Wdl::Loss => (&mut counts.losses, &mut counts.longest_loss),
        Wdl::Draw => return counts.draws += 1,
    };
    *count += 1;
    if let Some(plies) = value.plies()
        && longest.is_none_or(|longest| longest.plies < plies)
    {
        *longest = Some(Longest { plies, number: number as u64 });
    }
}

/// Compares what was counted with what the file of the sector says.
pub fn compare(file: &SectorFile, counted: Statistics) -> Result<(), VerifyError> {
    let counted = if file.has_distances() { counted } else { counted.without_distances() };
    if counted == *file.statistics() {
        return Ok(());
    }
    let (stored, counted) = (Box::new(*file.statistics()), Box::new(counted));
    Err(VerifyError::Counts { sector: file.sector(), stored, counted })
}
