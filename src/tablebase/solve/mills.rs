//! A kernel that finds the best mill of each position, by the values of the best removals after it.

use std::hint::select_unpredictable;

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::block::{Block, board};
use super::known::Known;
use super::{SolveError, Stopped, check};
use crate::board::{Diagonals, Square, SquareSet, Symmetry, lines};
use crate::system::memory::filled;
use crate::tablebase::sector::{Sector, Solvable};
use crate::tablebase::sets::{Orbit, Orbits, choose, compress, rank, sets};
use crate::tablebase::value::Worth;

/// Whether closing mills is the only way out of a sector, except where a side is blocked.
pub fn are_simple(game: &Solvable, sector: Sector) -> bool {
    !sector.is_placing() && !game.rules().has_captures()
}

/// The number of positions looked up at a time, so that cache misses overlap.
const BATCH: usize = 128;

/// Raises the value of each position in `best` to that of its best mill.
///
/// * `read`: reads a block of the sector after the removals, from the point of view of the side that removed.
pub fn enter_mills<const CROSSED: bool, V: Worth>(
    known: &Known<'_>,
    sector: Sector,
    read: impl Fn(Sector, usize) -> Result<Vec<V>, SolveError> + Sync,
    best: &mut [V],
) -> Result<(), SolveError> {
    let &Known { game, observer, .. } = known;
    let (men, len) = ([sector.own(), sector.opponent()], sector.block_len());
    let flies = game.flies(sector.own(), sector.hands()[0]);
    // A slide closes as many mills as the rules count. Two lines, or three with diagonals, run through a point, and a
    // slide comes along one of them. A side that flies has too few men for two lines.
    let most = if CROSSED && game.rules().may_remove_multiple { 2 } else { 1 };
    for count in 1..=most {
        let after = game.after(sector, 0, count);
        let removals = BestRemovals::new::<CROSSED>(known, men, [count; 2], after, &read)?;
        best.par_chunks_mut(len).enumerate().try_for_each(|(number, best)| {
            check(observer)?;
            let block = Block::<CROSSED>::new(sector.opponent_of_block(number), flies);
            let standing = Symmetry::images(block.standing);
            let mut closed = sets(block.free_slots(), sector.own()).filter_map(|slots| {
                let men = block.men(slots);
                let mills = in_mills::<CROSSED>(men, [count, most]);
                (!mills.is_empty()).then(|| (slots, men, mills, removals.orbits.find(men)))
            });
            loop {
                let batch: ArrayVec<_, BATCH> = closed.by_ref().take(BATCH).collect();
                let index = |(.., orbit): &(_, _, _, Orbit)| removals.index(*orbit, &standing);
                let indices: ArrayVec<usize, BATCH> = batch.iter().map(index).collect();
                let values: ArrayVec<V, BATCH> =
                    indices.iter().map(|index| removals.values[*index]).collect();
                for ((slots, men, mills, _), &value) in batch.iter().zip(&values) {
                    block.take_back(*slots, *men, *mills, |before| {
                        let best = &mut best[rank(before)];
                        *best = select_unpredictable(value > *best, value, *best);
                    });
                }
                if !batch.is_full() {
                    break;
                }
            }
            observer.advance(if count == most { len as u64 } else { 0 });
            Ok::<(), Stopped>(())
        })?;
    }
    Ok(())
}

/// The men in exactly `count` mills, or in `count` or more if that is the highest number that matters.
fn in_mills<const CROSSED: bool>(men: SquareSet, counts: [usize; 2]) -> SquareSet {
    if counts[1] == 1 { Block::<CROSSED>::in_mills(men) } else { in_lines::<CROSSED>(men, counts) }
}

/// Like [`in_mills`], where several counts matter. Kept separate so that the common case can be inlined.
#[inline(never)]
fn in_lines<const CROSSED: bool>(men: SquareSet, [count, most]: [usize; 2]) -> SquareSet {
    let has_count =
        |&man: &Square| (lines::count_closed(man, men, board(CROSSED)) as usize).min(most) == count;
    Block::<CROSSED>::in_mills(men).into_iter().filter(has_count).collect()
}

/// The values of the best removals for the side that has just closed a mill, or several at once: one for each set of
/// its men with such mills, up to symmetry, and each set of the opponent's men.
pub struct BestRemovals<V> {
    orbits: &'static Orbits,
    /// The start of the values of each orbit with a mill.
    starts: Vec<usize>,
    values: Vec<V>,
    /// The number of values of an orbit.
    len: usize,
}

impl<V: Worth> BestRemovals<V> {
    /// Computes the best removals.
    ///
    /// * `own`, `opponent`: the numbers of men of the side that has moved, and of the opponent.
    /// * `mills`, `removed`: how many mills the side has closed, and how many men it removes.
    /// * `after`: the sector after the removals, or `None` if they win.
    /// * `read`: reads a block of that sector, from the point of view of the side that removed.
    pub fn new<const CROSSED: bool>(
        known: &Known<'_>,
        [own, opponent]: [usize; 2],
        [mills, removed]: [usize; 2],
        after: Option<Sector>,
        read: &(impl Fn(Sector, usize) -> Result<Vec<V>, SolveError> + Sync),
    ) -> Result<Self, SolveError> {
        let orbits = Orbits::of(own);
        let len = choose(Square::COUNT - own, opponent) as usize;
        let numbers: Vec<usize> = with_mills(orbits, board(CROSSED), mills).collect();
        let mut starts = vec![0; orbits.len()];
        (0..).zip(&numbers).for_each(|(place, &number)| starts[number] = place * len);
        let unread = if after.is_some() { V::LOST } else { V::WON };
        let mut values = filled(unread, numbers.len() * len);
        let blocks = values.par_chunks_mut(len.max(1)).zip(numbers);
        blocks.try_for_each(|(values, number)| {
            check(known.observer)?;
            let Some(after) = after else { return Ok(()) };
            let after = read(after, number)?;
            let block = Block::<CROSSED>::new(orbits.representative(number), false);
            for (value, slots) in values.iter_mut().zip(sets(block.free_slots(), opponent)) {
                let men = block.men(slots);
                let value_of = |left: SquareSet| {
                    let taken = men - left;
                    let taken = taken.into_iter().fold(0, |set, man| set | block.slot(man));
                    after[rank(slots ^ taken)]
                };
                let best = best_left::<CROSSED, _>(&known.game, men, removed, &value_of);
                *value = best.unwrap_or(V::LOST);
            }
            Ok::<(), SolveError>(())
        })?;
        Ok(Self { orbits, starts, values, len })
    }

    /// The index of the position after a side with men of an orbit has closed a mill. `opponent` holds the images of
    /// the opponent's men.
    fn index(&self, own: Orbit, opponent: &[SquareSet; Symmetry::COUNT]) -> usize {
        let opponent = opponent[own.to_representative.number()];
        let slots = compress(opponent, !self.orbits.representative(own.number));
        self.starts[own.number] + rank(slots)
    }

    /// The values of an orbit with a mill, by the rank of the opponent's men.
    pub fn of(&self, number: usize) -> &[V] {
        &self.values[self.starts[number]..][..self.len]
    }

    /// The memory for the best removals in a sector, in bytes.
    pub fn memory(game: &Solvable, sector: Sector) -> u64 {
        let orbits = Orbits::of(sector.own());
        let positions =
            with_mills(orbits, game.rules().diagonals, 1).count() * sector.reply().block_len();
        (positions * size_of::<V>() + orbits.len() * size_of::<usize>()) as u64
    }
}

/// The orbits of sets with a man in at least `mills` mills.
fn with_mills(orbits: &Orbits, diagonals: Diagonals, mills: usize) -> impl Iterator<Item = usize> {
    (0..orbits.len()).filter(move |&number| {
        let men = orbits.representative(number);
        men.into_iter().any(|man| lines::count_closed(man, men, diagonals) as usize >= mills)
    })
}

/// The best value of the men left after a number of removals, by `value_of`, or `None` if there is no man to remove.
fn best_left<const CROSSED: bool, V: Ord>(
    game: &Solvable,
    men: SquareSet,
    removals: usize,
    value_of: &impl Fn(SquareSet) -> V,
) -> Option<V> {
    let free = men - Block::<CROSSED>::in_mills(men);
    let may_be_any = game.rules().may_remove_from_mills;
    let removable = if may_be_any || free.is_empty() { men } else { free };
    if removals == 1 {
        return removable.into_iter().map(|man| value_of(men.without(man))).max();
    }
    if may_be_any || free.len() as usize >= removals {
        return best_without(men, removable, removals, value_of);
    }
    let left = removable.into_iter().map(|man| men.without(man));
    left.filter_map(|left| best_left::<CROSSED, V>(game, left, removals - 1, value_of)).max()
}

/// Like [`best_left`], but tries each set of removals once: their order does not matter, since no removal opens a mill
/// or any man may be removed.
fn best_without<V: Ord>(
    men: SquareSet,
    removable: SquareSet,
    removals: usize,
    value_of: &impl Fn(SquareSet) -> V,
) -> Option<V> {
    let mut later = removable;
    let choices = removable.into_iter().map(|man| {
        later = later.without(man);
        (men.without(man), later)
    });
    if removals == 1 {
        return choices.map(|(left, _)| value_of(left)).max();
    }
    choices.filter_map(|(left, later)| best_without(left, later, removals - 1, value_of)).max()
}
