//! Initialisation: what is known about each position before any quiet move is taken back.

use std::path::Path;

use bytemuck::allocation::zeroed_vec;
use rayon::prelude::*;

use super::SolveError;
use super::block::{Block, board};
use super::exits::{self, Exits, MoveSummary};
use super::known::Known;
use super::store::Store;
use crate::board::{SquareSet, lines};
use crate::tablebase::observer::{SolveObserver, check};
use crate::tablebase::orbits::Orbits;
use crate::tablebase::ranks::{expand, sets};
use crate::tablebase::sector::Sector;
use crate::tablebase::solvable::Solvable;
use crate::tablebase::value::Value;

/// A sector while it is solved.
pub struct SectorState {
    pub sector: Sector,
    /// Whether the side to move flies.
    pub flies: bool,
    /// For each position the number of moves that have not been found to lose, or [`SAFE`]; 0 once it
    /// is decided.
    pub counters: Vec<u8>,
    /// For each decided position its distance in turns. Before, the distance by its best exit, or
    /// [`UNDECIDED`] if it has none or the best one draws.
    pub distances: Store,
    /// For each block the levels at which an exit decides a position.
    pub levels: Vec<Levels>,
}

/// The counter of a position that has a drawing exit, and so is never lost: more moves than there are.
pub const SAFE: u8 = u8::MAX;

/// The distance of a position that is not decided, and in the end that of a draw.
pub const UNDECIDED: u8 = u8::MAX;

/// A set of levels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Levels([u64; 4]);

impl Levels {
    #[inline]
    pub fn contains(&self, level: u8) -> bool {
        self.0[usize::from(level) / 64] >> (level % 64) & 1 == 1
    }

    pub fn insert(&mut self, level: u8) {
        self.0[usize::from(level) / 64] |= 1 << (level % 64);
    }
}

impl SectorState {
    /// Initialises a sector whose inner moves are slides that close no mill. `best` has the preference for the
    /// best exit of each position.
    pub fn of_best_exits<const CROSSED: bool>(
        exits: &Exits<'_>,
        best: Store,
        observer: &dyn SolveObserver,
    ) -> Result<Self, SolveError> {
        let sector = exits.sector;
        let flies = exits.flies();
        let loses_if_blocked = exits.loses_if_blocked();
        let len = sector.block_len();
        let mut distances = best;
        let mut counters = zeroed_vec(sector.len());
        let orbits = Orbits::of(sector.opponent());
        let blocks = counters.par_chunks_mut(len).zip(distances.blocks()).enumerate();
        let levels = blocks.map(|(number, (counters, distances))| {
            check(observer)?;
            let standing = orbits.representative(number);
            let block = Block::<CROSSED>::new(standing, flies);
            distances.with(|distances| {
                let mut levels = Levels::default();
                let positions = counters.iter_mut().zip(distances.iter_mut());
                for ((counter, distance), slots) in
                    positions.zip(sets(block.free_slots(), sector.own()))
                {
                    let men = block.men(slots);
                    let (moves, best) = match initial(&block, men, *distance) {
                        Some(known) => known,
                        None if loses_if_blocked => LOST,
                        None => first(exits.judge(men, standing)?),
                    };
                    (*counter, *distance) = (moves, best.turns().unwrap_or(UNDECIDED));
                    if *distance != UNDECIDED {
                        levels.insert(*distance);
                    }
                }
                Ok::<Levels, SolveError>(levels)
            })?
        });
        let levels = levels.collect::<Result<_, _>>()?;
        Ok(Self { sector, flies, counters, distances, levels })
    }

    /// Initialises a sector by all moves of each position, given the sectors that they lead to, in parts that
    /// are loaded one after the other.
    pub fn of_exits(
        game: &Solvable,
        sector: Sector,
        (known, parts): (&mut Known<'_>, &[&[Sector]]),
        scratch: Option<&Path>,
        observer: &dyn SolveObserver,
    ) -> Result<Self, SolveError> {
        let len = sector.block_len();
        // Before the last part the preference for the best exit.
        let mut distances = Store::zeros(sector, scratch)?;
        let mut counters = zeroed_vec(sector.len());
        let mut levels = vec![Levels::default(); sector.blocks()];
        let orbits = Orbits::of(sector.opponent());
        exits::in_parts(game, sector, (known, parts), |exits, is_last| {
            let blocks = counters.par_chunks_mut(len).zip(distances.blocks());
            let blocks = blocks.zip(&mut levels).enumerate();
            blocks.try_for_each(|(number, ((counters, distances), levels))| {
                check(observer)?;
                let standing = orbits.representative(number);
                distances.with(|distances| {
                    let positions = counters.iter_mut().zip(distances.iter_mut());
                    for ((counter, distance), men) in positions.zip(men_of(sector, standing)) {
                        let leads = exits.judge(men, standing)?.or_better(*distance);
                        if !is_last {
                            *distance = leads.best.map_or(0, Value::preference);
                            continue;
                        }
                        let (moves, best) = first(leads);
                        (*counter, *distance) = (moves, best.turns().unwrap_or(UNDECIDED));
                        if *distance != UNDECIDED {
                            levels.insert(*distance);
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
        let flies = game.flies(sector.own(), sector.hands()[0]);
        Ok(Self { sector, flies, counters, distances, levels })
    }
}

/// All sets of men of the side to move in a block, in the order of their ranks.
pub fn men_of(sector: Sector, standing: SquareSet) -> impl Iterator<Item = SquareSet> {
    let free = !standing;
    sets(free.len() as usize, sector.own()).map(move |slots| expand(slots, free))
}

/// A side without a move is lost at level 0, which takes the counter to 0.
const LOST: (u8, Value) = (1, Value::LOST);

/// The counter of a position, and its value by the best exit, given as a preference, or `None` if it has no move.
#[inline]
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
    // All losing exits count as one move: the best of them decides.
    Some((if value.is_loss() { count_quiet(block, men) + 1 } else { SAFE }, value))
}

/// The counter of a position, and its value by the best exit.
fn first(leads: MoveSummary) -> (u8, Value) {
    match leads.best {
        None => (leads.inner, Value::DRAW),
        Some(best) if best.is_loss() => (leads.inner + 1, best),
        Some(best) => (SAFE, best),
    }
}

/// How many moves close no mill.
fn count_quiet<const CROSSED: bool>(block: &Block<CROSSED>, men: SquareSet) -> u8 {
    let quiet = men.into_iter().map(|from| {
        let closing = lines::closing(men.without(from), board(CROSSED));
        block.count_moves(SquareSet::of(from), block.empty(men) - closing)
    });
    quiet.sum::<u32>() as u8
}
