//! Propagation, level by level: from the positions decided at one distance to those from which quiet
//! moves lead to them.

use memchr::memchr;
use rayon::prelude::*;

use super::SolveError;
use super::block::Block;
use super::exits::Exits;
use super::frontier::{BATCH, Frontier};
use super::initial::{SAFE, State, UNDECIDED};
use crate::board::{Square, SquareSet, Symmetry};
use crate::tablebase::observer::{SolveObserver, Stopped, check};
use crate::tablebase::orbits::Orbits;
use crate::tablebase::ranks::{SlotRanks, compress, sets};
use crate::tablebase::value::Value;

/// A sector with what propagation looks up.
struct Propagation<'a> {
    state: State,
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
    states: Vec<State>,
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
        if has_distances && level == Value::MOST_TURNS && decided > 0 {
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
    let values = pair.into_iter().map(|one| one.finish(observer)).collect::<Result<_, _>>();
    Ok(values?)
}

impl<'a> Propagation<'a> {
    fn new(state: State, exits: &'a Exits<'a>) -> Self {
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
    ) -> Result<u64, Stopped> {
        let Self { state, exits, slots, ranks } = self;
        let State { sector, flies, counters, distances, levels } = state;
        let is_plain = exits.is_plain();
        let len = sector.block_len();
        let orbits = Orbits::of(sector.opponent());
        let blocks = counters.par_chunks_mut(len).zip(distances.par_chunks_mut(len)).enumerate();
        let counts = blocks.map(|(number, (counters, distances))| {
            let has_exits = is_first && levels[number].contains(level);
            if !replies.is_used(number) && !has_exits {
                return Ok(0);
            }
            check(observer)?;
            let block = &Block::<CROSSED>::new(orbits.representative(number), *flies);
            let exits = (!is_plain).then_some(*exits);
            let mut block_level =
                BlockLevel { level, block, exits, counters, distances, slots, ranks, decided };
            let count = block_level.decide(replies.take(number), has_exits);
            observer.advance(count);
            Ok(count)
        });
        counts.try_reduce(|| 0, |some, more| Ok(some + more))
    }

    /// The values of all positions; those that are undecided are drawn.
    fn finish(self, observer: &dyn SolveObserver) -> Result<Vec<Value>, Stopped> {
        let State { sector, counters, mut distances, .. } = self.state;
        let len = sector.block_len();
        let blocks = counters.par_chunks(len).zip(distances.par_chunks_mut(len));
        blocks.try_for_each(|(counters, distances)| {
            check(observer)?;
            let undecided =
                distances.iter_mut().zip(counters).filter(|(_, counter)| **counter != 0);
            observer.advance(undecided.map(|(distance, _)| *distance = UNDECIDED).count() as u64);
            Ok(())
        })?;
        Ok(Value::all_from_turns(distances))
    }
}

/// A block whose positions at one level are decided.
struct BlockLevel<'a, const CROSSED: bool> {
    level: u8,
    block: &'a Block<CROSSED>,
    /// What is asked which moves can be taken back, where that is not only those that closed no mill.
    exits: Option<&'a Exits<'a>>,
    /// The parts of [`State::counters`] and [`State::distances`] that belong to the block.
    counters: &'a mut [u8],
    distances: &'a mut [u8],
    /// The sets of slots by rank.
    slots: &'a [u32],
    ranks: &'a SlotRanks,
    /// Where the decided positions go.
    decided: &'a Frontier,
}

/// Decided positions that have not been written yet.
struct New<'a> {
    /// The images of the opponent's men.
    standing: &'a [SquareSet; Symmetry::COUNT],
    positions: [Found; BATCH],
    count: usize,
    written: u64,
}

#[derive(Clone, Copy, Default)]
struct Found {
    rank: u32,
    slots: u32,
}

/// The most positions from which one move leads to the same position: one for each directed edge or, for
/// four men that fly where the opponent has none on the board, 4 * 20; and one that passes.
const MOST_MOVES: usize = 81;

impl<const CROSSED: bool> BlockLevel<'_, CROSSED> {
    /// Decides the positions from which a quiet move leads to one of `replies`, given by rank, and if
    /// `has_exits` those that an exit decides. Returns their number.
    fn decide(&mut self, replies: impl Iterator<Item = usize>, has_exits: bool) -> u64 {
        if self.level % 2 == 1 {
            self.decide_all::<true>(replies, has_exits)
        } else {
            self.decide_all::<false>(replies, has_exits)
        }
    }

    #[inline]
    fn decide_all<const WINS: bool>(
        &mut self,
        replies: impl Iterator<Item = usize>,
        has_exits: bool,
    ) -> u64 {
        let standing = Symmetry::images(self.block.standing);
        let positions = [Found::default(); BATCH];
        let mut new = New { standing: &standing, positions, count: 0, written: 0 };
        for reply in replies {
            self.take_back::<WINS>(self.slots[reply], &mut new);
            self.write_if_full(&mut new);
        }
        let mut rank = 0;
        while has_exits && let Some(more) = memchr(self.level, &self.distances[rank..]) {
            rank += more;
            new.positions[new.count] = Found { rank: rank as u32, slots: self.slots[rank] };
            new.count += usize::from(reach::<WINS>(&mut self.counters[rank]));
            self.write_if_full(&mut new);
            rank += 1;
        }
        self.write(&mut new);
        new.written
    }

    /// Takes back every quiet move that leads to the men on a set of slots.
    ///
    /// A man in a mill did not get there by a quiet move: it closed the mill.
    #[inline]
    fn take_back<const WINS: bool>(&mut self, slots: u32, new: &mut New) {
        let men = self.block.men(slots);
        let quiet = men - Block::<CROSSED>::in_mills(men);
        let mut count = new.count;
        let mut visit = |before: u32| {
            let rank = self.ranks.rank(before) as u32;
            new.positions[count] = Found { rank, slots: before };
            count += usize::from(reach::<WINS>(&mut self.counters[rank as usize]));
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

    #[inline]
    fn write_if_full(&mut self, new: &mut New) {
        if new.count > BATCH - MOST_MOVES {
            self.write(new);
        }
    }

    #[inline(never)]
    fn write(&mut self, new: &mut New) {
        let positions = &new.positions[..new.count];
        for position in positions {
            self.distances[position.rank as usize] = self.level;
        }
        let men = positions.iter().map(|position| self.block.men(position.slots));
        self.decided.insert(men, new.standing);
        new.written += new.count as u64;
        new.count = 0;
    }
}

/// Counts one more move of a position that is known at this level. Returns whether that decides it.
///
/// Free of branches, since no branch predictor could guess them.
#[inline]
fn reach<const WINS: bool>(counter: &mut u8) -> bool {
    let is_open = if WINS { *counter != 0 } else { *counter != 0 && *counter != SAFE };
    let left = if WINS { 0 } else { *counter - u8::from(is_open) };
    *counter = left;
    is_open && left == 0
}
