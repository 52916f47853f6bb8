//! Checking the values of a sector: each against those of the positions that its moves lead to.

use std::convert::Infallible;
use std::ops::ControlFlow;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::error::VerifyError;
use crate::board::SquareSet;
use crate::position::Position;
use crate::tablebase::file::SectorFile;
use crate::tablebase::folder::Tablebase;
use crate::tablebase::observer::{self, SolveObserver};
use crate::tablebase::orbits::Orbits;
use crate::tablebase::ranks::{expand, sets};
use crate::tablebase::sector::Sector;
use crate::tablebase::solved::{Longest, Solved, Statistics};
use crate::tablebase::value::{Value, Wdl};

/// Some positions of a sector, spread evenly at random.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many; all if the sector has no more.
    pub positions: u64,
    /// Another seed chooses other positions.
    pub seed: u64,
}

/// How many positions of a sample are checked at a time.
const RUN: u64 = 1 << 12;

/// A sector and what it takes to check it.
pub struct Check<'a> {
    pub stored: &'a Solved,
    pub successors: Successors<'a>,
    /// Whether the distances are checked too, and not only the wins, draws and losses.
    pub has_distances: bool,
    pub observer: &'a dyn SolveObserver,
}

impl Check<'_> {
    /// Checks all positions and counts them.
    pub fn all(&self) -> Result<Statistics, VerifyError> {
        let blocks = (0..self.sector().blocks()).into_par_iter();
        let counts = blocks.map(|block| self.block(block));
        counts.try_reduce(Statistics::default, |a, b| Ok(a.plus(b)))
    }

    /// Checks a sample: one position at random from each of `positions` stretches of equal length.
    pub fn some(&self, sample: Sample) -> Result<(), VerifyError> {
        let Sample { positions, seed } = sample;
        let len = self.sector().len() as u64;
        let seed: u64 = Xoshiro256PlusPlus::seed_from_u64(seed).random();
        (0..positions.div_ceil(RUN)).into_par_iter().try_for_each(|run| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ run);
            let stretches = run * RUN..positions.min((run + 1) * RUN);
            let checked = stretches.end - stretches.start;
            for stretch in stretches {
                let [first, end] = [stretch, stretch + 1].map(|stretch| stretch * len / positions);
                let index = random.random_range(first..end) as usize;
                let (own, opponent) = self.sector().position(index);
                self.position(own, opponent, self.stored.values()[index])?;
            }
            self.advance(checked)
        })
    }

    fn block(&self, block: usize) -> Result<Statistics, VerifyError> {
        let sector = self.sector();
        let orbits = Orbits::of(sector.opponent());
        let opponent = orbits.representative(block);
        let free = !opponent;
        let all = sets(free.len() as usize, sector.own()).map(|slots| expand(slots, free));
        let mut counts = Statistics::default();
        for ((rank, own), &value) in all.enumerate().zip(self.stored.block(block)) {
            self.position(own, opponent, value)?;
            // Of the symmetric positions in the block only the first is counted.
            if orbits.is_least(block, own) {
                count(&mut counts, value, sector.index(block, rank));
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
        let position = self.sector().set_up(own, opponent);
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
            // One turn more than can be represented would become a draw one move before.
            stored == derived && stored.turns().is_none_or(|turns| turns <= Value::MOST_TURNS)
        } else {
            Wdl::from(stored) == Wdl::from(derived)
        }
    }

    fn advance(&self, positions: u64) -> Result<(), VerifyError> {
        self.observer.advance(positions);
        observer::check(self.observer).map_err(|_| VerifyError::Stopped)
    }

    fn sector(&self) -> Sector {
        self.stored.sector
    }
}

/// Counts one more position; not by the code that counted for the file, which is checked too.
fn count(counts: &mut Statistics, value: Value, index: usize) {
    let (count, longest) = match Wdl::from(value) {
        Wdl::Win => (&mut counts.wins, &mut counts.longest_win),
        Wdl::Loss => (&mut counts.losses, &mut counts.longest_loss),
        Wdl::Draw => return counts.draws += 1,
    };
    *count += 1;
    if let Some(turns) = value.turns()
        && longest.is_none_or(|longest| longest.turns < turns)
    {
        *longest = Some(Longest { turns, index: index as u64 });
    }
}

/// Compares what was counted with the statistics of the file.
pub fn compare(file: &SectorFile, counted: Statistics) -> Result<(), VerifyError> {
    let counted = if file.has_distances() { counted } else { counted.without_distances() };
    if counted == *file.statistics() {
        return Ok(());
    }
    let (stored, counted) = (Box::new(*file.statistics()), Box::new(counted));
    Err(VerifyError::Counts { sector: file.sector(), stored, counted })
}

/// The stored values of the positions that the moves of a sector lead to.
pub enum Successors<'a> {
    /// From sectors of the moving phase in memory.
    Moving {
        /// The sector after a quiet move.
        reply: &'a Solved,
        /// The sector after a removal; none if it leaves two men.
        after_removal: Option<&'a Solved>,
    },
    /// From files, for the placing phase.
    Placing(&'a Tablebase),
}

impl Successors<'_> {
    /// The value that follows for the side to move from its moves; it may owe a removal.
    #[inline]
    pub fn derive(&self, position: &Position) -> Value {
        // A side without a move has lost, and no move is worse.
        let mut best = Value::LOST;
        let ControlFlow::Continue(()) = position.visit_moves::<Infallible>(|mv| {
            let after = position.after(mv);
            let plays_on = after.plays_on(position.to_move());
            let value =
                if plays_on { self.derive(&after) } else { self.stored(&after).before_move() };
            best = best.max(value);
            ControlFlow::Continue(())
        });
        best
    }

    /// The stored value of a position.
    #[inline]
    fn stored(&self, position: &Position) -> Value {
        let side = position.to_move();
        let (own, opponent) = (position.men(side), position.men(!side));
        // A side that is left with two men is in no sector: it has lost.
        match *self {
            Self::Moving { reply, after_removal } => {
                let is_reply = own.len() as usize == reply.sector.own();
                let solved = if is_reply { Some(reply) } else { after_removal };
                let value =
                    |solved: &Solved| solved.values()[solved.sector.index_of(own, opponent)];
                solved.map_or(Value::LOST, value)
            }
            Self::Placing(tablebase) => {
                tablebase.probe_wdl(position).map_or(Value::LOST, Value::without_distance)
            }
        }
    }
}
