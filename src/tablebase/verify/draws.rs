//! Checking where draws come to rest: each against the draws that its moves lead to.
//!
//! A draw above or below the rank of its sector follows from draws that are fewer turns from rest, so that
//! what passes is right by the same induction as distances are. While men are placed turns are not kept.

use super::Result;
use super::check::{Check, Sample, differs};
use crate::board::Side;
use crate::position::Position;
use crate::rules::Rules;
use crate::tablebase::draw_value::{DrawOrder, DrawValue};
use crate::tablebase::observer::Uncounted;
use crate::tablebase::sector::Men;
use crate::tablebase::value::Wdl;

impl<R: Rules> Check<'_, R> {
    /// Checks where draws come to rest, among all positions or a sample.
    pub fn draws(&self, sample: Sample) -> Result<()> {
        sample.visit(self.sector, &Uncounted(self.verifier.observer), |_, men| self.draw(men))
    }

    fn draw(&self, [own, opponent]: Men) -> Result<()> {
        if self.verifier.tablebase.wdl(self.sector, own, opponent) != Some(Wdl::Draw) {
            return Ok(());
        }
        let position = self.sector.set_up(&self.start, own, opponent);
        if position.ending().is_some() {
            return Ok(());
        }
        let stored = self.stored_draw(&position)?;
        let derived = self.best_draw(&position)?.map(|value| self.at_rest(value));
        let is_right = derived.is_some_and(|derived| {
            self.order().rank_of(derived) == self.order().rank_of(stored)
                && (self.sector.is_placing() || derived.turns == stored.turns)
        });
        if is_right {
            return Ok(());
        }
        let derived = derived.map_or("no draw".to_owned(), |derived| derived.to_string());
        Err(differs(self.sector, position, [stored.to_string(), derived], "its moves"))
    }

    fn order(&self) -> &DrawOrder {
        self.verifier.tablebase.draw_order()
    }

    /// The value with no turns, if it is that of the sector itself.
    fn at_rest(&self, value: DrawValue) -> DrawValue {
        let is_at_rest = self.order().rank_of(value) == self.order().rank(self.sector);
        let turns = value.turns.map(|turns| if is_at_rest { 0 } else { turns });
        DrawValue { turns, ..value }
    }

    /// The best draw that a move of the side to move leads to, or `None` if all lose.
    fn best_draw(&self, position: &Position<R>) -> Result<Option<DrawValue>> {
        let side = position.to_move();
        let mut draws = Vec::new();
        for mv in position.moves() {
            draws.extend(self.draw_after(side, &position.after(mv))?);
        }
        Ok(draws.into_iter().max_by_key(|&draw| self.order().preference(self.sector, draw)))
    }

    /// What a position after a move is worth to the side that has moved, if it draws; a removal belongs to the
    /// turn that earns it.
    fn draw_after(&self, side: Side, position: &Position<R>) -> Result<Option<DrawValue>> {
        if position.ending().is_some() {
            return Ok(None);
        }
        if position.to_move() == side && position.pending() > 0 {
            return self.best_draw(position);
        }
        match self.verifier.tablebase.probe::<Wdl, R>(position) {
            Some(Wdl::Draw) => Ok(Some(self.stored_draw(position)?.before_move())),
            Some(_) => Ok(None),
            None => Err(self.missing(position)),
        }
    }

    fn stored_draw(&self, position: &Position<R>) -> Result<DrawValue> {
        self.verifier.tablebase.probe_draw(position).ok_or_else(|| self.missing(position))
    }
}
