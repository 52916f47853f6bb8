//! The subcommands, one file each.

pub mod bench;
pub mod perft;
pub mod rules;
mod variant;

pub use variant::Variant;

/// What a subcommand ends with: an error is one line for the user.
pub type CommandResult = Result<(), Box<dyn std::error::Error>>;
