//! Playing a record again.

use super::error::UnplayableMove;
use super::{Record, ReplayError};
use crate::position::{Move, Position, TextError, Turn};
use crate::rules::{RuleSet, Rules};

impl Record {
    /// The position that the game started from.
    ///
    /// # Errors
    ///
    /// When the start is no position text of the rules.
    pub fn start_position(&self) -> Result<Position<RuleSet>, TextError> {
        match &self.start {
            Some(text) => Position::from_text(text, self.rules),
            None => Ok(Position::start(self.rules)),
        }
    }

    /// Lets the game start from a position text, and returns its position.
    pub(super) fn set_start(&mut self, text: &str) -> Result<Position<RuleSet>, TextError> {
        let position = Position::from_text(text, self.rules)?;
        let is_usual = position == Position::start(self.rules);
        self.start = (!is_usual).then(|| text.trim().to_owned());
        Ok(position)
    }

    /// The positions of the game, from the start to the one after the last move: one more than
    /// there are moves.
    ///
    /// # Errors
    ///
    /// When the start is no position, or the first move that is illegal.
    pub fn replay(&self) -> Result<Vec<Position<RuleSet>>, ReplayError> {
        let mut position = self.start_position()?;
        let mut positions = vec![position];
        for mv in self.moves() {
            play(&mut position, mv)?;
            positions.push(position);
        }
        Ok(positions)
    }

    /// The turns of the game, of one or several moves each.
    ///
    /// # Errors
    ///
    /// When the start is no position, or the first move that is illegal.
    pub fn turns(&self) -> Result<Vec<Turn>, ReplayError> {
        let positions = self.replay()?;
        Ok(Turn::group(positions.iter().map(Position::to_move).zip(self.moves())))
    }
}

/// Plays a move, whatever draws came before.
pub(super) fn play<R: Rules>(position: &mut Position<R>, mv: Move) -> Result<(), UnplayableMove> {
    if position.ending().is_some() || !position.is_legal(mv) {
        return Err(UnplayableMove::new(mv, position));
    }
    *position = position.after(mv);
    Ok(())
}
