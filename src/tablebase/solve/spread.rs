//! Level by level, from decided positions to those that come to them.

use rayon::prelude::*;

use super::block::Block;
use super::deciding::Deciding;
use super::frontier::Frontier;
use super::place_ranks::PlaceRanks;
use super::start::{Start, UNDECIDED};
use crate::board::Square;
use crate::tablebase::classes::Classes;
use crate::tablebase::ranks::sets;
use crate::tablebase::value::Value;
use crate::tablebase::watcher::{Stopped, Watcher, check};

/// A sector while its positions are decided.
struct Spreading {
    start: Start,
    /// The sets of places by rank, the same for every block.
    places: Vec<u32>,
    ranks: PlaceRanks,
}

/// Decides all positions of a sector and of the one that it replies to: the values of each.
pub fn spread(starts: Vec<Start>, watcher: &dyn Watcher) -> Result<Vec<Vec<Value>>, Stopped> {
    let mut pair: Vec<Spreading> = starts.into_iter().map(Spreading::new).collect();
    let frontiers = || pair.iter().map(|one| Frontier::empty(one.start.sector)).collect();
    let mut last: Vec<Frontier> = frontiers();
    let mut next: Vec<Frontier> = frontiers();
    let deepest_mill = pair.iter().filter_map(Spreading::deepest_mill).max();
    let mut idle_levels = 0;
    for level in 0..=Value::MOST_PLIES {
        let mut decided = 0;
        for (index, spreading) in pair.iter_mut().enumerate() {
            let replies = &last[last.len() - 1 - index];
            decided += spreading.decide(level, replies, &next[index], watcher)?;
        }
        std::mem::swap(&mut last, &mut next);
        idle_levels = if decided == 0 { idle_levels + 1 } else { 0 };
        let is_over = deepest_mill.is_none_or(|deepest| level >= deepest);
        // A level draws on the one before it.
        if is_over && idle_levels >= 2 {
            break;
        }
    }
    pair.into_iter().map(|one| one.finish(watcher)).collect()
}

impl Spreading {
    fn new(start: Start) -> Self {
        let (own, opponent) = (start.sector.own(), start.sector.opponent());
        let places = sets(Square::COUNT - opponent, own).collect();
        Self { start, places, ranks: PlaceRanks::of(own) }
    }

    /// The last level at which a closed mill decides something.
    fn deepest_mill(&self) -> Option<u8> {
        let has = |level: &u8| self.start.levels.iter().any(|levels| levels.contains(*level));
        (0..=Value::MOST_PLIES).rev().find(has)
    }

    /// Decides the positions that end in so many plies; how many they are.
    ///
    /// `replies` has the positions one ply nearer to the end, `decided` gets those found here.
    fn decide(
        &mut self,
        level: u8,
        replies: &Frontier,
        decided: &Frontier,
        watcher: &dyn Watcher,
    ) -> Result<u64, Stopped> {
        let Self { start: Start { sector, open, plies, levels }, places, ranks } = self;
        let len = sector.block_len();
        let classes = Classes::of(sector.opponent());
        let blocks = open.par_chunks_mut(len).zip(plies.par_chunks_mut(len)).enumerate();
        let counts = blocks.map(|(number, (open, plies))| {
            let has_mills = levels[number].contains(level);
            if !replies.is_used(number) && !has_mills {
                return Ok(0);
            }
            check(watcher)?;
            let block = &Block::new(classes.leader(number), sector.own());
            let mut deciding = Deciding { level, block, open, plies, places, ranks, decided };
            let count = deciding.decide(replies.take(number), has_mills);
            watcher.advance(count);
            Ok(count)
        });
        counts.try_reduce(|| 0, |some, more| Ok(some + more))
    }

    /// The values of all positions; those still undecided are drawn.
    fn finish(self, watcher: &dyn Watcher) -> Result<Vec<Value>, Stopped> {
        let Start { sector, open, mut plies, .. } = self.start;
        let len = sector.block_len();
        let blocks = open.par_chunks(len).zip(plies.par_chunks_mut(len));
        blocks.try_for_each(|(open, plies)| {
            check(watcher)?;
            let undecided = plies.iter_mut().zip(open).filter(|(_, open)| **open != 0);
            watcher.advance(undecided.map(|(plies, _)| *plies = UNDECIDED).count() as u64);
            Ok(())
        })?;
        Ok(Value::all_from_plies(plies))
    }
}
