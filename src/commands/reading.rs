//! What people give to subcommands: texts of files or of standard input, and positions.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use millstone::game::{Game, History};
use millstone::position::{FEN_WORD, MOVES_WORD, POSITION_WORD, START_WORD, Turn};
use millstone::records::{self, GameRecord, ReadError};
use millstone::rules::{DrawRules, RuleSet};
use millstone::system::regular_file;

use super::{CommandResult, complain};

/// The largest file in MiB, some hundred thousand games: what is read takes many times its size.
const MOST_MEBIBYTES: u64 = 64;

/// What some programs write before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How a person ends the input.
const END: &str = if cfg!(windows) { "Ctrl-Z and Enter end" } else { "Ctrl-D ends" };

/// A text, and the name of where it was read.
pub struct Text {
    /// The file, or `standard input`.
    pub name: String,
    pub text: String,
}

impl Text {
    /// The games; without a `Variant` tag, the rules are `usual`. An error names its place.
    pub fn games(&self, usual: &RuleSet) -> impl Iterator<Item = Result<GameRecord, String>> {
        GameRecord::read_each_by(&self.text, usual)
            .map(|record| record.map_err(|error| self.at(&error)))
    }

    /// An error of the text, with its place.
    fn at(&self, ReadError { line, column, message }: &ReadError) -> String {
        format!("{}:{line}:{column}: {message}", self.name)
    }
}

/// Reads a file, or standard input if the path is `-`; a person at a terminal is told what to type.
pub fn text(path: &Path, what: &str) -> Result<Text, String> {
    if path.as_os_str() != "-" {
        return read_bounded(path.display().to_string(), File::open(path));
    }
    let input = io::stdin().lock();
    if input.is_terminal() {
        complain(format_args!("type {what}; {END} them"));
    }
    read_bounded("standard input".to_owned(), Ok(input))
}

/// Reads a regular file, so that nothing else keeps the program waiting.
pub fn regular_text(path: &Path) -> Result<Text, String> {
    read_bounded(path.display().to_string(), regular_file::open(path))
}

fn read_bounded(name: String, source: io::Result<impl Read>) -> Result<Text, String> {
    let most = MOST_MEBIBYTES << 20;
    let mut bytes = Vec::new();
    let read = source.and_then(|source| source.take(most + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("{name}: {error}"))?;
    if bytes.len() as u64 > most {
        return Err(format!("{name}: longer than {MOST_MEBIBYTES} MiB, the most that is read"));
    }
    let mut read = Text { name, text: String::new() };
    let text = records::decode(bytes).map_err(|error| read.at(&error))?;
    read.text += text.trim_start_matches(BYTE_ORDER_MARK);
    Ok(read)
}

/// Reads a position with the moves that lead to it: `startpos` or position text, perhaps after
/// `position` or `fen`, then `moves` and moves or whole turns.
pub fn position(line: &str, rules: &RuleSet) -> CommandResult<History> {
    let mut words = line.split_whitespace().peekable();
    for word in [POSITION_WORD, FEN_WORD] {
        words.next_if_eq(&word);
    }
    let start: Vec<&str> = words.by_ref().take_while(|word| *word != MOVES_WORD).collect();
    let start = Some(start.join(" ")).filter(|start| start != START_WORD);
    let mut history = History::from(Game::begin(start.as_deref(), *rules, DrawRules::default())?);
    let turns: Result<Vec<Turn>, _> = words.map(str::parse).collect();
    turns?.iter().flat_map(Turn::moves).try_for_each(|&mv| history.play(mv))?;
    Ok(history)
}
