//! Propagation, level by level: takes back the quiet moves that lead to the positions decided at the last level.

use bytemuck::Pod;
use rayon::prelude::*;

use super::block::Block;
use super::exits::Exits;
use super::frontier::{BATCH, Frontier};
use super::initial::{Levels, SAFE, SectorState, UNDECIDED};
use super::known::Known;
use super::{SolveError, SolveObserver, check};
use crate::board::{SquareSet, Symmetry};
use crate::tablebase::sector::Solved;
use crate::tablebase::sets::{compress, rank};
use crate::tablebase::value::Value;

/// Decides all positions of an initialised sector, or pair of sectors.
///
/// # Errors
///
/// When the observer stops the work, a temporary file fails, or, if distances are required, one is too long to store.
pub fn propagate<const CROSSED: bool>(
    mut pair: Vec<SectorState<u8>>,
    known: &Known<'_>,
) -> Result<Vec<Solved>, SolveError> {
    let &Known { observer, requires_distances, .. } = known;
    let frontiers = || pair.iter().map(|one| Frontier::empty(one.levels.sector)).collect();
    let mut last: Vec<Frontier> = frontiers();
    let mut next: Vec<Frontier> = frontiers();
    let has_exits =
        |level: &u8| pair.iter().any(|one| one.exits.iter().any(|exits| exits.contains(*level)));
    let last_exit = (0..=Value::MOST_TURNS).rev().find(has_exits);
    let mut idle_levels = 0;
    // Without distances, the last two levels are repeated until nothing more is decided.
    let last_levels = [Value::MOST_TURNS - 1, Value::MOST_TURNS].into_iter().cycle();
    let levels = (0..=Value::MOST_TURNS).map(|level| (level, true));
    for (level, is_first) in levels.chain(last_levels.map(|level| (level, false))) {
        let mut decided = 0;
        // Exits count only the first time that a level is processed.
        let has_exits = |_, exits: &Levels| is_first && exits.contains(level);
        for (index, one) in pair.iter_mut().enumerate() {
            let exits = Exits::new(one.levels.sector, known);
            let asked = Some(&exits).filter(|exits| !exits.is_plain());
            let frontiers = [&last[last.len() - 1 - index], &next[index]];
            decided += if level % 2 == 1 {
                one.decide::<CROSSED, true>(level, asked, has_exits, frontiers, observer)?
            } else {
                one.decide::<CROSSED, false>(level, asked, has_exits, frontiers, observer)?
            };
        }
        if requires_distances && level >= Value::MOST_TURNS - 1 && decided > 0 {
            return Err(SolveError::TooLong(pair[0].levels.sector));
        }
        std::mem::swap(&mut last, &mut next);
        idle_levels = if decided == 0 { idle_levels + 1 } else { 0 };
        // A level depends on the one before it, and wins and losses alternate.
        if last_exit.is_none_or(|last_exit| last_exit <= level) && idle_levels >= 2 {
            break;
        }
    }
    drop((last, next));
    let solved = pair.into_iter().map(|one| {
        let sector = one.levels.sector;
        Ok(Solved::from_values(sector, Value::all_from_turns(one.finish(UNDECIDED, observer)?)))
    });
    solved.collect()
}

impl<L: Pod + PartialEq + Send + Sync> SectorState<L> {
    /// Decides the positions of a level: as won (`WINS`) if any quiet move leads to one of `replies`, else as lost once
    /// all moves are known to lose. Returns their number.
    ///
    /// * `asked`: generates the moves to take back, where they are not just the slides that close no mill.
    /// * `has_exits`: whether exits decide positions of a block, given its number and the levels of its exits.
    /// * `replies`, `decided`: the positions of the last level, and the set that receives those of this level.
    pub fn decide<const CROSSED: bool, const WINS: bool>(
        &mut self,
        level: L,
        asked: Option<&Exits<'_>>,
        has_exits: impl Fn(usize, &Levels) -> bool + Sync,
        [replies, decided]: [&Frontier; 2],
        observer: &dyn SolveObserver,
    ) -> Result<u64, SolveError> {
        let Self { flies, counters, levels, exits, slots } = self;
        let (sector, len) = (levels.sector, levels.sector.block_len());
        let blocks = counters.par_chunks_mut(len).zip(levels.blocks()).enumerate();
        let counts = blocks.map(|(number, (counters, levels))| {
            let has_exits = has_exits(number, &exits[number]);
            if !replies.is_used(number) && !has_exits {
                return Ok(0);
            }
            check(observer)?;
            let block = &Block::<CROSSED>::new(sector.opponent_of_block(number), *flies);
            let replies = replies.take(number);
            let count = levels.with(|levels| {
                BlockLevel { level, block, exits: asked, counters, levels, slots, decided }
                    .decide::<WINS>(replies, has_exits)
            })?;
            observer.advance(count);
            Ok(count)
        });
        counts.try_reduce(|| 0, |some, more| Ok(some + more))
    }

    /// Returns the levels of all positions. Undecided positions get the given one.
    pub fn finish(mut self, level: L, observer: &dyn SolveObserver) -> Result<Vec<L>, SolveError> {
        self.each_block(observer, |_, counters, levels, _| {
            let undecided = levels.iter_mut().zip(counters).filter(|(_, counter)| **counter != 0);
            observer.advance(undecided.map(|(found, _)| *found = level).count() as u64);
            Ok(())
        })?;
        // Makes room for levels that are in a file.
        drop(self.counters);
        Ok(self.levels.into_numbers()?)
    }
}

/// The state while the positions of a block are decided at one level.
struct BlockLevel<'a, const CROSSED: bool, L> {
    level: L,
    block: &'a Block<CROSSED>,
    /// Generates the moves to take back, where they are not just the slides that close no mill.
    exits: Option<&'a Exits<'a>>,
    /// For each position of the block the number of moves not known to lose, or [`SAFE`]; 0 once the position is
    /// decided.
    counters: &'a mut [u8],
    /// The level of each decided position, and of its best exit for others.
    levels: &'a mut [L],
    /// The sets of slots by rank.
    slots: &'a [u32],
    /// The set that receives the decided positions.
    decided: &'a Frontier,
}

/// The first index of a level in `levels`. Compares whole stretches at once.
fn find<L: Copy + PartialEq>(level: L, levels: &[L]) -> Option<usize> {
    const STRETCH: usize = 32;
    let has_level = |stretch: &[L]| {
        stretch.iter().fold(0, |found, &other| found | u8::from(other == level)) != 0
    };
    let stretches = levels.chunks_exact(STRETCH).take_while(|stretch| !has_level(stretch)).count();
    let start = stretches * STRETCH;
    levels[start..].iter().position(|&other| other == level).map(|place| start + place)
}

/// A buffer of decided positions that have not been written yet.
struct New<'a> {
    /// The images of the opponent's men.
    standing: &'a [SquareSet; Symmetry::COUNT],
    positions: [Decided; BATCH],
    count: usize,
    written: u64,
}

#[derive(Clone, Copy, Default)]
struct Decided {
    rank: u32,
    slots: u32,
}

/// The maximum number of predecessors of a position: one for each directed edge, or 4 * 20 for four men that fly while
/// the opponent has none on the board, plus one for a pass.
const MOST_MOVES: usize = 81;

impl<const CROSSED: bool, L: Copy + PartialEq> BlockLevel<'_, CROSSED, L> {
    /// Decides positions by the quiet moves that lead to `replies`, given by rank, and by exits if `has_exits`: the
    /// first move decides a win (`WINS`), the last one a loss. Returns their number.
    fn decide<const WINS: bool>(
        &mut self,
        replies: impl Iterator<Item = usize>,
        has_exits: bool,
    ) -> u64 {
        let standing = Symmetry::images(self.block.standing);
        let positions = [Decided::default(); BATCH];
        let mut new = New { standing: &standing, positions, count: 0, written: 0 };
        for reply in replies {
            self.take_back::<WINS>(self.slots[reply], &mut new);
            self.write_if_full(&mut new);
        }
        let mut rank = 0;
        while has_exits && let Some(more) = find(self.level, &self.levels[rank..]) {
            rank += more;
            new.positions[new.count] = Decided { rank: rank as u32, slots: self.slots[rank] };
            new.count += usize::from(reach::<WINS>(&mut self.counters[rank]));
            self.write_if_full(&mut new);
            rank += 1;
        }
        self.write(&mut new);
        new.written
    }

    /// Takes back every quiet move that leads to the men on a set of slots.
    ///
    /// Men in mills do not count, since their moves would have closed the mill.
    fn take_back<const WINS: bool>(&mut self, slots: u32, new: &mut New) {
        let men = self.block.men(slots);
        let quiet = men - Block::<CROSSED>::in_mills(men);
        let mut count = new.count;
        let mut visit = |before: u32| {
            let rank = rank(before);
            new.positions[count] = Decided { rank: rank as u32, slots: before };
            count += usize::from(reach::<WINS>(&mut self.counters[rank]));
        };
        match self.exits {
            None => self.block.take_back(slots, men, quiet, visit),
            Some(exits) => {
                let standing = self.block.standing;
                for before in exits.before(men, standing) {
                    visit(compress(before, !standing));
                }
            }
        }
        new.count = count;
    }

    fn write_if_full(&mut self, new: &mut New) {
        if new.count > BATCH - MOST_MOVES {
            self.write(new);
        }
    }

    #[inline(never)]
    fn write(&mut self, new: &mut New) {
        let positions = &new.positions[..new.count];
        for position in positions {
            self.levels[position.rank as usize] = self.level;
        }
        let men = positions.iter().map(|position| self.block.men(position.slots));
        self.decided.insert(men, new.standing);
        new.written += new.count as u64;
        new.count = 0;
    }
}

/// Updates the counter of a position for one more move of this level. Returns whether that decides the position.
///
/// Branchless, since the branches would be unpredictable.
fn reach<const WINS: bool>(counter: &mut u8) -> bool {
    let is_open = if WINS { *counter != 0 } else { *counter != 0 && *counter != SAFE };
    let left = if WINS { 0 } else { *counter - u8::from(is_open) };
    *counter = left;
    is_open && left == 0
}
