//! Reading files of game records and of positions, and standard input in their place.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use millstone::records::{self, ReadError};
use millstone::system::regular_file;

use super::complain;

/// The most MiB of a file, some hundred thousand games: what is read of it needs many times its size.
const MOST_MEBIBYTES: u64 = 64;

/// What a person presses to end the input.
const END: &str = if cfg!(windows) { "Ctrl-Z and Enter end" } else { "Ctrl-D ends" };

/// A text, and the name of where it was read.
pub struct Text {
    /// The file, or `standard input`.
    pub name: String,
    pub text: String,
}

impl Text {
    /// An error of the text, with its place.
    pub fn at(&self, error: &ReadError) -> String {
        at(&self.name, error)
    }
}

fn at(name: &str, ReadError { line, column, message }: &ReadError) -> String {
    format!("{name}:{line}:{column}: {message}")
}

/// Reads a file, or standard input if the path is `-`; a person at a terminal is told what to type.
pub fn read(path: &Path, what: &str) -> Result<Text, String> {
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
pub fn read_regular(path: &Path) -> Result<Text, String> {
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
    let text = records::decode(bytes).map_err(|error| at(&name, &error))?;
    Ok(Text { name, text })
}
