//! `millstone play`: a game in the terminal.
//!
//! ```text
//! arguments                    the command line
//! start, session, actions      how a session begins, the turns in it, what its commands do
//! game, clock, saved_game      players and moves, clocks, the record that is saved after each move
//! input, typed_moves,          lines and their completion, moves as people type them,
//! commands, help, interrupt    commands, the pages of help, Ctrl-C
//! screen, board                what is shown
//! engine                       searches, and the tablebase that they use
//! ```

mod actions;
mod arguments;
mod board;
mod clock;
mod commands;
mod engine;
mod game;
mod help;
mod input;
mod interrupt;
mod saved_game;
mod screen;
mod session;
mod start;
mod typed_moves;

use std::io;
use std::mem;

use millstone::rules::RuleSet;

use super::CommandResult;
pub use arguments::{Arguments, DEFAULT_LEVEL};
pub use game::{GameEnd, History};
use input::Completions;
pub use screen::request;
use session::{Session, Watch};

/// Plays until the player leaves.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    interrupt::catch()?;
    match start::session(arguments, rules)? {
        Some(mut session) => session.run(),
        None => Ok(()),
    }
}

impl Session {
    /// Plays until the player leaves; an unfinished game stays saved.
    pub fn run(&mut self) -> CommandResult {
        while self.step()? {}
        if self.autosave.is_some() && self.is_under_way() {
            self.screen.print(interrupt::SAVED)?;
        }
        Ok(())
    }

    /// A turn of the engine, or a line of the player. Returns whether the player stays.
    fn step(&mut self) -> io::Result<bool> {
        if self.is_engines_turn() {
            self.engine_plays()?;
            return Ok(true);
        }
        if mem::take(&mut self.is_stale) {
            self.screen.draw(&self.game)?;
        }
        let turns = Completions::Turn(typed_moves::turns(self.game.history.game()));
        let Some(line) = self.input.read(&self.prompt(), turns)? else { return Ok(false) };
        if self.watch == Watch::Paused {
            self.restart_clock();
        }
        let is_late = self.loses_on_time();
        if is_late {
            self.end_game(GameEnd::OutOfTime(self.to_move()))?;
        }
        if line.is_empty() {
            self.is_stale = mem::take(&mut self.watch) != Watch::Paused;
        } else if !typed_moves::is_turn(&line) {
            return self.execute(&line);
        } else if !is_late {
            self.human_plays(&line)?;
        }
        Ok(true)
    }

    fn prompt(&self) -> String {
        let history = &self.game.history;
        match history.end() {
            Some(_) => "Game over (new, undo, analyse, save, quit)> ".to_owned(),
            None if self.watch == Watch::Paused => "Paused (Enter continues)> ".to_owned(),
            None => format!("{}> ", request(history.game())),
        }
    }
}
