//! `millstone play`: a game in the terminal.
//!
//! ```text
//! arguments                    the command line
//! start, session, actions      how a session begins, the turns in it, what its commands do
//! game, clock, saved_game      players and moves, clocks, the record that is saved after each move
//! input, typed_moves,          lines and their completion, moves as people type them,
//! commands, help, interrupt    commands, the pages of help, Ctrl-C
//! screen                       what is shown
//! engine                       searches, and the tablebase that they use
//! ```

mod actions;
mod arguments;
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

use millstone::rules::RuleSet;

use super::CommandResult;
pub use arguments::{Arguments, DEFAULT_LEVEL};
pub use game::GameEnd;
pub use screen::request;
use session::Leave;
pub use typed_moves::read as read_turn;

/// Plays until the player leaves.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    interrupt::catch()?;
    let played = start::session(arguments, rules).and_then(|mut session| session.run());
    played.or_else(|error| if error.is::<Leave>() { Ok(()) } else { Err(error) })
}
