//! `millstone db line`: the best play of both sides.

use std::io::{self, Write};

use millstone::position::MoveLine;

use super::{Subject, unknown};
use crate::commands::CommandResult;

/// Show the shortest win against the longest defence, move by move.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    subject: Subject,
}

/// Prints the value, the line and the position at its end.
pub fn run(arguments: &Arguments) -> CommandResult {
    let game = arguments.subject.game()?;
    let tables = arguments.subject.folder.open()?;
    let value =
        tables.value_of(game.position()).ok_or_else(|| unknown(&tables, game.position()))?;
    let (line, end) =
        tables.line(&game, || false).ok_or_else(|| unknown(&tables, game.position()))?;
    let mut out = io::stdout().lock();
    writeln!(out, "{value}{}", MoveLine(&line))?;
    writeln!(out, "{}", end.text())?;
    Ok(())
}
