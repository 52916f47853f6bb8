//! The subcommands, one file each.

pub mod analyze;
mod bar;
pub mod bench;
pub mod completions;
pub mod convert;
pub mod db;
pub mod exit_status;
pub mod game;
pub mod gbgp;
mod input;
mod json;
pub mod learn;
pub mod man;
pub mod matches;
mod notation;
pub mod perft;
pub mod play;
pub mod rules;
pub mod style;
pub mod terminal;
pub mod train;

/// What a subcommand ends with: an error is one line for the user.
pub type CommandResult = Result<(), Box<dyn std::error::Error>>;
