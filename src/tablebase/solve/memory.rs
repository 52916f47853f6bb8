//! What solving a sector needs: memory, and room for temporary files where that is short.

use super::frontier::Frontier;
use super::initial::Levels;
use super::mills::BestRemovals;
use super::{has_simple_exits, loads_in_parts, placing};
use crate::tablebase::sector::{Sector, Solvable};

/// The peak memory in bytes for solving a sector together with that of the replies: includes loaded sectors,
/// excludes lookup tables of constant size.
///
/// * `has_scratch`: whether temporary files take what does not fit.
pub fn memory(game: &Solvable, sector: Sector, has_scratch: bool) -> u64 {
    if placing::next_of_all(game, sector).is_some() {
        return placing::memory(game, sector);
    }
    let group = game.group(sector);
    let positions = |sector: &Sector| sector.len() as u64;
    let has_simple_exits = has_simple_exits(game, sector);
    let loaded = if has_simple_exits { Vec::new() } else { game.needs(&group) };
    let loaded = loaded.iter().map(positions);
    let loaded = match (has_scratch, loads_in_parts(game)) {
        (false, _) => loaded.sum(),
        (true, true) => loaded.max().unwrap_or(0),
        (true, false) => 0,
    };
    let values: u64 = group.iter().map(positions).sum();
    if !game.is_cyclic(sector) {
        return loaded + values;
    }
    let counters = group
        .iter()
        .map(|sector| positions(sector) + (sector.blocks() * size_of::<Levels>()) as u64);
    let counters: u64 = counters.sum();
    let frontiers: u64 = group.iter().map(|sector| 2 * Frontier::memory(*sector)).sum();
    // Beside the best exit of each position.
    let exits = group.iter().map(|sector| {
        let removals = BestRemovals::<u8>::memory(game, *sector);
        let places = sector.hands()[0] > 0;
        let placing = || placing::memory(game, *sector) - positions(sector);
        if places { removals.max(placing()) } else { removals }
    });
    let exits = if has_simple_exits { exits.max().unwrap_or(0) } else { 0 };
    if has_scratch {
        let best = group.iter().map(positions).max().unwrap_or(0) + exits;
        values.max(best).max(counters + loaded).max(counters + frontiers)
    } else {
        loaded + values + (counters + frontiers).max(exits)
    }
}

/// The bytes of the temporary files for what does not fit into memory.
pub fn scratch(game: &Solvable, sector: Sector) -> u64 {
    let group = game.group(sector);
    if game.is_cyclic(sector) { group.iter().map(|sector| sector.len() as u64).sum() } else { 0 }
}
