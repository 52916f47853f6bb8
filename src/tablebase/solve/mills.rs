//! The best mill that each position can close, by the value of the best removal after it.
//!
//! Values are kept as [`Preference`]s, so that the best is the highest.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_vec;
use rayon::prelude::*;

use super::SolveError;
use super::block::{Block, board};
use crate::board::{Diagonals, Square, SquareSet, Symmetry, lines};
use crate::tablebase::file::SectorFile;
use crate::tablebase::observer::{SolveObserver, Stopped, check};
use crate::tablebase::orbits::{Orbit, Orbits};
use crate::tablebase::ranks::{SlotRanks, compress, sets};
use crate::tablebase::sector::Sector;
use crate::tablebase::solvable::Solvable;
use crate::tablebase::value::Value;

/// A number that is higher for what the side that has moved prefers, and 0 for nothing.
pub trait Preference: Copy + Ord + Default + Zeroable + Send + Sync {}

impl<P: Copy + Ord + Default + Zeroable + Send + Sync> Preference for P {}

/// What positions are worth to the side that has moved to them.
pub trait Removed: Sync {
    /// What the sector has for each position.
    type Value: Copy;

    /// How much the side that has moved prefers a position.
    type Preference: Preference;

    /// The preference for a win.
    const WIN: Self::Preference;

    /// What a block has, by rank.
    fn block(&self, number: usize) -> Result<Cow<'_, [Self::Value]>, SolveError>;

    /// The preference for a position.
    fn preference(&self, value: Self::Value) -> Self::Preference;
}

impl Removed for &SectorFile {
    type Value = Value;
    type Preference = u8;

    const WIN: u8 = Value::LOST.before_move().preference();

    fn block(&self, number: usize) -> Result<Cow<'_, [Value]>, SolveError> {
        Ok(Cow::Owned(SectorFile::block(self, number)?))
    }

    #[inline]
    fn preference(&self, value: Value) -> u8 {
        value.before_move().preference()
    }
}

/// Whether closing mills is the only way out of a sector, apart from what happens to a blocked side.
pub fn are_simple(game: &Solvable, sector: Sector) -> bool {
    !sector.is_placing() && !game.rules().has_captures()
}

/// The numbers of mills closed by one slide that the rules distinguish. A sliding man leaves one of the lines
/// through its target, of which there are two, or three with diagonals; a side that flies has too few men for
/// two lines.
pub fn counts(game: &Solvable) -> RangeInclusive<usize> {
    let rules = game.rules();
    let most = if rules.may_remove_multiple && rules.diagonals == Diagonals::With { 2 } else { 1 };
    1..=most
}

/// Enters for each position the preference for its best mill where that is higher.
///
/// * `removed`: the values of the positions after a number of removals, or `None` if those win.
pub fn enter_mills<const CROSSED: bool, S: Removed>(
    game: &Solvable,
    sector: Sector,
    removed: impl Fn(usize) -> Result<Option<S>, SolveError>,
    best: &mut [S::Preference],
    observer: &dyn SolveObserver,
) -> Result<(), SolveError> {
    let counts = counts(game);
    let most = *counts.end();
    for count in counts {
        let after = removed(count)?;
        let removals =
            BestRemovals::of::<CROSSED, S>(game, sector, count, after.as_ref(), observer)?;
        close_in_all::<CROSSED, _>(game, &removals, [count, most], best, observer)?;
    }
    Ok(())
}

/// The men in `count` complete lines, or in at least as many for the highest count that matters.
#[inline]
fn in_mills<const CROSSED: bool>(men: SquareSet, counts: [usize; 2]) -> SquareSet {
    if counts[1] == 1 { Block::<CROSSED>::in_mills(men) } else { in_lines::<CROSSED>(men, counts) }
}

/// The same where several counts matter: a separate function, so that the common case can be inlined.
#[inline(never)]
fn in_lines<const CROSSED: bool>(men: SquareSet, [count, most]: [usize; 2]) -> SquareSet {
    let has_count =
        |&man: &Square| (lines::count_closed(man, men, board(CROSSED)) as usize).min(most) == count;
    Block::<CROSSED>::in_mills(men).into_iter().filter(has_count).collect()
}

/// Enters the preferences of all moves that close a number of mills at once.
fn close_in_all<const CROSSED: bool, P: Preference>(
    game: &Solvable,
    removals: &BestRemovals<P>,
    counts: [usize; 2],
    mills: &mut [P],
    observer: &dyn SolveObserver,
) -> Result<(), Stopped> {
    let sector = removals.sector;
    let is_last = counts[0] == counts[1];
    let flies = game.flies(sector.own(), sector.hands()[0]);
    let len = sector.block_len();
    let ranks = SlotRanks::of(sector.own());
    let orbits = Orbits::of(sector.opponent());
    mills.par_chunks_mut(len).enumerate().try_for_each(|(number, mills)| {
        check(observer)?;
        let block = Block::<CROSSED>::new(orbits.representative(number), flies);
        close_all(&block, removals, counts, |slots, preference| {
            let best = &mut mills[ranks.rank(slots)];
            *best = preference.max(*best);
        });
        if is_last {
            observer.advance(len as u64);
        }
        Ok(())
    })
}

/// How many positions are looked up at a time, so that cache misses overlap.
const BATCH: usize = 128;

/// Calls `visit` with the slots from which each mill of a block is closed, and its preference.
#[inline]
fn close_all<const CROSSED: bool, P: Preference>(
    block: &Block<CROSSED>,
    removals: &BestRemovals<P>,
    counts: [usize; 2],
    mut visit: impl FnMut(u32, P),
) {
    let standing = Symmetry::images(block.standing);
    let mut closed = sets(block.free_slots(), removals.sector.own()).filter_map(|slots| {
        let men = block.men(slots);
        let mills = in_mills::<CROSSED>(men, counts);
        (!mills.is_empty()).then(|| (slots, men, mills, removals.orbit(men)))
    });
    loop {
        let batch: ArrayVec<_, BATCH> = closed.by_ref().take(BATCH).collect();
        let index = |(.., orbit): &(_, _, _, Orbit)| removals.index(*orbit, &standing);
        let indices: ArrayVec<usize, BATCH> = batch.iter().map(index).collect();
        let preferences: ArrayVec<P, BATCH> =
            indices.iter().map(|index| removals.preference(*index)).collect();
        for ((slots, men, mills, _), preference) in batch.iter().zip(&preferences) {
            block.take_back(*slots, *men, *mills, |before| visit(before, *preference));
        }
        if !batch.is_full() {
            return;
        }
    }
}

/// The preference for the best removals in each position in which a side has just closed one or more mills, by
/// the orbit of its own men.
pub struct BestRemovals<P = u8> {
    /// The sector in which mills are closed.
    sector: Sector,
    orbits: &'static Orbits,
    /// For each orbit with a mill the start of its block.
    starts: Vec<usize>,
    preferences: Vec<P>,
    ranks: SlotRanks,
}

impl<P: Preference> BestRemovals<P> {
    /// * `sector`: where the mills are closed.
    /// * `after`: the positions after the removals, read block by block, or `None` if the removals win.
    pub fn of<const CROSSED: bool, S: Removed<Preference = P>>(
        game: &Solvable,
        sector: Sector,
        count: usize,
        after: Option<&S>,
        observer: &dyn SolveObserver,
    ) -> Result<Self, SolveError> {
        let orbits = Orbits::of(sector.own());
        let len = sector.reply().block_len();
        let numbers: Vec<usize> = with_mills(orbits, board(CROSSED), count).collect();
        let mut starts = vec![0; orbits.len()];
        (0..).zip(&numbers).for_each(|(index, &number)| starts[number] = index * len);
        let mut preferences = zeroed_vec(numbers.len() * len);
        let ranks = SlotRanks::of(sector.opponent().saturating_sub(count));
        let blocks = preferences.par_chunks_mut(len).zip(numbers);
        blocks.try_for_each(|(preferences, number)| {
            check(observer)?;
            let Some(removed) = after else {
                preferences.fill(S::WIN);
                return Ok(());
            };
            let block = Block::<CROSSED>::new(orbits.representative(number), false);
            let sets = sets(block.free_slots(), sector.opponent());
            let after = removed.block(number)?;
            for (preference, slots) in preferences.iter_mut().zip(sets) {
                let value_of = |left: SquareSet| {
                    let taken = block.men(slots) - left;
                    let taken = taken.into_iter().fold(0, |set, man| set | block.slot(man));
                    removed.preference(after[ranks.rank(slots ^ taken)])
                };
                let men = block.men(slots);
                *preference =
                    best_left::<CROSSED, _>(game, men, count, &value_of).unwrap_or_default();
            }
            Ok::<(), SolveError>(())
        })?;
        Ok(Self { sector, orbits, starts, preferences, ranks: SlotRanks::of(sector.opponent()) })
    }

    /// The orbit of the men of a side that has just closed a mill.
    #[inline]
    pub fn orbit(&self, own: SquareSet) -> Orbit {
        self.orbits.find(own)
    }

    /// The index of a position in which a side with men of an orbit has just closed a mill.
    /// `opponent` has the images of the opponent's men.
    #[inline]
    pub fn index(&self, own: Orbit, opponent: &[SquareSet; Symmetry::COUNT]) -> usize {
        let opponent = opponent[own.to_representative.number()];
        let slots = compress(opponent, !self.orbits.representative(own.number));
        self.starts[own.number] + self.ranks.rank(slots)
    }

    /// The preference for the position with an index.
    #[inline]
    pub fn preference(&self, index: usize) -> P {
        self.preferences[index]
    }

    /// How many bytes the removals in a sector take.
    pub fn memory(game: &Solvable, sector: Sector) -> u64 {
        let orbits = Orbits::of(sector.own());
        let positions =
            with_mills(orbits, game.rules().diagonals, 1).count() * sector.reply().block_len();
        (positions * size_of::<P>() + orbits.len() * size_of::<usize>()) as u64
    }
}

/// The orbits of sets in which a man is in at least `mills` mills.
pub fn with_mills(
    orbits: &Orbits,
    diagonals: Diagonals,
    mills: usize,
) -> impl Iterator<Item = usize> {
    let is_in_mills = move |man: Square, men: SquareSet| {
        lines::count_closed(man, men, diagonals) as usize >= mills
    };
    (0..orbits.len()).filter(move |number| {
        let men = orbits.representative(*number);
        men.into_iter().any(|man| is_in_mills(man, men))
    })
}

/// The best value, by `value_of`, of the men left after a number of removals, or `None` if there is nothing to
/// remove.
#[inline]
pub fn best_left<const CROSSED: bool, V: Ord>(
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

/// The same where the order of removals does not matter, since no removal opens a mill or any man may be
/// removed: each set of removals is tried once.
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
