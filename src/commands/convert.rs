//! `millstone convert`: converts game records between notations.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use millstone::api::json;
use millstone::records::Notation;
use millstone::rules::RuleSet;

use super::arguments::{notation_parser, read_text};
use super::{CommandResult, complain, save};

/// Convert game records from one notation to another.
///
/// The input notation is detected: Sanmill's text, files of `PlayOK`, move text of the world federation
/// (`1. d6 f4 2. d7 b4 3. d5xf4`), SGF (`GM[5]`), or one game a line: `position` commands of the protocol,
/// lists of moves, or `OpenSpiel` actions after the word `actions`. Every move, also in variations, is
/// checked against the rules: those of the game's Variant tag, or else those of --variant. An error names
/// file, line and column, and nothing is written.
///
/// Tags, results, start positions, comments, annotation glyphs and variations are kept; marks and unknown
/// SGF properties are kept in SGF only. Standard error lists what is left out. With --json, an object has
/// tags, variant, start (position text), result, turns, moves, comments and glyphs (each with after, the
/// number of a move, and says), variations (each with `instead_of`, the number of a move, its moves and
/// their annotations) and, for other SGF properties, properties (each with after, name and values).
#[derive(clap::Args)]
pub struct Arguments {
    /// Files to read, one after the other; - is standard input [default: -]
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    files: Vec<PathBuf>,
    /// Notation to write; uci keeps only the start position and the moves, actions only the moves
    #[arg(long, value_name = "NOTATION", default_value = Notation::Sanmill.name())]
    #[arg(value_parser = notation_parser(Notation::ALL))]
    to: Notation,
    /// Write JSON instead, one object a line
    #[arg(long, conflicts_with = "to")]
    json: bool,
    /// File to write once everything is converted [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Converts all files before writing anything.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let mut text = String::new();
    let mut losses = Vec::new();
    for path in &arguments.files {
        let source = read_text(path, "games")?;
        for (index, record) in source.games(rules).enumerate() {
            let record = record?;
            let written = if arguments.json {
                json::game_record(&record).map(|game| json::text(&game) + "\n")
            } else {
                losses.push(record.losses(arguments.to, rules));
                record.write_by(arguments.to, rules)
            };
            text += &written
                .map_err(|error| format!("{}: game {}: {error}", source.name, index + 1))?;
        }
    }
    report_losses(&losses, arguments.to);
    match &arguments.output {
        Some(path) => Ok(save(path, text)?),
        None => Ok(io::stdout().lock().write_all(text.as_bytes())?),
    }
}

/// Reports what a notation left out, if anything, and of how many games.
///
/// * `losses`: for each game, what the notation cannot hold.
pub fn report_losses(losses: &[Vec<&str>], notation: Notation) {
    let mut counts = BTreeMap::<&str, usize>::new();
    for what in losses.iter().flatten() {
        *counts.entry(what).or_default() += 1;
    }
    if !counts.is_empty() {
        let counts = counts.iter().map(|(what, games)| format!("{what} in {games}"));
        let (games, counts) = (losses.len(), counts.collect::<Vec<_>>().join(", "));
        let lost = format!("left out of {games} games: {counts}");
        complain(format_args!("{notation} cannot hold everything; {lost}"));
    }
}
