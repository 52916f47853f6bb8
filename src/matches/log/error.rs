//! What is wrong with a log.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a log.
#[derive(Debug)]
pub struct LogError {
    path: PathBuf,
    trouble: Trouble,
}

#[derive(Debug)]
pub(super) enum Trouble {
    Io(io::Error),
    NoFile,
    Busy,
    NoMatch,
    Damaged { line: usize, found: String },
    Settings(String),
    Doubled(u64),
}

impl LogError {
    pub(super) fn new(path: &Path, trouble: Trouble) -> Self {
        Self { path: path.to_owned(), trouble }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.trouble {
            Trouble::Io(error) => write!(f, "{error}"),
            Trouble::NoFile => f.write_str("expected a regular file"),
            Trouble::Busy => f.write_str("expected a log that no other match is writing"),
            Trouble::NoMatch => f.write_str("expected the log of a match"),
            Trouble::Damaged { line, found } => {
                write!(f, "line {line}: expected a game, found '{found}'")
            }
            Trouble::Settings(difference) => write!(f, "another match: {difference}"),
            Trouble::Doubled(game) => write!(f, "expected each game once, found game {game} twice"),
        }
    }
}

impl std::error::Error for LogError {}
