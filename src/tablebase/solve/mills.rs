//! The best mill that each position can close, by the value of the best removal after it.
//!
//! Values are kept as [preferences](Value::preference), so that the best is the highest byte.

use arrayvec::ArrayVec;
use bytemuck::allocation::zeroed_vec;
use rayon::prelude::*;

use super::block::{Block, board};
use crate::board::{Diagonals, SquareSet, Symmetry, lines};
use crate::tablebase::observer::{SolveObserver, Stopped, check};
use crate::tablebase::orbits::{Orbit, Orbits};
use crate::tablebase::ranks::{SlotRanks, compress, sets};
use crate::tablebase::sector::Sector;
use crate::tablebase::solvable::Solvable;
use crate::tablebase::solved::Solved;
use crate::tablebase::value::Value;

/// Whether mills alone are the exits of a sector, each of which earns one removal; what becomes of a side
/// that cannot move is another matter.
pub fn are_simple(game: &Solvable, sector: Sector) -> bool {
    let rules = game.rules();
    !sector.is_placing() && !rules.has_captures() && !rules.may_remove_multiple
}

/// For each position the preference for its best mill, 0 if it can close none.
///
/// `solved` is the sector that a removal leads to; none when the removal wins.
pub fn best_mills<const CROSSED: bool>(
    game: &Solvable,
    sector: Sector,
    solved: Option<&Solved>,
    observer: &dyn SolveObserver,
) -> Result<Vec<u8>, Stopped> {
    let removals = BestRemovals::of::<CROSSED>(game, sector, solved, observer)?;
    let flies = game.flies(sector.own(), 0);
    let len = sector.block_len();
    let ranks = SlotRanks::of(sector.own());
    let orbits = Orbits::of(sector.opponent());
    let mut mills = zeroed_vec(sector.blocks() * len);
    mills.par_chunks_mut(len).enumerate().try_for_each(|(number, mills)| {
        check(observer)?;
        let block = Block::<CROSSED>::new(orbits.representative(number), flies);
        close_all(&block, &removals, sector, |slots, preference| {
            let best = &mut mills[ranks.rank(slots)];
            *best = preference.max(*best);
        });
        observer.advance(len as u64);
        Ok(())
    })?;
    Ok(mills)
}

/// How many positions are looked up at a time, so that cache misses overlap.
const BATCH: usize = 128;

/// Calls `visit` with the slots from which each mill of a block is closed, and its preference.
#[inline]
fn close_all<const CROSSED: bool>(
    block: &Block<CROSSED>,
    removals: &BestRemovals,
    sector: Sector,
    mut visit: impl FnMut(u32, u8),
) {
    let standing = Symmetry::images(block.standing);
    let mut closed = sets(block.free_slots(), sector.own()).filter_map(|slots| {
        let men = block.men(slots);
        let mills = Block::<CROSSED>::in_mills(men);
        (!mills.is_empty()).then(|| (slots, men, mills, removals.orbit(men)))
    });
    loop {
        let batch: ArrayVec<_, BATCH> = closed.by_ref().take(BATCH).collect();
        let index = |(.., orbit): &(_, _, _, Orbit)| removals.index(*orbit, &standing);
        let indices: ArrayVec<usize, BATCH> = batch.iter().map(index).collect();
        let preferences: ArrayVec<u8, BATCH> =
            indices.iter().map(|index| removals.preference(*index)).collect();
        for ((slots, men, mills, _), preference) in batch.iter().zip(&preferences) {
            block.take_back(*slots, *men, *mills, |before| visit(before, *preference));
        }
        if !batch.is_full() {
            return;
        }
    }
}

/// The preference for the best removal in each position in which a side has just closed a mill, by
/// the orbit of its own men.
pub struct BestRemovals {
    orbits: &'static Orbits,
    /// For each orbit with a mill the start of its block.
    starts: Vec<usize>,
    preferences: Vec<u8>,
    ranks: SlotRanks,
}

impl BestRemovals {
    /// `sector` is that in which mills are closed, `solved` the one that a removal leads to; none when
    /// the removal wins.
    pub fn of<const CROSSED: bool>(
        game: &Solvable,
        sector: Sector,
        solved: Option<&Solved>,
        observer: &dyn SolveObserver,
    ) -> Result<Self, Stopped> {
        let orbits = Orbits::of(sector.own());
        let len = sector.reply().block_len();
        let numbers: Vec<usize> = with_mill(orbits, board(CROSSED)).collect();
        let mut starts = vec![0; orbits.len()];
        (0..).zip(&numbers).for_each(|(index, &number)| starts[number] = index * len);
        let mut preferences = zeroed_vec(numbers.len() * len);
        let ranks = SlotRanks::of(sector.opponent() - 1);
        let blocks = preferences.par_chunks_mut(len).zip(numbers);
        blocks.try_for_each(|(preferences, number)| {
            check(observer)?;
            let Some(solved) = solved else {
                preferences.fill(Value::LOST.before_move().preference());
                return Ok(());
            };
            let block = Block::<CROSSED>::new(orbits.representative(number), false);
            let sets = sets(block.free_slots(), sector.opponent());
            for (preference, slots) in preferences.iter_mut().zip(sets) {
                *preference = best(&block, game, slots, solved.block(number), &ranks);
            }
            Ok(())
        })?;
        Ok(Self { orbits, starts, preferences, ranks: SlotRanks::of(sector.opponent()) })
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
    pub fn preference(&self, index: usize) -> u8 {
        self.preferences[index]
    }

    /// How many bytes the removals in a sector take.
    pub fn memory(game: &Solvable, sector: Sector) -> u64 {
        let orbits = Orbits::of(sector.own());
        let positions =
            with_mill(orbits, game.rules().diagonals).count() * sector.reply().block_len();
        (positions + orbits.len() * size_of::<usize>()) as u64
    }
}

/// The orbits of sets that have a mill.
fn with_mill(orbits: &Orbits, diagonals: Diagonals) -> impl Iterator<Item = usize> {
    let mills = move |number: &usize| lines::count_mills(orbits.representative(*number), diagonals);
    (0..orbits.len()).filter(move |number| mills(number) != 0)
}

/// The preference for the best removal of one of the men on a set of slots.
fn best<const CROSSED: bool>(
    block: &Block<CROSSED>,
    game: &Solvable,
    slots: u32,
    after: &[Value],
    ranks: &SlotRanks,
) -> u8 {
    let men = block.men(slots);
    let free = men - Block::<CROSSED>::in_mills(men);
    let is_any = free.is_empty() || game.rules().may_remove_from_mills;
    let removable = if is_any { men } else { free };
    let values = removable.into_iter().map(|man| after[ranks.rank(slots ^ block.slot(man))]);
    values.map(|value| value.before_move().preference()).max().unwrap_or(0)
}
