//! The placing phase: every move takes a man from a hand, so there are no cycles, and one pass over the
//! positions decides them all from the sectors that placements lead to.
//!
//! After a placement the men of the side that placed are the block of the next position, and the men of
//! the other side its rank. So for one set of own men and one free point all sets of the opponent are
//! one block of a few thousand values: a placement is a walk over a block, not a look-up a position. Only
//! in the end the values are gathered by the blocks of this sector, where the opponent's men are the
//! block.

use std::borrow::Cow;
use std::iter;

use arrayvec::ArrayVec;
use rayon::prelude::*;

use super::block::board;
use super::known::Known;
use super::mills::{best_left, with_mills};
use super::slots::{SlotMap, SlotSets};
use super::{SolveError, check_distances};
use crate::board::{Square, SquareSet, Symmetry, lines};
use crate::rules::{BoardFullAction, MillAction, RuleSet};
use crate::tablebase::file::SectorFile;
use crate::tablebase::observer::{SolveObserver, Stopped, check};
use crate::tablebase::orbits::{Orbit, Orbits};
use crate::tablebase::ranks::{FewSlotRanks, choose, compress, sets};
use crate::tablebase::sector::Sector;
use crate::tablebase::solvable::Solvable;
use crate::tablebase::solved::Solved;
use crate::tablebase::value::{Value, Wdl, Worth};

/// What placements lead to.
#[derive(Clone, Copy)]
pub struct Next {
    /// After a quiet placement.
    quiet: Sector,
    /// After one that closes one mill, two or three.
    mills: [After; MOST_MILLS],
}

/// The most mills that a placement closes.
const MOST_MILLS: usize = 3;

/// What closing mills leads to.
#[derive(Clone, Copy)]
enum After {
    /// The sector after a quiet placement: there is nothing to remove.
    Quiet,
    /// The end of the game: the opponent is left with too few men.
    Win,
    /// Another sector, after a number of removals.
    Sector(Sector, usize),
}

impl Next {
    /// That of a sector whose placements earn removals of men on the board at most, after which the other side is
    /// to move.
    pub fn of(game: &Solvable, sector: Sector) -> Option<Self> {
        let rules = game.rules();
        let [own_hand, hand] = sector.hands();
        let is_simple = own_hand > 0
            && (!rules.may_move_in_placing || game.has_alike_sides())
            && !rules.stops_placing_at_two_empty
            && !rules.has_captures()
            && rules.mill_action == MillAction::RemoveFromBoard;
        let is_last = own_hand == 1 && hand == 0;
        let fills_board = rules.men == RuleSet::MEN_TO_FILL_BOARD
            && !matches!(
                rules.board_full_action,
                BoardFullAction::WhiteLoses | BoardFullAction::Draw
            );
        if !is_simple || is_last && (rules.defender_moves_first || fills_board) {
            return None;
        }
        let quiet = game.after_placement(sector, 0)?;
        Some(Self { quiet, mills: [1, 2, 3].map(|mills| After::mills(game, sector, mills)) })
    }

    /// The same if all moves of the sector are placements.
    pub fn of_all(game: &Solvable, sector: Sector) -> Option<Self> {
        if game.rules().may_move_in_placing { None } else { Self::of(game, sector) }
    }
}

impl After {
    fn mills(game: &Solvable, sector: Sector, mills: usize) -> Self {
        let earned = if game.rules().may_remove_multiple { mills } else { 1 };
        match earned.min(sector.opponent()) {
            0 => Self::Quiet,
            removed => match game.after_placement(sector, removed) {
                Some(after) => Self::Sector(after, removed),
                None => Self::Win,
            },
        }
    }
}

/// How many cases of mills closed at once the rules distinguish.
fn cases_of_mills(game: &Solvable) -> usize {
    if game.rules().may_remove_multiple { MOST_MILLS } else { 1 }
}

/// The values of the blocks of a sector that was solved before, by rank.
pub trait Blocks<V>: Sync {
    /// Those of a block.
    fn block(&self, number: usize) -> Result<Vec<V>, SolveError>;
}

impl Blocks<Wdl> for &SectorFile {
    fn block(&self, number: usize) -> Result<Vec<Wdl>, SolveError> {
        Ok(self.wdl_of_block(number)?)
    }
}

/// The file must have distances.
impl Blocks<Value> for &SectorFile {
    fn block(&self, number: usize) -> Result<Vec<Value>, SolveError> {
        Ok(SectorFile::block(self, number)?)
    }
}

/// Solves a sector of the placing phase: wins, draws and losses, and distances on request.
///
/// # Errors
///
/// When the observer stops it, a file of `next` cannot be used, or a distance is too long.
pub fn solve<const CROSSED: bool>(
    game: &Solvable,
    sector: Sector,
    next: Next,
    known: &Known<'_>,
    has_distances: bool,
    observer: &dyn SolveObserver,
) -> Result<Solved, SolveError> {
    let file = |sector| known.file(sector);
    if !has_distances {
        let values =
            values::<CROSSED, Wdl, _>(game, sector, next, Placements::All, file, observer)?;
        let values = values.into_iter().map(Value::without_distance).collect();
        return Ok(Solved::from_values(sector, values));
    }
    let values = values::<CROSSED, Value, _>(game, sector, next, Placements::All, file, observer)?;
    check_distances(sector, &values)?;
    Ok(Solved::from_values(sector, values))
}

/// Which placements count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placements {
    /// All.
    All,
    /// Those that remove men.
    Conversions,
}

/// What the removals of a placement lead to at best for each position of a sector, a loss where there are none.
///
/// # Errors
///
/// As [`solve()`].
pub fn conversions<const CROSSED: bool>(
    game: &Solvable,
    sector: Sector,
    next: Next,
    known: &Known<'_>,
    observer: &dyn SolveObserver,
) -> Result<Vec<Wdl>, SolveError> {
    let file = |sector| known.file(sector);
    values::<CROSSED, Wdl, _>(game, sector, next, Placements::Conversions, file, observer)
}

/// The values of all positions of a sector by those of the sectors that placements lead to.
pub fn values<const CROSSED: bool, V: Worth + Send + Sync, B: Blocks<V>>(
    game: &Solvable,
    sector: Sector,
    next: Next,
    placements: Placements,
    known: impl Fn(Sector) -> Result<B, SolveError>,
    observer: &dyn SolveObserver,
) -> Result<Vec<V>, SolveError> {
    let mills = &next.mills[..cases_of_mills(game)];
    let quiet = match placements {
        Placements::All => Some(Quiet::new(next.quiet, &known(next.quiet)?, observer)?),
        Placements::Conversions => None,
    };
    let mut rows = Rows::new(sector);
    let case_of_quiet = || quiet.as_ref().map_or(Case::Elsewhere, Case::Quiet);
    let case_of = |after: &After| match after {
        After::Quiet => case_of_quiet(),
        After::Win => Case::Win,
        After::Sector(..) => Case::Elsewhere,
    };
    let cases: Vec<Case<'_, V>> =
        iter::once(case_of_quiet()).chain(mills.iter().map(case_of)).collect();
    rows.place::<CROSSED>(&cases, observer)?;
    drop(quiet);
    // The best removals of one case at a time are in memory.
    for (&after, count) in mills.iter().zip(1..) {
        if let After::Sector(after, removed) = after {
            let (after, counts) = (known(after)?, [count, removed]);
            let best = BestRemovals::new::<CROSSED>(game, sector, &after, counts, observer)?;
            let mut cases: Vec<Case<'_, V>> = (0..=mills.len()).map(|_| Case::Elsewhere).collect();
            cases[count] = Case::Removals(&best);
            rows.place::<CROSSED>(&cases, observer)?;
        }
    }
    Ok(rows.gather(observer)?)
}

/// The peak memory in bytes for solving a sector, apart from the files that it reads, while one like it is written.
pub fn memory(game: &Solvable, sector: Sector) -> u64 {
    let positions = |own: usize, opponent: usize| {
        let sets_of_opponent = choose(Square::COUNT - own, opponent);
        Orbits::of(own).len() as u64 * u64::from(sets_of_opponent)
    };
    let rows = positions(sector.own(), sector.opponent());
    let removals = match game.after_placement(sector, 1) {
        Some(_) => positions(sector.own() + 1, sector.opponent()),
        None => 0,
    };
    let quiet = game.after_placement(sector, 0).map_or(0, |quiet| quiet.len() as u64);
    let len = sector.len() as u64;
    rows + removals.max(quiet).max(len) + len
}

/// What placements that close a given number of mills lead to.
enum Case<'a, V> {
    /// A position of the sector after a quiet placement.
    Quiet(&'a Quiet<V>),
    /// A win: the removal of any man leaves too few.
    Win,
    /// What the best removals lead to.
    Removals(&'a BestRemovals<V>),
    /// What another pass enters.
    Elsewhere,
}

/// What the sector after a quiet placement is worth for the side that has placed. Every block of it is entered in
/// several rows, and takes long to read.
struct Quiet<V> {
    values: Vec<V>,
    block_len: usize,
}

impl<V: Worth + Send + Sync> Quiet<V> {
    fn new(
        sector: Sector,
        file: &impl Blocks<V>,
        observer: &dyn SolveObserver,
    ) -> Result<Self, SolveError> {
        let block_len = sector.block_len();
        let mut values = vec![V::LOST; sector.len()];
        values.par_chunks_mut(block_len).enumerate().try_for_each(|(number, values)| {
            check(observer)?;
            for (value, after) in values.iter_mut().zip(file.block(number)?) {
                *value = after.before_move();
            }
            Ok::<(), SolveError>(())
        })?;
        Ok(Self { values, block_len })
    }

    fn of(&self, number: usize) -> &[V] {
        &self.values[number * self.block_len..][..self.block_len]
    }
}

/// For each set with a mill of the side that has just placed, or with several on a point, and each set of
/// the other, the value of the best removals for the side that placed.
struct BestRemovals<V> {
    /// Where the values of an orbit begin, or `None` if it has no mill.
    starts: Vec<Option<usize>>,
    values: Vec<V>,
    block_len: usize,
}

impl<V: Worth + Send + Sync> BestRemovals<V> {
    fn new<const CROSSED: bool>(
        game: &Solvable,
        sector: Sector,
        file: &impl Blocks<V>,
        [mills, removed]: [usize; 2],
        observer: &dyn SolveObserver,
    ) -> Result<Self, SolveError> {
        let orbits = Orbits::of(sector.own() + 1);
        let free = Square::COUNT - orbits.men();
        let slots: Vec<u32> = sets(free, sector.opponent()).collect();
        let numbers: Vec<usize> = with_mills(orbits, board(CROSSED), mills).collect();
        let ranks = FewSlotRanks::of(free, sector.opponent() - removed);
        let mut starts = vec![None; orbits.len()];
        for (place, &number) in numbers.iter().enumerate() {
            starts[number] = Some(place * slots.len());
        }
        let mut values = vec![V::LOST; numbers.len() * slots.len()];
        let blocks = values.par_chunks_mut(slots.len().max(1)).zip(&numbers);
        blocks.try_for_each(|(values, &number)| {
            check(observer)?;
            let after = file.block(number)?;
            let free = !orbits.representative(number);
            let men = SlotMap::new(free.into_iter().map(SquareSet::of).map(SquareSet::bits));
            let slot_of = SlotMap::of_points(free);
            for (value, &slots) in values.iter_mut().zip(&slots) {
                let men = SquareSet::from_bits(men.map(slots));
                let value_of =
                    |left: SquareSet| after[ranks.rank(slot_of.map(left.bits()))].before_move();
                *value = best_left::<CROSSED, _>(game, men, removed, &value_of).unwrap_or(V::LOST);
            }
            Ok::<(), SolveError>(())
        })?;
        Ok(Self { starts, values, block_len: slots.len() })
    }

    /// The values of an orbit with a mill, by the rank of the men of the side that did not place.
    fn of(&self, number: usize) -> &[V] {
        let start = self.starts[number].unwrap_or_default();
        &self.values[start..start + self.block_len]
    }
}

/// How many values are gathered at a time, so that cache misses overlap.
const BATCH: usize = 256;

/// The values of all positions, a row for each orbit of the own men, by the rank of the opponent's men.
struct Rows<V> {
    sector: Sector,
    len: usize,
    values: Vec<V>,
}

impl<V: Worth + Send + Sync> Rows<V> {
    /// Every position has a placement, and none is worse than a loss.
    fn new(sector: Sector) -> Self {
        let len = choose(Square::COUNT - sector.own(), sector.opponent()) as usize;
        Self { sector, len, values: vec![V::LOST; Orbits::of(sector.own()).len() * len] }
    }

    /// Takes all placements into account, by what those that close no mill, one, two or three lead to.
    fn place<const CROSSED: bool>(
        &mut self,
        cases: &[Case<'_, V>],
        observer: &dyn SolveObserver,
    ) -> Result<(), Stopped> {
        let orbits = Orbits::of(self.sector.own());
        let free = Square::COUNT - self.sector.own();
        let walk = SlotSets::new(free - 1, self.sector.opponent());
        let ranks = FewSlotRanks::of(free, self.sector.opponent());
        let is_first = !matches!(cases[0], Case::Elsewhere);
        self.values.par_chunks_mut(self.len).enumerate().try_for_each(|(number, row)| {
            check(observer)?;
            let own = orbits.representative(number);
            for to in !own {
                place::<CROSSED, V>(row, own, to, (&walk, &ranks), cases);
            }
            observer.advance(if is_first { row.len() as u64 } else { 0 });
            Ok(())
        })
    }

    /// The values by the blocks of the opponent's men.
    fn gather(&self, observer: &dyn SolveObserver) -> Result<Vec<V>, Stopped> {
        let sector = self.sector;
        let (own_orbits, orbits) = (Orbits::of(sector.own()), Orbits::of(sector.opponent()));
        let free = Square::COUNT - sector.opponent();
        let slots: Vec<u32> = sets(free, sector.own()).collect();
        let ranks = FewSlotRanks::of(Square::COUNT - sector.own(), sector.opponent());
        let mut values = vec![V::LOST; sector.len()];
        values.par_chunks_mut(slots.len()).enumerate().try_for_each(|(number, block)| {
            check(observer)?;
            let opponent = orbits.representative(number);
            let images = Symmetry::images(opponent);
            let men =
                SlotMap::new((!opponent).into_iter().map(|point| SquareSet::of(point).bits()));
            let index = |&slots: &u32| {
                let own = SquareSet::from_bits(men.map(slots));
                let Orbit { number, to_representative, .. } = own_orbits.find(own);
                let opponent = images[to_representative.number()];
                let opponent = compress(opponent, !own_orbits.representative(number));
                number * self.len + ranks.rank(opponent)
            };
            for (values, slots) in block.chunks_mut(BATCH).zip(slots.chunks(BATCH)) {
                let indices: ArrayVec<usize, BATCH> = slots.iter().map(index).collect();
                for (value, index) in values.iter_mut().zip(indices) {
                    *value = self.values[index];
                }
            }
            observer.advance(slots.len() as u64);
            Ok(())
        })?;
        Ok(values)
    }
}

/// Takes the placement on a point into account for all positions with the same own men.
fn place<const CROSSED: bool, V: Worth + Send + Sync>(
    row: &mut [V],
    own: SquareSet,
    to: Square,
    (walk, ranks): (&SlotSets, &FewSlotRanks),
    cases: &[Case<'_, V>],
) {
    let mills = lines::count_closed(to, own, board(CROSSED)) as usize;
    let case = &cases[mills.min(cases.len() - 1)];
    if let Case::Elsewhere = case {
        return;
    }
    let placed = own.with(to);
    let orbits = Orbits::of(placed.len() as usize);
    let Orbit { number, to_representative, .. } = orbits.find(placed);
    let free = !orbits.representative(number);
    let back = to_representative.inverse();
    let slot_before = |point: Square| compress(back.set(SquareSet::of(point)), !own);
    let before = SlotMap::new(free.into_iter().map(slot_before));
    let values = match case {
        Case::Elsewhere => return,
        Case::Win => Cow::Owned(vec![V::WON; walk.len]),
        Case::Removals(best) => Cow::Borrowed(best.of(number)),
        Case::Quiet(after) => Cow::Borrowed(after.of(number)),
    };
    let mut rest = &*values;
    for &(higher, lowest) in &walk.parts {
        let (part, others) = rest.split_at(lowest.len());
        rest = others;
        let higher = before.map(higher);
        for (&lowest, &value) in lowest.iter().zip(part) {
            let known = &mut row[ranks.rank(higher | before.map_lowest(lowest))];
            *known = value.max(*known);
        }
    }
}
