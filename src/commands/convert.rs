//! `millstone convert`: game records from one notation to another.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use millstone::records::{self, GameRecord, Notation, ReadError};
use millstone::rules::RuleSet;
use millstone::system::whole_file;

use super::arguments::notation_parser;
use super::json::record::JsonGame;
use super::{CommandResult, complain, record_file};

/// Write game records in another notation.
///
/// The notation of the input is recognised by itself: Sanmill's text, files of `PlayOK`, move text of
/// the world federation (`1. d6 f4 2. d7 b4 3. d5xf4`), or `position` commands of the protocol and
/// lists of moves, one a line. Every move, of variations too, is checked against the rules of the game:
/// those of its Variant tag, else those of --variant. An error names file, line and column; then nothing
/// is written.
///
/// Tags, results, start positions, comments, annotation glyphs and variations are kept. The notation uci
/// holds the start and the moves alone; what is left out is listed on standard error. An object of
/// --json has tags, variant, start (position text), result, turns, moves, comments and glyphs (each
/// with after, the number of a move, and says) and variations (each with `instead_of`, the number of a
/// move, and moves, comments, glyphs and variations of its own).
#[derive(clap::Args)]
pub struct Arguments {
    /// Files to read, one after the other; - is standard input [default: -]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Notation to write; uci holds the start and the moves alone
    #[arg(long, value_name = "NOTATION", default_value = Notation::Sanmill.name())]
    #[arg(value_parser = notation_parser(Notation::ALL))]
    to: Notation,
    /// Write a JSON object in a line for each game instead
    #[arg(long, conflicts_with = "to")]
    json: bool,
    /// File to write, whole or not at all [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Reads all files, then writes their games.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let input = PathBuf::from("-");
    let files = match arguments.files.as_slice() {
        [] => std::slice::from_ref(&input),
        files => files,
    };
    let mut text = String::new();
    let mut losses = Losses::default();
    for path in files {
        let name = name(path);
        let records =
            record_file::read(path, "games").map_err(|error| format!("{name}: {error}"))?;
        let place =
            |error: ReadError| format!("{name}:{}:{}: {}", error.line, error.column, error.message);
        let read = records::decode(records).map_err(place)?;
        for (index, record) in GameRecord::read_each_by(&read, rules).enumerate() {
            let record = record.map_err(place)?;
            let written = if arguments.json {
                to_json(&record)
            } else {
                losses.add(&record, arguments.to, rules);
                record.write_by(arguments.to, rules).map_err(Box::from)
            };
            text += &written.map_err(|error| format!("{name}: game {}: {error}", index + 1))?;
        }
    }
    losses.report(arguments.to);
    write(arguments.output.as_deref(), &text)
}

fn name(path: &Path) -> String {
    if record_file::is_input(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

fn write(path: Option<&Path>, text: &str) -> CommandResult {
    match path {
        Some(path) => whole_file::save(path, |mut file| file.write_all(text.as_bytes()))
            .map_err(|error| format!("{}: {error}", path.display()).into()),
        None => Ok(io::stdout().lock().write_all(text.as_bytes())?),
    }
}

/// What the notation cannot hold, and how many games have it.
#[derive(Default)]
struct Losses {
    games: usize,
    games_with: BTreeMap<&'static str, usize>,
}

impl Losses {
    fn add(&mut self, record: &GameRecord, notation: Notation, usual: &RuleSet) {
        self.games += 1;
        for what in record.losses(notation, usual) {
            *self.games_with.entry(what).or_default() += 1;
        }
    }

    fn report(&self, notation: Notation) {
        if !self.games_with.is_empty() {
            let counts = self.games_with.iter();
            let counts = counts.map(|(what, games)| format!("{what} in {games}"));
            let (counts, games) = (counts.collect::<Vec<_>>().join(", "), self.games);
            complain(format_args!(
                "{notation} cannot hold all, left out of {games} games: {counts}"
            ));
        }
    }
}

/// The game as a JSON object in a line.
fn to_json(record: &GameRecord) -> Result<String, Box<dyn Error>> {
    Ok(serde_json::to_string(&JsonGame::new(record)?)? + "\n")
}
