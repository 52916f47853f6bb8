//! The sentence about each turn that a player may ask for.

use std::io;

use millstone::position::Move;

use super::session::Session;

impl Session {
    /// Says what the last turn did to the game, if the player wants to learn and the turn is complete.
    pub(super) fn teach(&mut self) -> io::Result<()> {
        let history = &self.game.history;
        let [.., (side, _)] = *history.played() else { return Ok(()) };
        if !self.teaches || history.game().is_within_turn(side) {
            return Ok(());
        }
        let turn: Vec<Move> = history.last_turn().iter().map(|&(_, mv)| mv).collect();
        let mut before = history.fresh();
        let earlier = history.played().len() - turn.len();
        for &(_, mv) in &history.played()[..earlier] {
            before.play(mv).map_err(io::Error::other)?;
        }
        match self.engine.teach(&*before, &turn) {
            Ok(Some(lesson)) => self.screen.print(lesson),
            Ok(None) => Ok(()),
            Err(error) => self.screen.print(error),
        }
    }

    /// Begins or ends to teach.
    pub(super) fn switch_teaching(&mut self) -> io::Result<()> {
        self.teaches = !self.teaches;
        self.screen.print(if self.teaches {
            "Each turn gets a sentence about what it did; teach again ends that."
        } else {
            "Turns are not commented any more."
        })
    }
}
