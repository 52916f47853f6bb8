//! What is known of each position before quiet moves are looked at.

use bytemuck::allocation::zeroed_vec;
use rayon::prelude::*;

use super::block::Block;
use crate::board::{Diagonals, SquareSet, lines};
use crate::tablebase::classes::Classes;
use crate::tablebase::ranks::sets;
use crate::tablebase::sector::Sector;
use crate::tablebase::value::Value;
use crate::tablebase::watcher::{Stopped, Watcher, check};

/// A sector with all that its positions wait for.
pub struct Start {
    pub sector: Sector,
    /// For each position the moves that have to turn out lost before it is lost, or [`SAFE`]; 0
    /// once it is decided.
    pub open: Vec<u8>,
    /// For each position the plies to the end after its best closed mill, [`UNDECIDED`] if there
    /// is none or it decides nothing; once it is decided its own plies to the end.
    pub plies: Vec<u8>,
    /// For each block the levels at which a closed mill decides something.
    pub levels: Vec<Levels>,
}

/// More moves than there are: the position is never lost.
pub const SAFE: u8 = u8::MAX;

/// More plies than any end takes.
pub const UNDECIDED: u8 = u8::MAX;

/// A set of distances.
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

impl Start {
    /// `mills` has the preferences for the best closed mills.
    pub fn of(sector: Sector, mills: Vec<u8>, watcher: &dyn Watcher) -> Result<Self, Stopped> {
        let len = sector.block_len();
        let mut plies = mills;
        let mut open = zeroed_vec(plies.len());
        let classes = Classes::of(sector.opponent());
        let blocks = open.par_chunks_mut(len).zip(plies.par_chunks_mut(len)).enumerate();
        let levels = blocks.map(|(number, (open, plies))| {
            check(watcher)?;
            let block = Block::new(classes.leader(number), sector.own());
            let mut levels = Levels::default();
            let positions = open.iter_mut().zip(plies.iter_mut());
            for ((open, plies), places) in positions.zip(sets(block.free_places(), sector.own())) {
                let (moves, mill) = look(&block, block.men(places), *plies);
                (*open, *plies) = (moves, mill.plies().unwrap_or(UNDECIDED));
                if *plies != UNDECIDED {
                    levels.insert(*plies);
                }
            }
            Ok(levels)
        });
        let levels = levels.collect::<Result<_, _>>()?;
        Ok(Self { sector, open, plies, levels })
    }
}

/// How many moves are open, and what the best closed mill decides.
#[inline]
fn look(block: &Block, men: SquareSet, mill: u8) -> (u8, Value) {
    if mill == 0 {
        return match block.count_moves(men, block.empty(men)) {
            // The end itself is what the position waits for at level 0.
            0 => (1, Value::LOST),
            quiet => (quiet as u8, Value::DRAW),
        };
    }
    let value = Value::preferred(mill);
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
