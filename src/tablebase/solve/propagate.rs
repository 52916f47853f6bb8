//! Propagation, level by level: from the positions decided at one distance to those from which quiet
//! moves lead to them.

use rayon::prelude::*;

use super::SolveError;
use super::block::Block;
use super::block_level::BlockLevel;
use super::exits::Exits;
use super::frontier::Frontier;
use super::initial::{SectorState, UNDECIDED};
use super::store::Store;
use crate::board::Square;
use crate::tablebase::observer::{SolveObserver, check};
use crate::tablebase::orbits::Orbits;
use crate::tablebase::ranks::{SlotRanks, sets};
use crate::tablebase::value::Value;

/// A sector with what propagation looks up.
struct Propagation<'a> {
    state: SectorState,
    exits: &'a Exits<'a>,
    /// The sets of slots by rank, the same for every block.
    slots: Vec<u32>,
    ranks: SlotRanks,
}

/// Decides all positions of a pair of sectors, given after initialisation: the values of each.
///
/// # Errors
///
/// When the observer stops it, and, if distances are wanted, when one is too long for a value.
pub fn propagate<const CROSSED: bool>(
    states: Vec<SectorState>,
    exits: &[Exits<'_>],
    has_distances: bool,
    observer: &dyn SolveObserver,
) -> Result<Vec<Vec<Value>>, SolveError> {
    let states = states.into_iter().zip(exits);
    let mut pair: Vec<Propagation<'_>> =
        states.map(|(state, exits)| Propagation::new(state, exits)).collect();
    let frontiers = || pair.iter().map(|one| Frontier::empty(one.state.sector)).collect();
    let mut last: Vec<Frontier> = frontiers();
    let mut next: Vec<Frontier> = frontiers();
    let deepest_mill = pair.iter().filter_map(Propagation::deepest_mill).max();
    let mut idle_levels = 0;
    // Without distances the last two levels go on until nothing more is decided.
    let last_levels = [Value::MOST_TURNS - 1, Value::MOST_TURNS].into_iter().cycle();
    let levels = (0..=Value::MOST_TURNS).map(|level| (level, true));
    for (level, is_first) in levels.chain(last_levels.map(|level| (level, false))) {
        let mut decided = 0;
        for (index, one) in pair.iter_mut().enumerate() {
            let replies = &last[last.len() - 1 - index];
            decided += one.decide::<CROSSED>((level, is_first), replies, &next[index], observer)?;
        }
        if has_distances && level >= Value::MOST_TURNS - 1 && decided > 0 {
            return Err(SolveError::TooLong(pair[0].state.sector));
        }
        std::mem::swap(&mut last, &mut next);
        idle_levels = if decided == 0 { idle_levels + 1 } else { 0 };
        let is_over = deepest_mill.is_none_or(|deepest| level >= deepest);
        // A level depends on the one before it, and wins and losses alternate.
        if is_over && idle_levels >= 2 {
            break;
        }
    }
    drop((last, next));
    // All counters are dropped before any distance is read from a file.
    let distances =
        pair.into_iter().map(|one| one.finish(observer)).collect::<Result<Vec<Store>, _>>()?;
    let values =
        distances.into_iter().map(|distances| Ok(Value::all_from_turns(distances.into_bytes()?)));
    values.collect()
}

impl<'a> Propagation<'a> {
    fn new(state: SectorState, exits: &'a Exits<'a>) -> Self {
        let (own, opponent) = (state.sector.own(), state.sector.opponent());
        let slots = sets(Square::COUNT - opponent, own).collect();
        Self { state, exits, slots, ranks: SlotRanks::of(own) }
    }

    /// The last level at which an exit decides a position.
    fn deepest_mill(&self) -> Option<u8> {
        let has = |level: &u8| self.state.levels.iter().any(|levels| levels.contains(*level));
        (0..=Value::MOST_TURNS).rev().find(has)
    }

    /// Decides the positions whose distance is `level`. Returns their number.
    ///
    /// `replies` has the positions one level below, `decided` gets those found here. Exits are looked at
    /// when a level comes first.
    fn decide<const CROSSED: bool>(
        &mut self,
        (level, is_first): (u8, bool),
        replies: &Frontier,
        decided: &Frontier,
        observer: &dyn SolveObserver,
    ) -> Result<u64, SolveError> {
        let Self { state, exits, slots, ranks } = self;
        let SectorState { sector, flies, counters, distances, levels } = state;
        let is_plain = exits.is_plain();
        let len = sector.block_len();
        let orbits = Orbits::of(sector.opponent());
        let blocks = counters.par_chunks_mut(len).zip(distances.blocks()).enumerate();
        let counts = blocks.map(|(number, (counters, distances))| {
            let has_exits = is_first && levels[number].contains(level);
            if !replies.is_used(number) && !has_exits {
                return Ok(0);
            }
            check(observer)?;
            let block = &Block::<CROSSED>::new(orbits.representative(number), *flies);
            let exits = (!is_plain).then_some(*exits);
            let replies = replies.take(number);
            let count = distances.with(|levels| {
                let mut block_level =
                    BlockLevel { level, block, exits, counters, levels, slots, ranks, decided };
                if level % 2 == 1 {
                    block_level.decide::<true>(replies, has_exits)
                } else {
                    block_level.decide::<false>(replies, has_exits)
                }
            })?;
            observer.advance(count);
            Ok(count)
        });
        counts.try_reduce(|| 0, |some, more| Ok(some + more))
    }

    /// The distances of all positions; those that are undecided are drawn.
    fn finish(self, observer: &dyn SolveObserver) -> Result<Store, SolveError> {
        let SectorState { sector, counters, mut distances, .. } = self.state;
        let blocks = counters.par_chunks(sector.block_len()).zip(distances.blocks());
        blocks.try_for_each(|(counters, distances)| {
            check(observer)?;
            let undecided = distances.with(|distances| {
                let undecided =
                    distances.iter_mut().zip(counters).filter(|(_, counter)| **counter != 0);
                undecided.map(|(distance, _)| *distance = UNDECIDED).count() as u64
            })?;
            observer.advance(undecided);
            Ok::<(), SolveError>(())
        })?;
        Ok(distances)
    }
}
