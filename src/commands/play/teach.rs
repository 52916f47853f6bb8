//! The sentence about each turn that a player may ask for.

use std::io;

use super::session::Session;

impl Session {
    /// Says what the last turn did to the game, if the player wants to learn and the turn is complete.
    pub(super) fn teach(&mut self) -> io::Result<()> {
        if !self.teaches {
            return Ok(());
        }
        let Some((before, turn)) = self.game.history.before_last_turn() else { return Ok(()) };
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
