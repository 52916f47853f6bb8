//! What is known of each position before quiet moves are looked at.

use rayon::prelude::*;

use super::Solved;
use super::block::Block;
use super::removals::Removals;
use crate::board::{Diagonals, SquareSet, lines};
use crate::knowledge::endgame::classes::Classes;
use crate::knowledge::endgame::ranks::sets;
use crate::knowledge::endgame::sector::Sector;
use crate::knowledge::endgame::value::Value;

/// A sector with all that its positions wait for.
pub struct Start {
    pub sector: Sector,
    /// For each position the moves that have to turn out lost before it is lost, or [`SAFE`].
    pub open: Vec<u8>,
    /// For each position the value of its best closed mill, or [`Value::DRAW`] if there is none or
    /// it decides nothing.
    pub mills: Vec<Value>,
    /// For each block the levels at which a closed mill decides something.
    pub levels: Vec<Levels>,
}

/// More moves than there are: the position is never lost.
pub const SAFE: u8 = u8::MAX;

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
    /// `solved` is the sector that a removal comes to; none when it wins.
    pub fn of(sector: Sector, solved: Option<&Solved>) -> Self {
        let removals = Removals::of(sector, solved);
        let len = sector.block_len();
        let mut open = vec![0; sector.blocks() * len];
        let mut mills = vec![Value::DRAW; sector.blocks() * len];
        let classes = Classes::of(sector.opponent());
        let blocks = open.par_chunks_mut(len).zip(mills.par_chunks_mut(len)).enumerate();
        let levels = blocks.map(|(number, (open, mills))| {
            let block = Block::new(classes.leader(number));
            let mut levels = Levels::default();
            let positions = open.iter_mut().zip(mills.iter_mut());
            for ((open, mill), places) in positions.zip(sets(block.free_places(), sector.own())) {
                (*open, *mill) = look(&block, block.men(places), sector.own() == 3, &removals);
                if let Some(plies) = mill.plies() {
                    levels.insert(plies);
                }
            }
            levels
        });
        let levels = levels.collect();
        Self { sector, open, mills, levels }
    }
}

/// How many moves are open, and what closed mills decide.
fn look(block: &Block, men: SquareSet, flies: bool, removals: &Removals) -> (u8, Value) {
    let mut quiet = 0;
    let mut best: Option<Value> = None;
    for from in men {
        let rest = men.without(from);
        let ways = block.ways(from, men, flies);
        let closing = ways & lines::closing(rest, Diagonals::Without);
        quiet += (ways - closing).len() as u8;
        for to in closing {
            best = best.max(Some(removals.value(rest.with(to), block.standing)));
        }
    }
    match best {
        None if quiet == 0 => (1, Value::LOST),
        None => (quiet, Value::DRAW),
        Some(loss) if loss.is_loss() => (quiet + 1, loss),
        Some(value) => (SAFE, value),
    }
}
