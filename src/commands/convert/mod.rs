//! `millstone convert`: game records from one notation to another.

mod json;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use millstone::records::{self, Notation, Record};
use millstone::rules::RuleSet;
use millstone::whole_file;

use super::{CommandResult, input, notation};

/// Write game records in another notation.
///
/// The notation of the input is recognised by itself: Sanmill's text, files of `PlayOK`, move text
/// of the world federation, or `position` commands and lists of moves, one a line. Every move is
/// checked. Games that name no rules are played by those of --variant.
#[derive(clap::Args)]
pub struct Arguments {
    /// Files to read, one after the other; - is standard input [default: -]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Notation to write; uci holds the moves alone
    #[arg(long, value_name = "NOTATION", default_value = Notation::Sanmill.name())]
    #[arg(value_parser = notation::parser(Notation::ALL))]
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
        let records = read(path).map_err(|error| format!("{name}: {error}"))?;
        let records = records::decode(records).and_then(|text| Record::read_all_by(&text, rules));
        let records = records.map_err(|error| {
            format!("{name}:{}:{}: {}", error.line, error.column, error.message)
        })?;
        for (index, record) in records.iter().enumerate() {
            let written = if arguments.json {
                json::write(record)
            } else {
                losses.add(record, arguments.to);
                record.write(arguments.to).map_err(Into::into)
            };
            let written: Result<_, Box<dyn std::error::Error>> = written;
            text += &written.map_err(|error| format!("{name}: game {}: {error}", index + 1))?;
        }
    }
    losses.tell(arguments.to);
    write(arguments.output.as_deref(), &text)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() == "-" { input::read("games") } else { fs::read(path) }
}

fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() }
}

fn write(path: Option<&Path>, text: &str) -> CommandResult {
    match path {
        Some(path) => whole_file::save(path, |mut file| file.write_all(text.as_bytes()))
            .map_err(|error| format!("{}: {error}", path.display()).into()),
        None => Ok(io::stdout().lock().write_all(text.as_bytes())?),
    }
}

/// How many games have what the notation cannot hold.
#[derive(Default)]
struct Losses {
    games: usize,
    games_with: BTreeMap<&'static str, usize>,
}

impl Losses {
    fn add(&mut self, record: &Record, notation: Notation) {
        self.games += 1;
        for what in record.losses(notation) {
            *self.games_with.entry(what).or_default() += 1;
        }
    }

    fn tell(&self, notation: Notation) {
        if !self.games_with.is_empty() {
            let counts = self.games_with.iter();
            let counts = counts.map(|(what, games)| format!("{what} in {games}"));
            let (counts, games) = (counts.collect::<Vec<_>>().join(", "), self.games);
            eprintln!("millstone: {notation} cannot hold all, left out of {games} games: {counts}");
        }
    }
}
