//! `millstone learn prune`: fewer lessons.

use std::io::{self, Write};

use millstone::learning::Lessons;
use serde::Serialize;

use super::Chosen;
use crate::commands::{CommandResult, json};

/// Leave out the least useful lessons.
///
/// Estimates go before proven wins and losses, then what a shallow search finds again, then what says
/// that both sides are nearly equal.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    /// Lessons to keep
    #[arg(long, value_name = "N", default_value_t = Lessons::MOST)]
    keep: usize,
    #[command(flatten)]
    format: json::Format,
}

/// What is left, as JSON.
#[derive(Serialize)]
struct Pruned {
    file: String,
    left_out: usize,
    kept: usize,
}

/// Prunes and says what is left.
pub fn run(arguments: &Arguments) -> CommandResult {
    let file = arguments.chosen.existing()?;
    let (left_out, reading) = file.change(|lessons| lessons.prune(arguments.keep))?;
    let (file, kept) = (file.path().display().to_string(), reading.lessons.len());
    if arguments.format.json {
        json::write(&mut io::stdout(), &Pruned { file, left_out, kept })?;
    } else {
        writeln!(io::stdout(), "{file}: lessons left out: {left_out}, kept: {kept}")?;
    }
    Ok(())
}
