//! `millstone convert`: game records from one notation to another.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use millstone::records::{self, Line, Notation, Record};
use millstone::rules::RuleSet;
use millstone::whole_file;
use serde::{Serialize, Serializer};

use super::arguments::notation_parser;
use super::{CommandResult, terminal};

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
        let records = read(path).map_err(|error| format!("{name}: {error}"))?;
        let records = records::decode(records).and_then(|text| Record::read_all_by(&text, rules));
        let records = records.map_err(|error| {
            format!("{name}:{}:{}: {}", error.line, error.column, error.message)
        })?;
        for (index, record) in records.iter().enumerate() {
            let written = if arguments.json {
                to_json(record)
            } else {
                losses.add(record, arguments.to);
                record.write(arguments.to).map_err(Box::from)
            };
            text += &written.map_err(|error| format!("{name}: game {}: {error}", index + 1))?;
        }
    }
    losses.tell(arguments.to);
    write(arguments.output.as_deref(), &text)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if path.as_os_str() == "-" { terminal::read_input("games") } else { fs::read(path) }
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

/// A game with all that its record holds.
#[derive(Serialize)]
struct Game<'a> {
    #[serde(serialize_with = "write_tags")]
    tags: &'a Record,
    variant: String,
    start: String,
    result: &'static str,
    turns: Vec<String>,
    #[serde(flatten)]
    line: Plies<'a>,
}

/// The moves of a line, and what is said about them by their numbers, from 1.
#[derive(Serialize)]
struct Plies<'a> {
    moves: Vec<String>,
    comments: Vec<Remark<&'a str>>,
    glyphs: Vec<Remark<u8>>,
    variations: Vec<Variation<'a>>,
}

/// What is said after a move; 0 for the beginning.
#[derive(Serialize)]
struct Remark<T> {
    after: usize,
    says: T,
}

/// What could have been played instead of a move.
#[derive(Serialize)]
struct Variation<'a> {
    instead_of: usize,
    #[serde(flatten)]
    line: Plies<'a>,
}

/// The game as a JSON object in a line.
fn to_json(record: &Record) -> Result<String, Box<dyn Error>> {
    let game = Game {
        tags: record,
        variant: record.rules.name(),
        start: record.start_position()?.to_string(),
        result: record.result.word(),
        turns: record.turns()?.iter().map(ToString::to_string).collect(),
        line: Plies::of(&record.line),
    };
    Ok(serde_json::to_string(&game)? + "\n")
}

fn write_tags<S: Serializer>(record: &Record, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(record.tags.iter().map(|tag| (&tag.name, &tag.value)))
}

impl<'a> Plies<'a> {
    fn of(line: &'a Line) -> Self {
        let numbered = || (1..).zip(&line.plies);
        let begin = Remark { after: 0, says: line.comment.as_str() };
        let comments = numbered().map(|(after, ply)| Remark { after, says: ply.comment.as_str() });
        let comments = std::iter::once(begin).chain(comments);
        let glyphs = numbered()
            .flat_map(|(after, ply)| ply.glyphs.iter().map(move |&says| Remark { after, says }));
        let variations = numbered().flat_map(|(instead_of, ply)| {
            let lines = ply.variations.iter();
            lines.map(move |line| Variation { instead_of, line: Plies::of(line) })
        });
        Self {
            moves: line.plies.iter().map(|ply| ply.mv.to_string()).collect(),
            comments: comments.filter(|remark| !remark.says.is_empty()).collect(),
            glyphs: glyphs.collect(),
            variations: variations.collect(),
        }
    }
}
