//! Level by level, from decided positions to those that come to them.

use rayon::prelude::*;

use super::Solved;
use super::block::{Block, PlaceRanks};
use super::frontier::Frontier;
use super::start::{SAFE, Start};
use crate::board::{Diagonals, lines};
use crate::knowledge::endgame::classes::Classes;
use crate::knowledge::endgame::ranks::sets;
use crate::knowledge::endgame::sector::Sector;
use crate::knowledge::endgame::value::Value;

/// A sector while its positions are decided.
struct Spreading {
    start: Start,
    values: Vec<Value>,
    /// The sets of places by rank, the same for every block.
    places: Vec<u32>,
    ranks: PlaceRanks,
}

/// Decides all positions of a sector and of the one that it replies to.
pub fn spread(starts: Vec<Start>) -> Vec<Solved> {
    let mut pair: Vec<Spreading> = starts.into_iter().map(Spreading::new).collect();
    let frontiers = || pair.iter().map(|one| Frontier::empty(one.start.sector)).collect();
    let mut last: Vec<Frontier> = frontiers();
    let mut next: Vec<Frontier> = frontiers();
    let deepest_mill = pair.iter().filter_map(|one| one.deepest_mill()).max();
    let mut idle_levels = 0;
    for level in 0..=Value::MOST_PLIES {
        let mut decided = 0;
        for (index, spreading) in pair.iter_mut().enumerate() {
            let replies = &last[last.len() - 1 - index];
            decided += spreading.decide(level, replies, &next[index]);
        }
        std::mem::swap(&mut last, &mut next);
        idle_levels = if decided == 0 { idle_levels + 1 } else { 0 };
        let is_over = deepest_mill.is_none_or(|deepest| level >= deepest);
        if is_over && idle_levels == 2 {
            break;
        }
    }
    pair.into_iter().map(|one| Solved { sector: one.start.sector, values: one.values }).collect()
}

impl Spreading {
    fn new(start: Start) -> Self {
        let sector = start.sector;
        let free = crate::board::Square::COUNT - sector.opponent();
        Self {
            values: vec![Value::DRAW; start.mills.len()],
            places: sets(free, sector.own()).collect(),
            ranks: PlaceRanks::of(sector.own()),
            start,
        }
    }

    /// The last level at which a closed mill decides something.
    fn deepest_mill(&self) -> Option<u8> {
        let has = |level: &u8| self.start.levels.iter().any(|levels| levels.contains(*level));
        (0..=Value::MOST_PLIES).rev().find(has)
    }

    /// Decides the positions that end in so many plies; how many they are.
    ///
    /// `replies` has the positions one ply nearer to the end, `decided` gets those found here.
    fn decide(&mut self, level: u8, replies: &Frontier, decided: &Frontier) -> u64 {
        let Self { start: Start { sector, open, mills, levels }, values, places, ranks } = self;
        let len = sector.block_len();
        let classes = Classes::of(sector.opponent());
        let blocks = open.par_chunks_mut(len).zip(mills.par_chunks(len));
        let blocks = blocks.zip(values.par_chunks_mut(len)).enumerate();
        let counts = blocks.map(|(number, ((open, mills), values))| {
            if !replies.is_used(number) && !levels[number].contains(level) {
                return 0;
            }
            let block = Block::new(classes.leader(number));
            let mut deciding = Deciding { level, open, values, new: Vec::new() };
            for rank in replies.take(number) {
                deciding.spread_from(&block, *sector, places[rank], ranks);
            }
            if levels[number].contains(level) {
                deciding.apply_mills(mills, places);
            }
            for places in &deciding.new {
                decided.insert(block.men(*places), block.standing);
            }
            deciding.new.len() as u64
        });
        counts.sum()
    }
}

/// A block at one level.
struct Deciding<'a> {
    level: u8,
    open: &'a mut [u8],
    values: &'a mut [Value],
    /// The places of the men to move in the positions decided.
    new: Vec<u32>,
}

impl Deciding<'_> {
    /// Takes back every quiet move that leads to the men on a set of places.
    ///
    /// A man in a mill has closed it with its last move, which was not quiet then.
    #[inline]
    fn spread_from(&mut self, block: &Block, sector: Sector, places: u32, ranks: &PlaceRanks) {
        let men = block.men(places);
        for to in men - lines::in_mills(men, Diagonals::Without) {
            let rest = places ^ block.place(to);
            for from in block.ways(to, men, sector.own() == 3) {
                let before = rest | block.place(from);
                self.reach(ranks.rank(before), before);
            }
        }
    }

    /// Lets the closed mills that end at this level decide.
    fn apply_mills(&mut self, mills: &[Value], places: &[u32]) {
        let level = Value::ends_in(self.level);
        for (rank, _) in mills.iter().enumerate().filter(|(_, mill)| **mill == level) {
            self.reach(rank, places[rank]);
        }
    }

    /// Has one more move of a position end at this level.
    #[inline]
    fn reach(&mut self, rank: usize, places: u32) {
        if self.values[rank] != Value::DRAW {
            return;
        }
        let is_win = self.level % 2 == 1;
        if !is_win {
            if self.open[rank] == SAFE {
                return;
            }
            self.open[rank] -= 1;
        }
        if is_win || self.open[rank] == 0 {
            self.values[rank] = Value::ends_in(self.level);
            self.new.push(places);
        }
    }
}
