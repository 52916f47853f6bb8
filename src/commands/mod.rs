//! The subcommands, one file each.

pub mod bench;
pub mod convert;
pub mod db;
pub mod gbgp;
pub mod learn;
pub mod perft;
pub mod rules;
pub mod train;

use millstone::rules::{PRESETS, Preset};

/// What a subcommand ends with: an error is one line for the user.
pub type CommandResult = Result<(), Box<dyn std::error::Error>>;

/// The game that a user names.
pub fn parse_game(name: &str) -> Result<&'static Preset, String> {
    let names = PRESETS.map(|preset| preset.name).join(", ");
    Preset::named(name).ok_or_else(|| format!("expected one of {names}"))
}
