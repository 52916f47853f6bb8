//! Spreading values through quiet moves: from the positions decided at one level to those from which quiet
//! moves lead to them.

use std::iter;

use rayon::prelude::*;

use super::initial::DrawState;
use crate::board::Square;
use crate::tablebase::observer::{SolveObserver, Stopped, check};
use crate::tablebase::orbits::Orbits;
use crate::tablebase::ranks::{SlotRanks, sets};
use crate::tablebase::solve::block::Block;
use crate::tablebase::solve::block_level::BlockLevel;
use crate::tablebase::solve::frontier::Frontier;
use crate::tablebase::solve::initial::Levels;
use crate::tablebase::solved_draws::DrawCode;

/// The highest rank that a game may have.
const HIGHEST: i8 = 63;

/// A sector with what spreading looks up.
struct Spread {
    state: DrawState,
    /// The sets of slots by rank, the same for every block.
    slots: Vec<u32>,
    ranks: SlotRanks,
}

/// The positions decided at the last level, and those at this one.
struct Frontiers {
    last: Frontier,
    next: Frontier,
}

impl Frontiers {
    fn of(one: &Spread) -> Self {
        let empty = || Frontier::empty(one.state.sector);
        Self { last: empty(), next: empty() }
    }

    fn advance(&mut self) {
        std::mem::swap(&mut self.last, &mut self.next);
    }
}

/// Decides all draws of a pair of sectors, given after initialisation: the codes of each.
///
/// # Errors
///
/// When the observer stops it.
pub fn spread<const CROSSED: bool>(
    states: Vec<DrawState>,
    observer: &dyn SolveObserver,
) -> Result<Vec<Vec<DrawCode>>, Stopped> {
    let mut pair: Vec<Spread> = states.into_iter().map(Spread::new).collect();
    // Each side in turn gains what the other one loses; with equal men both are in one sector.
    for gaining in 0..pair.len() {
        let sides = [gaining, pair.len() - 1 - gaining];
        let mut frontiers = sides.map(|side| Frontiers::of(&pair[side]));
        for value in (pair[gaining].state.rank + 1..=HIGHEST).rev() {
            spread_value::<CROSSED>(&mut pair, sides, value, &mut frontiers, observer)?;
        }
        observer.advance(pair[gaining].state.sector.len() as u64);
    }
    Ok(pair.into_iter().map(Spread::finish).collect())
}

/// Decides the positions from which one side forces its way to a value above the rank of its sector, and
/// those from which the other side cannot avoid it.
fn spread_value<const CROSSED: bool>(
    pair: &mut [Spread],
    [gaining, losing]: [usize; 2],
    value: i8,
    [gained, lost]: &mut [Frontiers; 2],
    observer: &dyn SolveObserver,
) -> Result<(), Stopped> {
    let exits = [pair[gaining].exits_to(value), pair[losing].exits_to(-value)];
    let has_exit = |turns: &u8| exits.iter().flatten().any(|levels| levels.contains(*turns));
    let Some(last_exit) = (0..=u8::MAX).rev().find(has_exit) else { return Ok(()) };
    // What takes more turns than can be said goes on until nothing more is decided.
    let turns = (1..=u8::MAX).map(|turns| (turns, true)).chain(iter::repeat((u8::MAX, false)));
    for (turns, is_first) in turns {
        let exits = exits.each_ref().map(|exits| is_first.then_some(&exits[..]));
        let level = Stage { turns, exits: exits[0], value };
        let mut decided =
            pair[gaining].decide::<CROSSED, true>(level, &lost.last, &gained.next, observer)?;
        let level = Stage { turns, exits: exits[1], value: -value };
        decided +=
            pair[losing].decide::<CROSSED, false>(level, &gained.last, &lost.next, observer)?;
        gained.advance();
        lost.advance();
        if decided == 0 && turns >= last_exit {
            break;
        }
    }
    Ok(())
}

/// A level of a sector.
#[derive(Clone, Copy)]
struct Stage<'a> {
    value: i8,
    turns: u8,
    /// For each block the turns of its exits to the value, if exits are looked at.
    exits: Option<&'a [Levels]>,
}

impl Spread {
    fn new(state: DrawState) -> Self {
        let (own, opponent) = (state.sector.own(), state.sector.opponent());
        let slots = sets(Square::COUNT - opponent, own).collect();
        Self { state, slots, ranks: SlotRanks::of(own) }
    }

    /// The codes of all positions; draws that are undecided are at rest.
    fn finish(self) -> Vec<DrawCode> {
        let DrawState { rank, counters, mut codes, .. } = self.state;
        let undecided = codes.par_iter_mut().zip(counters).filter(|(_, counter)| *counter != 0);
        undecided.for_each(|(code, _)| *code = DrawCode::drawn(rank, 0));
        codes
    }

    /// For each block the turns of its exits to a value, none if no block has any.
    fn exits_to(&self, value: i8) -> Vec<Levels> {
        let DrawState { sector, codes, exits, .. } = &self.state;
        if !exits.iter().any(|exits| exits.contains(value)) {
            return Vec::new();
        }
        let blocks = codes.par_chunks(sector.block_len()).zip(exits);
        let levels = blocks.map(|(codes, exits)| {
            let mut levels = Levels::default();
            if exits.contains(value) {
                let draws = codes.iter().filter_map(|code| code.draw());
                draws
                    .filter(|(rank, _)| *rank == value)
                    .for_each(|(_, turns)| levels.insert(turns));
            }
            levels
        });
        levels.collect()
    }

    /// Decides the positions of a level: as gained (`GAINS`) if any move leads to one of `replies`, else if
    /// all do. Returns their number.
    fn decide<const CROSSED: bool, const GAINS: bool>(
        &mut self,
        Stage { value, turns, exits }: Stage<'_>,
        replies: &Frontier,
        decided: &Frontier,
        observer: &dyn SolveObserver,
    ) -> Result<u64, Stopped> {
        let Self { state, slots, ranks } = self;
        let DrawState { sector, flies, counters, codes, .. } = state;
        let len = sector.block_len();
        let orbits = Orbits::of(sector.opponent());
        let blocks = counters.par_chunks_mut(len).zip(codes.par_chunks_mut(len)).enumerate();
        let counts = blocks.map(|(number, (counters, levels))| {
            let exits = exits.and_then(|exits| exits.get(number));
            let has_exits = exits.is_some_and(|exits| exits.contains(turns));
            if !replies.is_used(number) && !has_exits {
                return Ok(0);
            }
            check(observer)?;
            let block = &Block::<CROSSED>::new(orbits.representative(number), *flies);
            let level = DrawCode::drawn(value, turns);
            let mut block_level =
                BlockLevel { level, block, exits: None, counters, levels, slots, ranks, decided };
            Ok(block_level.decide::<GAINS>(replies.take(number), has_exits))
        });
        counts.try_reduce(|| 0, |some, more| Ok(some + more))
    }
}
