//! Propagation, level by level: from the positions decided at one distance to those from which quiet
//! moves lead to them.

use bytemuck::Pod;
use rayon::prelude::*;

use super::SolveError;
use super::block::Block;
use super::block_level::BlockLevel;
use super::exits::Exits;
use super::frontier::Frontier;
use super::initial::{Levels, SectorState, UNDECIDED};
use super::known::Known;
use super::store::Store;
use crate::tablebase::observer::{SolveObserver, check};
use crate::tablebase::solved::Solved;
use crate::tablebase::value::Value;

/// Decides all positions of a pair of sectors, given after initialisation.
///
/// # Errors
///
/// When the observer stops it, and, if distances are wanted, when one is too long for a value.
pub fn propagate<const CROSSED: bool>(
    mut pair: Vec<SectorState<u8>>,
    exits: &[Exits<'_>],
) -> Result<Vec<Solved>, SolveError> {
    let &Known { observer, requires_distances, .. } = exits[0].known;
    let frontiers = || pair.iter().map(|one| Frontier::empty(one.sector)).collect();
    let mut last: Vec<Frontier> = frontiers();
    let mut next: Vec<Frontier> = frontiers();
    let has_exits =
        |level: &u8| pair.iter().any(|one| one.exits.iter().any(|exits| exits.contains(*level)));
    let last_exit = (0..=Value::MOST_TURNS).rev().find(has_exits);
    let mut idle_levels = 0;
    // Without distances the last two levels go on until nothing more is decided.
    let last_levels = [Value::MOST_TURNS - 1, Value::MOST_TURNS].into_iter().cycle();
    let levels = (0..=Value::MOST_TURNS).map(|level| (level, true));
    for (level, is_first) in levels.chain(last_levels.map(|level| (level, false))) {
        let mut decided = 0;
        // Exits are looked at when a level comes first.
        let has_exits = |_, exits: &Levels| is_first && exits.contains(level);
        for (index, (one, exits)) in pair.iter_mut().zip(exits).enumerate() {
            let asked = Some(exits).filter(|exits| !exits.is_plain());
            let frontiers = [&last[last.len() - 1 - index], &next[index]];
            decided += if level % 2 == 1 {
                one.decide::<CROSSED, true>(level, asked, has_exits, frontiers, observer)?
            } else {
                one.decide::<CROSSED, false>(level, asked, has_exits, frontiers, observer)?
            };
        }
        if requires_distances && level >= Value::MOST_TURNS - 1 && decided > 0 {
            return Err(SolveError::TooLong(pair[0].sector));
        }
        std::mem::swap(&mut last, &mut next);
        idle_levels = if decided == 0 { idle_levels + 1 } else { 0 };
        let is_over = last_exit.is_none_or(|last| level >= last);
        // A level depends on the one before it, and wins and losses alternate.
        if is_over && idle_levels >= 2 {
            break;
        }
    }
    drop((last, next));
    // All counters are dropped before any distance is read from a file.
    let finish = |one: SectorState<u8>| one.finish(UNDECIDED, observer);
    let levels = pair.into_iter().map(finish).collect::<Result<Vec<Store<u8>>, _>>()?;
    let solved = levels.into_iter().map(|levels| {
        Ok(Solved::from_values(levels.sector, Value::all_from_turns(levels.into_numbers()?)))
    });
    solved.collect()
}

impl<L: Pod + PartialEq + Send + Sync> SectorState<L> {
    /// Decides the positions of a level: as won (`WINS`) if any quiet move leads to one of `replies`, else if all do.
    /// Returns their number.
    ///
    /// * `asked`: what is asked which moves can be taken back, where that is not only those that closed no mill.
    /// * `has_exits`: whether exits decide positions of a block, given its number and the levels of its exits.
    /// * `replies`, `decided`: the positions of the level before, and what gets those found here.
    pub fn decide<const CROSSED: bool, const WINS: bool>(
        &mut self,
        level: L,
        asked: Option<&Exits<'_>>,
        has_exits: impl Fn(usize, &Levels) -> bool + Sync,
        [replies, decided]: [&Frontier; 2],
        observer: &dyn SolveObserver,
    ) -> Result<u64, SolveError> {
        let Self { sector, flies, counters, levels, exits, slots } = self;
        let len = sector.block_len();
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

    /// The levels of all positions, given that of those that are undecided.
    pub fn finish(self, level: L, observer: &dyn SolveObserver) -> Result<Store<L>, SolveError> {
        let Self { sector, counters, mut levels, .. } = self;
        let blocks = counters.par_chunks(sector.block_len()).zip(levels.blocks());
        blocks.try_for_each(|(counters, levels)| {
            check(observer)?;
            let undecided = levels.with(|levels| {
                let undecided =
                    levels.iter_mut().zip(counters).filter(|(_, counter)| **counter != 0);
                undecided.map(|(found, _)| *found = level).count() as u64
            })?;
            observer.advance(undecided);
            Ok::<(), SolveError>(())
        })?;
        Ok(levels)
    }
}
