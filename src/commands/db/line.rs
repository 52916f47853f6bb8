//! `millstone db line`: the best play of both sides.

use std::io::{self, Write};

use millstone::position::MoveLine;

use serde::Serialize;

use super::{Subject, unknown};
use crate::commands::{CommandResult, json};

/// Show the shortest win against the longest defence, move by move.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    subject: Subject,
}

/// The same as programs read it.
#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    worth: json::Worth,
    moves: Vec<String>,
    /// The position at the end of the line.
    end: String,
}

/// Prints the value, the line and the position at its end.
pub fn run(arguments: &Arguments) -> CommandResult {
    let game = arguments.subject.game()?;
    let tablebase = arguments.subject.folder.open()?;
    let value =
        tablebase.value_of(game.position()).ok_or_else(|| unknown(&tablebase, game.position()))?;
    let (line, end) =
        tablebase.line(&game, || false).ok_or_else(|| unknown(&tablebase, game.position()))?;
    let mut out = io::stdout().lock();
    if arguments.subject.format.json {
        let moves = line.iter().map(ToString::to_string).collect();
        let line = Line { worth: value.into(), moves, end: end.text().to_string() };
        json::write(&mut out, &line)?;
    } else {
        writeln!(out, "{value}{}", MoveLine(&line))?;
        writeln!(out, "{}", end.text())?;
    }
    Ok(())
}
