//! Initialisation: the counter and the best exit of each position before any quiet move is taken back.

use std::path::Path;

use rayon::prelude::*;

use super::block::{Block, board};
use super::exits::{self, Exits, MoveSummary};
use super::known::Known;
use super::store::Store;
use super::{SolveError, check};
use crate::board::{Square, SquareSet, lines};
use crate::system::memory::zeros;
use crate::tablebase::sector::Sector;
use crate::tablebase::sets::sets;
use crate::tablebase::value::Value;

/// A sector while it is being solved. Levels of positions are distances in turns, or codes of draws.
pub struct SectorState<L> {
    pub sector: Sector,
    pub flies: bool,
    /// For each position the number of moves not known to lose, or [`SAFE`]; 0 once the position is decided.
    pub counters: Vec<u8>,
    /// The level of each decided position. For others the level of the best exit, or the level of undecided positions
    /// if no exit decides the position.
    pub levels: Store<L>,
    /// For each block the levels at which an exit decides a position; for draws the ranks.
    pub exits: Vec<Levels>,
    /// The sets of slots by rank, the same for every block.
    pub slots: Vec<u32>,
}

/// The counter of a position with an exit that does not lose, which is never lost: higher than any number of moves.
pub const SAFE: u8 = u8::MAX;

/// The level of an undecided position, which is a draw in the end.
pub const UNDECIDED: u8 = u8::MAX;

/// A set of levels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Levels([u64; 4]);

impl Levels {
    pub fn contains(&self, level: u8) -> bool {
        self.0[usize::from(level) / 64] >> (level % 64) & 1 == 1
    }

    pub fn insert(&mut self, level: u8) {
        self.0[usize::from(level) / 64] |= 1 << (level % 64);
    }
}

impl SectorState<u8> {
    /// Initialises a sector whose inner moves are slides that close no mill. `best` holds the preference for the
    /// best exit of each position.
    pub fn of_best_exits<const CROSSED: bool>(
        exits: &Exits<'_>,
        best: Store<u8>,
    ) -> Result<Self, SolveError> {
        let Exits { sector, known, .. } = *exits;
        let flies = exits.flies();
        let loses_if_blocked = exits.loses_if_blocked();
        let len = sector.block_len();
        let mut levels = best;
        let mut counters = zeros(sector.len());
        let blocks = counters.par_chunks_mut(len).zip(levels.blocks()).enumerate();
        let found = blocks.map(|(number, (counters, levels))| {
            check(known.observer)?;
            let standing = sector.opponent_of_block(number);
            let block = Block::<CROSSED>::new(standing, flies);
            levels.with(|levels| {
                let mut found = Levels::default();
                let positions = counters.iter_mut().zip(levels);
                for (position, slots) in positions.zip(sets(block.free_slots(), sector.own())) {
                    let men = block.men(slots);
                    let known = match initial(&block, men, *position.1) {
                        Some(known) => known,
                        None if loses_if_blocked => LOST,
                        None => first(exits.judge(men, standing)?),
                    };
                    enter(known, position, &mut found);
                }
                Ok::<Levels, SolveError>(found)
            })?
        });
        let exits = found.collect::<Result<_, _>>()?;
        Ok(Self { sector, flies, counters, levels, exits, slots: slots(sector) })
    }

    /// Initialises a sector by generating all moves of each position. `parts` are the sectors that they lead to, loaded
    /// one part at a time.
    pub fn of_exits(
        sector: Sector,
        known: &mut Known<'_>,
        parts: &[&[Sector]],
        scratch: Option<&Path>,
    ) -> Result<Self, SolveError> {
        let len = sector.block_len();
        // Until the last part these are preferences for the best exit.
        let mut levels = Store::new(sector, zeros(sector.len()), scratch)?;
        let mut counters = zeros(sector.len());
        let mut found = vec![Levels::default(); sector.blocks()];
        let flies = known.game.flies(sector.own(), sector.hands()[0]);
        exits::in_parts(sector, known, parts, |exits, is_last| {
            let observer = exits.known.observer;
            let blocks = counters.par_chunks_mut(len).zip(levels.blocks());
            let blocks = blocks.zip(&mut found).enumerate();
            blocks.try_for_each(|(number, ((counters, levels), found))| {
                check(observer)?;
                let standing = sector.opponent_of_block(number);
                levels.with(|levels| {
                    let positions = counters.iter_mut().zip(levels);
                    for (position, men) in positions.zip(sector.men_of_block(number, 0)) {
                        let leads = exits.judge(men, standing)?.or_better(*position.1);
                        if is_last {
                            enter(first(leads), position, found);
                        } else {
                            *position.1 = leads.best.map_or(0, Value::preference);
                        }
                    }
                    Ok::<(), SolveError>(())
                })??;
                if is_last {
                    observer.advance(len as u64);
                }
                Ok::<(), SolveError>(())
            })
        })?;
        Ok(Self { sector, flies, counters, levels, exits: found, slots: slots(sector) })
    }
}

/// The sets of slots for the men of the side to move, by rank.
pub fn slots(sector: Sector) -> Vec<u32> {
    sets(Square::COUNT - sector.opponent(), sector.own()).collect()
}

/// Enters the counter and the best exit of a position, and adds its level to the levels of the block.
fn enter((moves, best): (u8, Value), (counter, level): (&mut u8, &mut u8), found: &mut Levels) {
    (*counter, *level) = (moves, best.turns().unwrap_or(UNDECIDED));
    if *level != UNDECIDED {
        found.insert(*level);
    }
}

/// A side without a move loses: level 0 takes its counter from 1 to 0.
const LOST: (u8, Value) = (1, Value::LOST);

/// The counter of a position, and the value of its best exit, given as a preference, or `None` if there is no move.
fn initial<const CROSSED: bool>(
    block: &Block<CROSSED>,
    men: SquareSet,
    best: u8,
) -> Option<(u8, Value)> {
    if best == 0 {
        let quiet = block.count_moves(men, block.empty(men));
        return (quiet > 0).then_some((quiet as u8, Value::DRAW));
    }
    let value = Value::preferred(best);
    // All losing exits count as one move, since only the best one matters.
    Some((if value.is_loss() { count_quiet(block, men) + 1 } else { SAFE }, value))
}

/// The counter of a position, and the value of its best exit.
fn first(leads: MoveSummary) -> (u8, Value) {
    match leads.best {
        None => (leads.inner, Value::DRAW),
        Some(best) if best.is_loss() => (leads.inner + 1, best),
        Some(best) => (SAFE, best),
    }
}

/// The number of moves that close no mill.
fn count_quiet<const CROSSED: bool>(block: &Block<CROSSED>, men: SquareSet) -> u8 {
    let quiet = men.into_iter().map(|from| {
        let closing = lines::closing(men.without(from), board(CROSSED));
        block.count_moves(SquareSet::of(from), block.empty(men) - closing)
    });
    quiet.sum::<u32>() as u8
}
