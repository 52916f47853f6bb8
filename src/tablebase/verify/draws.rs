//! Checking where draws come to rest: each against the draws that its moves lead to.
//!
//! A draw above or below the rank of its sector follows from draws that are fewer turns from rest, so that
//! what passes is right by the same induction as distances are. While men are placed turns are not kept.

use rayon::prelude::*;

use super::check::Sample;
use super::error::VerifyError;
use crate::board::Side;
use crate::position::Position;
use crate::rules::Rules;
use crate::tablebase::draw_value::{DrawOrder, DrawValue};
use crate::tablebase::folder::Tablebase;
use crate::tablebase::sector::Sector;
use crate::tablebase::value::Wdl;

/// A sector and what it takes to check its draws.
pub struct DrawCheck<'a, R: Rules> {
    pub sector: Sector,
    /// A position of the game, from which others are made.
    pub start: Position<R>,
    pub tablebase: &'a Tablebase,
}

/// Where draws come to rest, the better for a side the greater.
type Preference = (i8, i16);

impl<R: Rules> DrawCheck<'_, R> {
    /// Checks the draws among all positions, or of a sample: the first of each of a number of stretches of equal
    /// length, begun at a place that the seed chooses.
    pub fn run(&self, sample: Option<Sample>) -> Result<(), VerifyError> {
        let len = self.sector.len() as u64;
        let (positions, seed) = sample.map_or((len, 0), |sample| (sample.positions, sample.seed));
        let positions = positions.min(len).max(1);
        let shift = seed % (len / positions).max(1);
        (0..positions).into_par_iter().try_for_each(|stretch| {
            let index = stretch * len / positions + shift;
            self.position((index % len) as usize)
        })
    }

    fn position(&self, index: usize) -> Result<(), VerifyError> {
        let (own, opponent) = self.sector.position(index);
        if self.tablebase.wdl(self.sector, own, opponent) != Some(Wdl::Draw) {
            return Ok(());
        }
        let position = self.sector.set_up(&self.start, own, opponent);
        if position.ending().is_some() {
            return Ok(());
        }
        let stored = self.stored(&position)?;
        let derived = self.best(&position)?;
        let derived = derived.map(|value| self.at_rest(value));
        let is_right = derived.is_some_and(|derived| {
            self.order().rank_of(derived) == self.order().rank_of(stored)
                && (self.sector.is_placing() || derived.turns == stored.turns)
        });
        if is_right {
            return Ok(());
        }
        let (sector, position, stored) = (self.sector, position.to_string(), stored.to_string());
        let no_draw = || "has no move that draws".to_owned();
        let other = derived.map_or_else(no_draw, |derived| format!("{derived} by its moves"));
        Err(VerifyError::Value { sector, position, stored, other })
    }

    fn order(&self) -> &DrawOrder {
        self.tablebase.draw_order()
    }

    /// The value with no turns, if it is that of the sector itself.
    fn at_rest(&self, value: DrawValue) -> DrawValue {
        let is_at_rest = self.order().rank_of(value) == self.order().rank(self.sector);
        let turns = value.turns.map(|turns| if is_at_rest { 0 } else { turns });
        DrawValue { turns, ..value }
    }

    /// The best draw that a move of the side to move leads to, or `None` if all lose.
    fn best(&self, position: &Position<R>) -> Result<Option<DrawValue>, VerifyError> {
        let side = position.to_move();
        let mut best: Option<(Preference, DrawValue)> = None;
        for mv in position.moves() {
            let Some(value) = self.after(side, &position.after(mv))? else { continue };
            let preference = self.order().preference(self.sector, value);
            if best.is_none_or(|(before, _)| preference > before) {
                best = Some((preference, value));
            }
        }
        Ok(best.map(|(_, value)| value))
    }

    /// What a position after a move is worth to the side that has moved, if it draws; a removal belongs to the
    /// turn that earns it.
    fn after(&self, side: Side, position: &Position<R>) -> Result<Option<DrawValue>, VerifyError> {
        if position.ending().is_some() {
            return Ok(None);
        }
        if position.to_move() == side && position.pending() > 0 {
            return self.best(position);
        }
        match self.tablebase.probe::<Wdl, R>(position) {
            Some(Wdl::Draw) => Ok(Some(self.stored(position)?.before_move())),
            Some(_) => Ok(None),
            None => Err(self.missing(position)),
        }
    }

    fn stored(&self, position: &Position<R>) -> Result<DrawValue, VerifyError> {
        self.tablebase.probe_draw(position).ok_or_else(|| self.missing(position))
    }

    fn missing(&self, position: &Position<R>) -> VerifyError {
        let needed = self.tablebase.game().sector_of(position).unwrap_or(self.sector);
        VerifyError::Missing { sector: self.sector, needed }
    }
}
