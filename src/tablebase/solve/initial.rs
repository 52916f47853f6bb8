//! Initialisation: what is known about each position before any quiet move is taken back.

use bytemuck::allocation::zeroed_vec;
use rayon::prelude::*;

use super::block::Block;
use crate::board::{Diagonals, SquareSet, lines};
use crate::tablebase::observer::{SolveObserver, Stopped, check};
use crate::tablebase::orbits::Orbits;
use crate::tablebase::ranks::sets;
use crate::tablebase::sector::Sector;
use crate::tablebase::value::Value;

/// A sector while it is solved.
pub struct State {
    pub sector: Sector,
    /// For each position the number of moves that have not been found to lose, or [`SAFE`]; 0 once it
    /// is decided.
    pub counters: Vec<u8>,
    /// For each decided position its distance in turns. Before, the distance by its best mill, or
    /// [`UNDECIDED`] if it can close none or the best one draws.
    pub distances: Vec<u8>,
    /// For each block the levels at which a mill decides a position.
    pub levels: Vec<Levels>,
}

/// The counter of a position that has a drawing mill, and so is never lost: more moves than there are.
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

    fn insert(&mut self, level: u8) {
        self.0[usize::from(level) / 64] |= 1 << (level % 64);
    }
}

impl State {
    /// Initialises a sector. `mills` has the preference for the best mill of each position.
    pub fn of(
        sector: Sector,
        mills: Vec<u8>,
        observer: &dyn SolveObserver,
    ) -> Result<Self, Stopped> {
        let len = sector.block_len();
        let mut distances = mills;
        let mut counters = zeroed_vec(distances.len());
        let orbits = Orbits::of(sector.opponent());
        let blocks = counters.par_chunks_mut(len).zip(distances.par_chunks_mut(len)).enumerate();
        let levels = blocks.map(|(number, (counters, distances))| {
            check(observer)?;
            let block = Block::new(orbits.representative(number), sector.own());
            let mut levels = Levels::default();
            let positions = counters.iter_mut().zip(distances.iter_mut());
            for ((counter, distance), slots) in
                positions.zip(sets(block.free_slots(), sector.own()))
            {
                let (moves, mill) = initial(&block, block.men(slots), *distance);
                (*counter, *distance) = (moves, mill.turns().unwrap_or(UNDECIDED));
                if *distance != UNDECIDED {
                    levels.insert(*distance);
                }
            }
            Ok(levels)
        });
        let levels = levels.collect::<Result<_, _>>()?;
        Ok(Self { sector, counters, distances, levels })
    }
}

/// The counter of a position, and its value by the best mill, given as a preference.
#[inline]
fn initial(block: &Block, men: SquareSet, mill: u8) -> (u8, Value) {
    if mill == 0 {
        return match block.count_moves(men, block.empty(men)) {
            // A side without a move is lost at level 0, which takes the counter to 0.
            0 => (1, Value::LOST),
            quiet => (quiet as u8, Value::DRAW),
        };
    }
    let value = Value::preferred(mill);
    // All losing mills count as one move: the best of them decides.
    (if value.is_loss() { count_quiet(block, men) + 1 } else { SAFE }, value)
}

/// How many moves close no mill.
fn count_quiet(block: &Block, men: SquareSet) -> u8 {
    let quiet = men.into_iter().map(|from| {
        let closing = lines::closing(men.without(from), Diagonals::Without);
        block.count_moves(SquareSet::of(from), block.empty(men) - closing)
    });
    quiet.sum::<u32>() as u8
}
