//! What to analyze: positions and games from the command line, files and standard input.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use millstone::position::text::is_position_text;
use millstone::position::{FEN_WORD, POSITION_WORD, START_WORD, Turn};
use serde::Serialize;

use crate::commands::reading::{self, Text};

/// What to analyze.
#[derive(clap::Args)]
pub struct Input {
    /// Files to read; - is standard input, which is also read if nothing else is named
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// Position to analyze; may be given several times
    #[arg(long, value_name = "POSITION", value_parser = some_text)]
    fen: Vec<String>,
}

fn some_text(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("expected a position") } else { Ok(text.to_owned()) }
}

/// Where a position or game was read.
#[derive(Clone, Copy, Serialize)]
pub struct Origin<'a> {
    /// The name of the file, `standard input` or `--fen`.
    pub source: &'a str,
    /// The line of a list, from 1; of --fen, which one.
    pub line: Option<usize>,
}

/// A text to analyze.
pub struct InputText {
    /// Read from a file, standard input or `--fen`.
    pub text: Text,
    /// Whether it is a list of positions; else it holds games.
    pub has_positions: bool,
}

impl Input {
    /// The texts, the positions of the command line first, each read when its turn comes, or why it
    /// cannot be read.
    pub fn sources(&self) -> impl Iterator<Item = Result<InputText, String>> {
        let positions = (!self.fen.is_empty()).then(|| {
            let text = Text { name: "--fen".to_owned(), text: self.fen.join("\n") };
            Ok(InputText { text, has_positions: true })
        });
        let is_silent = self.files.is_empty() && self.fen.is_empty();
        let files = self.files.iter().map(PathBuf::as_path);
        let files = files.chain(is_silent.then_some(Path::new("-")));
        positions.into_iter().chain(files.map(InputText::read))
    }
}

impl InputText {
    fn read(path: &Path) -> Result<Self, String> {
        let mut text = reading::text(path, "positions or games")?;
        text.text = text.text.trim_start_matches('\u{feff}').to_owned();
        let has_positions =
            lines(&text.text).find_map(|(_, line)| is_position(line)).unwrap_or(false);
        Ok(Self { text, has_positions })
    }

    /// The lines that are neither empty nor comments, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        lines(&self.text.text)
    }
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(['#', ';']))
}

/// Whether a line looks like a position rather than like one of a game record, if it looks like either.
fn is_position(line: &str) -> Option<bool> {
    let word = line.split_whitespace().next()?;
    if [POSITION_WORD, START_WORD, FEN_WORD].contains(&word) || is_position_text(line) {
        return Some(true);
    }
    let is_of_record = word.starts_with(['[', '{', '(']) || word.starts_with(char::is_numeric);
    (is_of_record || word.parse::<Turn>().is_ok()).then_some(false)
}
