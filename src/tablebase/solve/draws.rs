//! Finds where draws come to rest: the ultra-strong value of every drawn position of solved sectors.
//!
//! Each sector of the moving phase has a rank in the [order](DrawOrder). Play that stays in a sector and its paired
//! sector for ever is worth the rank of the sector. A drawn position is worth more if its side can force something
//! better, less if the opponent can force something worse, and otherwise the rank. This is retrograde analysis over
//! drawn positions only: from the best values down to the rank, and, for the opponent, from the worst values up to it.
//! Losing moves are ignored, and a drawn position has no winning ones.
//!
//! Among equal values, one above the rank is reached as soon as possible, one below it as late as possible. So a level
//! is a value and a number of turns.

use std::{iter, mem};

use rayon::prelude::*;

use super::block::Block;
use super::frontier::{BATCH, Frontier};
use super::initial::{Levels, SAFE, SectorState, loses_if_blocked};
use super::known::Known;
use super::mills::{self, BestRemovals};
use super::store::Store;
use super::{SolveError, SolveObserver, Uncounted, check, placing};
use crate::board::{Diagonals, SquareSet, Symmetry};
use crate::system::memory::zeros;
use crate::tablebase::sector::{Sector, Solvable, Solved};
use crate::tablebase::sets::rank;
use crate::tablebase::value::{DrawCode, DrawOrder, Wdl, Worth};

/// Solves the draws of a sector, together with its paired sector if play can alternate between them.
///
/// * `known`: the sector files of a game whose draws [can be ordered](can_be_ordered). The files of sectors solved
///   before store draws of the same order.
pub fn solve(
    known: &Known<'_>,
    order: &DrawOrder,
    sector: Sector,
) -> Result<Vec<Solved<DrawCode>>, SolveError> {
    match known.game.rules().diagonals {
        Diagonals::Without => solve_on::<false>(known, order, sector),
        Diagonals::With => solve_on::<true>(known, order, sector),
    }
}

fn solve_on<const CROSSED: bool>(
    known: &Known<'_>,
    order: &DrawOrder,
    sector: Sector,
) -> Result<Vec<Solved<DrawCode>>, SolveError> {
    let &Known { game, observer, .. } = known;
    // Reads a block of a sector whose draws were solved before, by rank.
    let read = |sector, block| {
        let file = known.file(sector)?;
        if file.draw_order_kind() != Some(order.kind()) {
            return Err(SolveError::Unusable(sector));
        }
        Ok(file.draws_of_block(block, order)?.into_iter())
    };
    if let Some(quiet) = placing::next_of_all(&game, sector) {
        let read = |after, block| Ok(read(after, block)?.map(rank_before).collect());
        let ranks = placing::best::<CROSSED, i8>(known, sector, Some(quiet), read, observer)?;
        return Ok(vec![Solved::from_values(sector, ranks.gather(code_of)?)]);
    }
    let group = game.group(sector);
    let ranks: Vec<i8> = group.iter().map(|&sector| order.rank(sector)).collect();
    let states = group.iter().zip(&ranks).map(|(&sector, &rank)| {
        let worth = |code: DrawCode| code.preference_before(rank);
        let read = |after, block| Ok(read(after, block)?.map(worth).collect());
        let mut mills = zeros(sector.len());
        mills::enter_mills::<CROSSED, _>(known, sector, read, &mut mills)?;
        SectorState::of_draws::<CROSSED>(known, rank, Store::new(sector, mills, None)?)
    });
    let states = states.collect::<Result<Vec<_>, SolveError>>()?;
    spread::<CROSSED>(states, &ranks, observer)
}

impl SectorState<DrawCode> {
    /// Initialises a sector of the moving phase, given its rank, where play that stays there is at rest, and the
    /// preference for the best mill of each position.
    ///
    /// The counter of a drawn position is the number of drawing moves that are not known to lead below the rank of the
    /// sector. Draws that are never decided get that rank.
    fn of_draws<const CROSSED: bool>(
        known: &Known<'_>,
        at_rest: i8,
        mills: Store<DrawCode>,
    ) -> Result<Self, SolveError> {
        let mut state = Self::new(&known.game, mills);
        // The walk borrows the state, so the slots are returned to it afterwards.
        let slots = mem::take(&mut state.slots);
        let (sector, flies) = (state.levels.sector, state.flies);
        let (drawn, file) = (drawn_of(known, sector.reply())?, known.file(sector)?);
        state.each_block(known.observer, |number, counters, codes, exits| {
            let block = Block::<CROSSED>::new(sector.opponent_of_block(number), flies);
            for reply in drawn.take(number) {
                let men = block.men(slots[reply]);
                let quiet = men - Block::<CROSSED>::in_mills(men);
                block.take_back(slots[reply], men, quiet, |before| counters[rank(before)] += 1);
            }
            let wdl = file.read_block::<Wdl>(number)?;
            for ((counter, code), wdl) in counters.iter_mut().zip(codes).zip(wdl) {
                (*counter, *code) = match wdl {
                    Wdl::Draw => first(*counter, code.turned(at_rest), at_rest),
                    Wdl::Win => (0, DrawCode::WON),
                    Wdl::Loss => (0, DrawCode::LOST),
                };
                if let Some((value, _)) = code.draw() {
                    exits.insert(value as u8);
                }
            }
            Ok(())
        })?;
        Ok(Self { slots, ..state })
    }
}

/// The initial counter and code of a drawn position, given its number of drawing quiet moves and its best exit.
fn first(quiet: u8, exit: DrawCode, rank: i8) -> (u8, DrawCode) {
    match exit.draw() {
        // All exits below the rank count as one move, since only the best one matters.
        Some((value, _)) if value < rank => (quiet + 1, exit),
        Some((value, _)) if value > rank => (SAFE, exit),
        Some(_) => (SAFE, DrawCode::drawn(rank, 0)),
        None => (quiet, DrawCode::drawn(rank, 0)),
    }
}

/// The drawn positions of a sector.
fn drawn_of(known: &Known<'_>, sector: Sector) -> Result<Frontier, SolveError> {
    let file = known.file(sector)?;
    let drawn = Frontier::empty(sector);
    (0..sector.blocks()).into_par_iter().try_for_each(|number| {
        check(known.observer)?;
        let images = Symmetry::images(sector.opponent_of_block(number));
        let men = sector.men_of_block(number, 0).zip(file.read_block::<Wdl>(number)?);
        let men = men.filter(|(_, wdl)| *wdl == Wdl::Draw);
        let men: Vec<SquareSet> = men.map(|(men, _)| men).collect();
        men.chunks(BATCH).for_each(|men| drawn.insert(men.iter().copied(), &images));
        Ok::<(), SolveError>(())
    })?;
    Ok(drawn)
}

/// The maximum rank of a sector.
const HIGHEST: i8 = 63;

/// Decides all draws of an initialised sector, or pair of sectors, given the rank of each.
///
/// # Errors
///
/// When the observer stops the work.
fn spread<const CROSSED: bool>(
    mut pair: Vec<SectorState<DrawCode>>,
    ranks: &[i8],
    observer: &dyn SolveObserver,
) -> Result<Vec<Solved<DrawCode>>, SolveError> {
    let uncounted = Uncounted(observer);
    // Each side in turn gains what the other loses: that one can force a value above the rank of its sector, which the
    // other cannot avoid. With equal men, both are in one sector.
    for (gaining, rank) in ranks.iter().enumerate() {
        let losing = pair.len() - 1 - gaining;
        // What was decided for both sides at the last level and at this one.
        let empty = || [gaining, losing].map(|side| Frontier::empty(pair[side].levels.sector));
        let (mut last, mut next) = (empty(), empty());
        for value in (rank + 1..=HIGHEST).rev() {
            let exits =
                [exits_to(&mut pair[gaining], value)?, exits_to(&mut pair[losing], -value)?];
            let has_exit = |turns: &u8| exits.iter().flatten().any(|exits| exits.contains(*turns));
            let Some(last_exit) = (0..=u8::MAX).rev().find(has_exit) else { continue };
            // The highest number of turns is repeated until nothing more is decided.
            let repeated = iter::repeat((u8::MAX, false));
            for (turns, is_first) in (1..=u8::MAX).map(|turns| (turns, true)).chain(repeated) {
                let [gains, losses] = exits.each_ref().map(|exits| {
                    let has = move |levels: &Levels| is_first && levels.contains(turns);
                    move |number: usize, _: &Levels| exits.get(number).is_some_and(has)
                });
                let (level, frontiers) = (DrawCode::drawn(value, turns), [&last[1], &next[0]]);
                let mut decided = pair[gaining]
                    .decide::<CROSSED, true>(level, None, gains, frontiers, &uncounted)?;
                let (level, frontiers) = (DrawCode::drawn(-value, turns), [&last[0], &next[1]]);
                decided += pair[losing]
                    .decide::<CROSSED, false>(level, None, losses, frontiers, &uncounted)?;
                mem::swap(&mut last, &mut next);
                if decided == 0 && turns >= last_exit {
                    break;
                }
            }
        }
        observer.advance(pair[gaining].levels.sector.len() as u64);
    }
    let finish = |(one, rank): (SectorState<DrawCode>, &i8)| {
        let sector = one.levels.sector;
        // Undecided draws are at rest.
        let codes = one.finish(DrawCode::drawn(*rank, 0), &uncounted)?;
        Ok(Solved::from_values(sector, codes))
    };
    pair.into_iter().zip(ranks).map(finish).collect()
}

/// The turns of the exits to a value, for each block; empty if no block has such an exit.
fn exits_to(state: &mut SectorState<DrawCode>, value: i8) -> Result<Vec<Levels>, SolveError> {
    if !state.exits.iter().any(|ranks| ranks.contains(value as u8)) {
        return Ok(Vec::new());
    }
    let levels = state.levels.blocks().zip(&state.exits).map(|(codes, ranks)| {
        codes.with(|codes| {
            let mut levels = Levels::default();
            if ranks.contains(value as u8) {
                let draws = codes.iter().filter_map(|code| code.draw());
                let exits = draws.filter(|(rank, _)| *rank == value);
                exits.for_each(|(_, turns)| levels.insert(turns));
            }
            levels
        })
    });
    Ok(levels.collect::<Result<_, _>>()?)
}

/// The rank of a draw for the side that has moved to it; wins and losses lie beyond all ranks.
fn rank_before(code: DrawCode) -> i8 {
    match code {
        DrawCode::LOST => i8::WON,
        DrawCode::WON => i8::LOST,
        code => code.draw().map_or(0, |(rank, _)| -rank),
    }
}

/// The code of a result of [`rank_before`].
fn code_of(rank: i8) -> DrawCode {
    match rank {
        i8::LOST => DrawCode::LOST,
        i8::WON => DrawCode::WON,
        rank => DrawCode::drawn(rank, 0),
    }
}

/// Whether the rules are simple enough to solve where draws come to rest: the men cannot fill the board, the kernel of
/// the [placing phase](placing::next_of_all) supports every sector with men in hand, nothing captures but mills, and a
/// side that cannot move loses.
pub fn can_be_ordered(game: &Solvable) -> bool {
    let is_simple = |sector: Sector| {
        if sector.is_placing() {
            placing::next_of_all(game, sector).is_some()
        } else {
            mills::are_simple(game, sector)
        }
    };
    loses_if_blocked(game) && game.sectors().into_iter().all(is_simple)
}

/// The peak memory in bytes for solving the draws of a sector together with its paired sector.
pub fn memory(game: &Solvable, sector: Sector) -> u64 {
    if sector.is_placing() {
        return placing::memory(game, sector) + 2 * sector.len() as u64;
    }
    let group = game.group(sector);
    let all: u64 = group.iter().map(|sector| 3 * sector.len() as u64).sum();
    let removals = group.iter().map(|&sector| BestRemovals::<DrawCode>::memory(game, sector));
    all + removals.max().unwrap_or(0)
}
