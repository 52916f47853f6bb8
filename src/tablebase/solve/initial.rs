//! Initialisation: the counter and the best exit of each position before any quiet move is taken back.

use std::path::Path;

use bytemuck::Pod;
use rayon::prelude::*;

use super::block::{Block, board};
use super::exits::{self, Exits};
use super::known::Known;
use super::store::Store;
use super::{SolveError, SolveObserver, check};
use crate::board::{Square, SquareSet, lines};
use crate::rules::{RuleSet, StalemateAction};
use crate::system::memory::zeros;
use crate::tablebase::sector::{Sector, Solvable};
use crate::tablebase::sets::sets;
use crate::tablebase::value::Value;

/// A sector while it is being solved. Levels of positions are distances in turns, or codes of draws.
pub struct SectorState<L> {
    pub flies: bool,
    /// For each position the number of moves not known to lose, or [`SAFE`]; 0 once the position is decided.
    pub counters: Vec<u8>,
    /// The level of each decided position. For others the level of the best exit, or the level of undecided positions
    /// if no exit decides the position.
    pub levels: Store<L>,
    /// For each block the levels of the best exits; for draws the ranks.
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

impl<L: Pod + Send + Sync> SectorState<L> {
    /// A sector before it is initialised.
    pub fn new(game: &Solvable, levels: Store<L>) -> Self {
        let sector = levels.sector;
        Self {
            flies: game.flies(sector.own(), sector.hands()[0]),
            counters: zeros(sector.len()),
            levels,
            exits: vec![Levels::default(); sector.blocks()],
            slots: slots(sector),
        }
    }

    /// Calls `work` for each block with its number, and the counters, the levels and the levels of exits in it.
    pub fn each_block(
        &mut self,
        observer: &dyn SolveObserver,
        work: impl Fn(usize, &mut [u8], &mut [L], &mut Levels) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let counters = self.counters.par_chunks_mut(self.levels.sector.block_len());
        let blocks = counters.zip(self.levels.blocks()).zip(&mut self.exits).enumerate();
        blocks.try_for_each(|(number, ((counters, levels), exits))| {
            check(observer)?;
            levels.with(|levels| work(number, counters, levels, exits))?
        })
    }
}

impl SectorState<u8> {
    /// Initialises a sector whose inner moves are slides that close no mill. `best` holds the preference for the
    /// best exit of each position.
    pub fn of_best_exits<const CROSSED: bool>(
        known: &Known<'_>,
        best: Store<u8>,
    ) -> Result<Self, SolveError> {
        let mut state = Self::new(&known.game, best);
        let (sector, flies) = (state.levels.sector, state.flies);
        let (exits, loses_if_blocked) = (Exits::new(sector, known), loses_if_blocked(&known.game));
        state.each_block(known.observer, |number, counters, levels, found| {
            let standing = sector.opponent_of_block(number);
            let block = Block::<CROSSED>::new(standing, flies);
            let positions = counters.iter_mut().zip(levels);
            for ((counter, level), slots) in positions.zip(sets(block.free_slots(), sector.own())) {
                let (men, best) = (block.men(slots), *level);
                (*counter, *level) = match first(best, || count_quiet(&block, men, best)) {
                    // A side without a move loses: level 0 takes its counter from 1 to 0.
                    (0, _) if loses_if_blocked => (1, Value::LOST.byte()),
                    (0, _) => {
                        let (best, inner) = exits.judge([men, standing], 0)?;
                        first(best, || inner)
                    }
                    known => known,
                };
                found.insert(*level);
            }
            Ok(())
        })?;
        Ok(state)
    }

    /// Initialises a sector by generating all moves of each position.
    pub fn of_exits(
        sector: Sector,
        known: &mut Known<'_>,
        scratch: Option<&Path>,
    ) -> Result<Self, SolveError> {
        // Until the last part the levels are preferences for the best exit.
        let levels = Store::new(sector, zeros(sector.len()), scratch)?;
        let mut state = Self::new(&known.game, levels);
        exits::in_parts(sector, known, scratch.is_some(), |exits, is_last| {
            let observer = exits.known.observer;
            state.each_block(observer, |number, counters, levels, found| {
                let standing = sector.opponent_of_block(number);
                let positions = counters.iter_mut().zip(levels);
                for ((counter, level), men) in positions.zip(sector.men_of_block(number, 0)) {
                    let (best, inner) = exits.judge([men, standing], *level)?;
                    *level = best;
                    if is_last {
                        (*counter, *level) = first(best, || inner);
                        found.insert(*level);
                    }
                }
                if is_last {
                    observer.advance(sector.block_len() as u64);
                }
                Ok(())
            })
        })?;
        Ok(state)
    }
}

/// Whether a side that cannot move loses, in every position of a game.
pub fn loses_if_blocked(game: &Solvable) -> bool {
    let rules = game.rules();
    rules.stalemate_action == StalemateAction::Loses && rules.men < RuleSet::MEN_TO_FILL_BOARD
}

/// The sets of slots for the men of the side to move, by rank.
pub fn slots(sector: Sector) -> Vec<u32> {
    sets(Square::COUNT - sector.opponent(), sector.own()).collect()
}

/// The counter of a position, and the level of its best exit, given the preference for that, or 0 if there is none, and
/// the number of inner moves.
fn first(best: u8, inner: impl FnOnce() -> u8) -> (u8, u8) {
    if best == 0 {
        return (inner(), UNDECIDED);
    }
    let value = Value::preferred(best);
    // All losing exits count as one move, since only the best one matters.
    (if value.is_loss() { inner() + 1 } else { SAFE }, value.byte())
}

/// The number of moves that close no mill, given the preference for the best exit: if there is none, no move
/// closes one.
fn count_quiet<const CROSSED: bool>(block: &Block<CROSSED>, men: SquareSet, best: u8) -> u8 {
    let empty = block.empty(men);
    if best == 0 {
        return block.count_moves(men, empty) as u8;
    }
    let quiet = men.into_iter().map(|from| {
        let closing = lines::closing(men.without(from), board(CROSSED));
        block.count_moves(SquareSet::of(from), empty - closing)
    });
    quiet.sum::<u32>() as u8
}
