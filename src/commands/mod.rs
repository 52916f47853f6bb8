//! The subcommands, each a file or folder of its name, and what they share.

pub mod analyze;
pub mod arguments;
pub mod bench;
pub mod complaint;
pub mod completions;
pub mod convert;
pub mod db;
mod json;
pub mod learn;
pub mod man;
pub mod matches;
pub mod perft;
pub mod play;
mod position_input;
pub mod puzzles;
mod record_file;
pub mod rules;
pub mod serve;
pub mod signals;
pub mod terminal;
pub mod train;

/// The result of a subcommand; an error is one line for the user.
pub type CommandResult = Result<(), Box<dyn std::error::Error>>;
