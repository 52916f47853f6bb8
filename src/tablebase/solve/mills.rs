//! The best mill that each position can close.

use arrayvec::ArrayVec;
use bytemuck::allocation::zeroed_vec;
use rayon::prelude::*;

use super::block::Block;
use super::place_ranks::PlaceRanks;
use super::removals::Removals;
use crate::board::{Diagonals, Symmetry, lines};
use crate::tablebase::classes::{Class, Classes};
use crate::tablebase::ranks::sets;
use crate::tablebase::sector::Sector;
use crate::tablebase::solved::Solved;
use crate::tablebase::watcher::{Stopped, Watcher, check};

/// For each position the preference for its best closed mill, 0 if it can close none.
///
/// `solved` is the sector that a removal comes to; none when it wins.
pub fn best_mills(
    sector: Sector,
    solved: Option<&Solved>,
    watcher: &dyn Watcher,
) -> Result<Vec<u8>, Stopped> {
    let removals = Removals::of(sector, solved, watcher)?;
    let len = sector.block_len();
    let ranks = PlaceRanks::of(sector.own());
    let classes = Classes::of(sector.opponent());
    let mut mills = zeroed_vec(sector.blocks() * len);
    mills.par_chunks_mut(len).enumerate().try_for_each(|(number, mills)| {
        check(watcher)?;
        let block = Block::new(classes.leader(number), sector.own());
        close_all(&block, &removals, sector, |places, preference| {
            let best = &mut mills[ranks.rank(places)];
            *best = preference.max(*best);
        });
        watcher.advance(len as u64);
        Ok(())
    })?;
    Ok(mills)
}

/// How many positions are looked up together, so that the memory answers them together.
const BATCH: usize = 128;

/// Calls `visit` with the places from which each mill of a block is closed and its preference.
#[inline]
fn close_all(block: &Block, removals: &Removals, sector: Sector, mut visit: impl FnMut(u32, u8)) {
    let standing = Symmetry::images(block.standing);
    let mut closed = sets(block.free_places(), sector.own()).filter_map(|places| {
        let men = block.men(places);
        let mills = lines::in_mills(men, Diagonals::Without);
        (!mills.is_empty()).then(|| (places, men, mills, removals.class(men)))
    });
    loop {
        let batch: ArrayVec<_, BATCH> = closed.by_ref().take(BATCH).collect();
        let index = |(.., class): &(_, _, _, Class)| removals.index(*class, &standing);
        let indices: ArrayVec<usize, BATCH> = batch.iter().map(index).collect();
        let preferences: ArrayVec<u8, BATCH> =
            indices.iter().map(|index| removals.preference(*index)).collect();
        for ((places, men, mills, _), preference) in batch.iter().zip(&preferences) {
            block.take_back(*places, *men, *mills, |before| visit(before, *preference));
        }
        if !batch.is_full() {
            return;
        }
    }
}
