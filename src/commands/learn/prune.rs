//! `millstone learn prune`: fewer lessons.

use std::io::{self, Write};

use millstone::knowledge::learning::Lessons;

use super::Chosen;
use crate::commands::CommandResult;

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
}

/// Prunes and says what is left.
pub fn run(arguments: &Arguments) -> CommandResult {
    let file = arguments.chosen.existing()?;
    let (pruned, reading) = file.change(|lessons| lessons.prune(arguments.keep))?;
    let (path, left) = (file.path().display(), reading.lessons.len());
    writeln!(io::stdout(), "{path}: lessons left out: {pruned}, kept: {left}")?;
    Ok(())
}
