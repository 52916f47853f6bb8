//! Spreading values through quiet moves: from the positions decided at one level to those from which quiet
//! moves lead to them.

use std::iter;
use std::mem;

use rayon::prelude::*;

use crate::tablebase::draw_value::DrawCode;
use crate::tablebase::observer::{SolveObserver, Uncounted};
use crate::tablebase::solve::SolveError;
use crate::tablebase::solve::frontier::Frontier;
use crate::tablebase::solve::initial::{Levels, SectorState};
use crate::tablebase::solved::Solved;

/// The highest rank that a game may have.
const HIGHEST: i8 = 63;

/// Decides all draws of a pair of sectors, given after initialisation, and the rank of each.
///
/// # Errors
///
/// When the observer stops it.
pub fn spread<const CROSSED: bool>(
    mut pair: Vec<SectorState<DrawCode>>,
    ranks: &[i8],
    observer: &dyn SolveObserver,
) -> Result<Vec<Solved<DrawCode>>, SolveError> {
    let uncounted = Uncounted(observer);
    // Each side in turn gains what the other one loses; with equal men both are in one sector.
    for (gaining, rank) in ranks.iter().enumerate() {
        let sides = [gaining, pair.len() - 1 - gaining];
        let empty = [(); 2].map(|()| sides.map(|side| Frontier::empty(pair[side].sector)));
        let [mut last, mut next] = empty;
        for value in (rank + 1..=HIGHEST).rev() {
            spread_value::<CROSSED>(&mut pair, sides, value, [&mut last, &mut next], &uncounted)?;
        }
        observer.advance(pair[gaining].sector.len() as u64);
    }
    let finish = |(one, rank): (SectorState<DrawCode>, &i8)| {
        let sector = one.sector;
        // Draws that are undecided are at rest.
        let codes = one.finish(DrawCode::drawn(*rank, 0), &uncounted)?;
        Ok(Solved::from_values(sector, codes.into_numbers()?))
    };
    pair.into_iter().zip(ranks).map(finish).collect()
}

/// Decides the positions from which one side forces its way to a value above the rank of its sector, and
/// those from which the other side cannot avoid it. The frontiers have the positions of both sides that were decided at
/// the last level, and those at this one.
fn spread_value<const CROSSED: bool>(
    pair: &mut [SectorState<DrawCode>],
    [gaining, losing]: [usize; 2],
    value: i8,
    [last, next]: [&mut [Frontier; 2]; 2],
    observer: &dyn SolveObserver,
) -> Result<(), SolveError> {
    let exits = [exits_to(&mut pair[gaining], value)?, exits_to(&mut pair[losing], -value)?];
    let has_exit = |turns: &u8| exits.iter().flatten().any(|levels| levels.contains(*turns));
    let Some(last_exit) = (0..=u8::MAX).rev().find(has_exit) else { return Ok(()) };
    // What takes more turns than can be said goes on until nothing more is decided.
    let turns = (1..=u8::MAX).map(|turns| (turns, true)).chain(iter::repeat((u8::MAX, false)));
    for (turns, is_first) in turns {
        let [gains, losses] = exits.each_ref().map(|exits| {
            let has = move |levels: &Levels| is_first && levels.contains(turns);
            move |number: usize, _: &Levels| exits.get(number).is_some_and(has)
        });
        let level = DrawCode::drawn(value, turns);
        let frontiers = [&last[1], &next[0]];
        let mut decided =
            pair[gaining].decide::<CROSSED, true>(level, None, gains, frontiers, observer)?;
        let level = DrawCode::drawn(-value, turns);
        let frontiers = [&last[0], &next[1]];
        decided +=
            pair[losing].decide::<CROSSED, false>(level, None, losses, frontiers, observer)?;
        mem::swap(last, next);
        if decided == 0 && turns >= last_exit {
            break;
        }
    }
    Ok(())
}

/// For each block the turns of its exits to a value, none if no block has any.
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
