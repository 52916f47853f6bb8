//! A kernel for the placing phase: every move takes a man from a hand, so there are no cycles, and one pass decides all
//! positions from the sectors that placements lead to.
//!
//! After a placement, the men of the side that placed determine the block of the next position, and the men of the
//! other side the rank. So for one set of own men and one free point, all sets of the opponent's men are one block of a
//! few thousand values: a placement is a walk over a block instead of a look-up for each position. Only at the end are
//! the values gathered into the blocks of this sector, which are determined by the opponent's men.

use std::hint::select_unpredictable;

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::block::{SlotMap, board, slot_sets};
use super::initial::slots;
use super::known::Known;
use super::mills::BestRemovals;
use super::{SolveError, SolveObserver, Stopped, check, solved};
use crate::board::{Square, SquareSet, Symmetry, lines};
use crate::rules::{MillAction, RuleSet};
use crate::system::memory::filled;
use crate::tablebase::sector::{Sector, Solvable, Solved};
use crate::tablebase::sets::{Orbit, Orbits, compress, rank};
use crate::tablebase::value::{Value, Wdl, Worth};

/// The maximum number of mills that a placement closes.
const MOST_MILLS: usize = 3;

/// Returns the sector after a quiet placement, or `None` if the kernel does not support the sector: placements may earn
/// only removals from the board, and the opponent must be to move afterwards.
pub fn next(game: &Solvable, sector: Sector) -> Option<Sector> {
    let rules = game.rules();
    let [own_hand, hand] = sector.hands();
    let is_simple = (!rules.may_move_in_placing || game.has_alike_sides())
        && !rules.stops_placing_at_two_empty
        && !rules.has_captures()
        && rules.mill_action == MillAction::RemoveFromBoard;
    let is_last = own_hand == 1 && hand == 0;
    let fills_board = rules.men == RuleSet::MEN_TO_FILL_BOARD && !rules.board_full_action.ends();
    if !is_simple || is_last && (rules.defender_moves_first || fills_board) {
        return None;
    }
    game.after(sector, 1, 0)
}

/// Like [`next`], but `None` also if men may move in the placing phase.
pub fn next_of_all(game: &Solvable, sector: Sector) -> Option<Sector> {
    if game.rules().may_move_in_placing { None } else { next(game, sector) }
}

/// Solves a sector of the placing phase, with distances if `known` requires them. `quiet` is the sector after quiet
/// placements.
///
/// # Errors
///
/// When the observer stops the work, the file of a sector that is needed cannot be used, or a distance is too long.
pub fn solve<const CROSSED: bool>(
    sector: Sector,
    quiet: Sector,
    known: &Known<'_>,
) -> Result<Solved, SolveError> {
    let observer = known.observer;
    let values = if known.requires_distances {
        let read = |after, block| known.read(after, block, Value::before_move);
        let best = best::<CROSSED, Value>(known, sector, Some(quiet), read, observer)?;
        best.gather(|value| value)?
    } else {
        let read = |after, block| known.read(after, block, Wdl::before_move);
        let best = best::<CROSSED, Wdl>(known, sector, Some(quiet), read, observer)?;
        best.gather(Value::without_distance)?
    };
    solved(sector, values, known)
}

/// Returns the value of the best placement in each position of a sector, or a loss where no placement counts.
///
/// * `quiet`: the sector after quiet placements, or `None` to ignore them.
/// * `read`: reads a block of a sector that placements lead to, from the point of view of the side that placed.
pub fn best<'a, const CROSSED: bool, V: Worth>(
    known: &Known<'_>,
    sector: Sector,
    quiet: Option<Sector>,
    read: impl Fn(Sector, usize) -> Result<Vec<V>, SolveError> + Sync,
    observer: &'a dyn SolveObserver,
) -> Result<Rows<'a, V>, SolveError> {
    let game = &known.game;
    // If several mills earn one removal only, their number does not matter.
    let most = if game.rules().may_remove_multiple { MOST_MILLS } else { 1 };
    let removed = |mills: usize| mills.min(most).min(sector.opponent());
    // Reads all values at once: each block is used for several rows and is slow to read.
    let read_all = |sector: Sector| {
        let mut values = filled(V::LOST, sector.len());
        let blocks = values.par_chunks_mut(sector.block_len()).enumerate();
        blocks.try_for_each(|(number, values)| {
            check(observer)?;
            values.copy_from_slice(&read(sector, number)?);
            Ok::<(), SolveError>(())
        })?;
        Ok::<_, SolveError>(Solved::from_values(sector, values))
    };
    let quiet = quiet.map(read_all).transpose()?;
    // All values are losses before any placement is entered.
    let mut rows = Rows { sector, observer, values: filled(V::LOST, sector.reply().len()) };
    let men = [sector.own() + 1, sector.opponent()];
    rows.place::<CROSSED>(quiet.is_some(), |mills, number| {
        let quiet = quiet.as_ref().filter(|_| removed(mills) == 0);
        quiet.map(|quiet| quiet.block(number))
    })?;
    drop(quiet);
    // Only one set of best removals is in memory at a time.
    for count in 1..=most {
        let removed = removed(count);
        if removed > 0 {
            let after = game.after(sector, 1, removed);
            let best = BestRemovals::new::<CROSSED>(known, men, [count, removed], after, &read)?;
            rows.place::<CROSSED>(false, |mills, number| {
                (mills.min(most) == count).then(|| best.of(number))
            })?;
        }
    }
    Ok(rows)
}

/// The peak memory in bytes for solving a sector while another one of the same size is written, without the files read.
pub fn memory(game: &Solvable, sector: Sector) -> u64 {
    let [len, rows] = [sector, sector.reply()].map(|sector| sector.len() as u64);
    // The best removals are no more.
    let quiet = game.after(sector, 1, 0).map_or(0, |quiet| quiet.len() as u64);
    rows + quiet.max(len) + len
}

/// The number of values gathered at a time, so that cache misses overlap.
const BATCH: usize = 256;

/// The values of all positions: a row for each orbit of own men, indexed by the rank of the opponent's men.
pub struct Rows<'a, V> {
    sector: Sector,
    observer: &'a dyn SolveObserver,
    values: Vec<V>,
}

impl<V: Worth> Rows<'_, V> {
    /// Enters placements, and raises the values of the positions to theirs.
    ///
    /// * `is_counted`: whether the rows count as progress.
    /// * `after`: returns the values after placements, given the number of mills they close and the orbit of the men of
    ///   the side that placed, or `None` to skip those placements.
    fn place<'v, const CROSSED: bool>(
        &mut self,
        is_counted: bool,
        after: impl Fn(usize, usize) -> Option<&'v [V]> + Sync,
    ) -> Result<(), Stopped>
    where
        V: 'v,
    {
        let observer = self.observer;
        let (own, len) = (self.sector.own(), self.sector.reply().block_len());
        let [orbits, orbits_after] = [own, own + 1].map(Orbits::of);
        let walk = slot_sets(Square::COUNT - own - 1, self.sector.opponent());
        self.values.par_chunks_mut(len).enumerate().try_for_each(|(number, row)| {
            check(observer)?;
            let own = orbits.representative(number);
            for to in !own {
                let mills = lines::count_closed(to, own, board(CROSSED)) as usize;
                let Orbit { number, to_representative, .. } = orbits_after.find(own.with(to));
                let Some(mut rest) = after(mills, number) else { continue };
                let free = !orbits_after.representative(number);
                let back = to_representative.inverse();
                let slot_before = |point| compress(back.set(SquareSet::of(point)), !own);
                let before = SlotMap::new(free.into_iter().map(slot_before));
                for &(higher, lowest) in &walk {
                    let (part, others) = rest.split_at(lowest.len());
                    rest = others;
                    let higher = before.map(higher);
                    for (&lowest, &value) in lowest.iter().zip(part) {
                        let known = &mut row[rank(higher | before.map_lowest(lowest))];
                        // A branch would be unpredictable.
                        *known = select_unpredictable(value > *known, value, *known);
                    }
                }
            }
            observer.advance(if is_counted { row.len() as u64 } else { 0 });
            Ok(())
        })
    }

    /// Converts each value with `make`, and returns them in the order of indices.
    pub fn gather<T: Copy + Send>(&self, make: impl Fn(V) -> T + Sync) -> Result<Vec<T>, Stopped> {
        let (sector, observer) = (self.sector, self.observer);
        let (own_orbits, len) = (Orbits::of(sector.own()), sector.reply().block_len());
        let slots = slots(sector);
        let mut values = filled(make(V::LOST), sector.len());
        values.par_chunks_mut(slots.len()).enumerate().try_for_each(|(number, block)| {
            check(observer)?;
            let opponent = sector.opponent_of_block(number);
            let images = Symmetry::images(opponent);
            let men = SlotMap::to_points(!opponent);
            let index = |&slots: &u32| {
                let own = SquareSet::from_bits(men.map(slots));
                let Orbit { number, to_representative, .. } = own_orbits.find(own);
                let opponent = images[to_representative.number()];
                let opponent = compress(opponent, !own_orbits.representative(number));
                number * len + rank(opponent)
            };
            for (values, slots) in block.chunks_mut(BATCH).zip(slots.chunks(BATCH)) {
                let indices: ArrayVec<usize, BATCH> = slots.iter().map(index).collect();
                for (value, index) in values.iter_mut().zip(indices) {
                    *value = make(self.values[index]);
                }
            }
            observer.advance(slots.len() as u64);
            Ok(())
        })?;
        Ok(values)
    }
}
