//! Errors of learning files, one line each.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::quote::quote;

/// Why a line is not a learned position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{column}: {reason}")]
pub struct LineError {
    column: &'static str,
    reason: String,
}

impl LineError {
    pub(super) fn expected(column: &'static str, expected: impl fmt::Display, found: &str) -> Self {
        let found = quote(found);
        Self { column, reason: format!("expected {expected}, found '{found}'") }
    }

    pub(super) fn because(column: &'static str, reason: impl fmt::Display) -> Self {
        Self { column, reason: reason.to_string() }
    }
}

/// The bad lines of a learning file whose other lines are good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// How many lines are bad.
    pub lines: usize,
    /// The number of the first of them, from 1.
    pub first: usize,
    /// What is wrong with it.
    pub error: LineError,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lines, first, error } = self;
        write!(f, "line {first}: {error}")?;
        match lines {
            1 => Ok(()),
            _ => write!(f, "; {lines} bad lines in all"),
        }
    }
}

/// A learning file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("learning file {}: {trouble}", path.display())]
pub struct LearningError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub trouble: FileTrouble,
}

/// What is wrong with a learning file.
#[derive(Debug, thiserror::Error)]
pub enum FileTrouble {
    /// It is something else.
    #[error("not a learning file of Millstone: {0}")]
    Foreign(String),
    /// It has a format of a later version of the program.
    #[error("format '{}' is of a later version of Millstone", quote(.0))]
    LaterFormat(String),
    /// It has bad lines, which writing it would lose.
    #[error("{0}")]
    Damaged(Damage),
    /// It is read-only.
    #[error("it is read-only")]
    ReadOnly,
    /// Another program holds its lock.
    #[error("another program is writing it")]
    Busy,
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl LearningError {
    pub(super) fn new(path: &Path, trouble: FileTrouble) -> Self {
        Self { path: path.to_owned(), trouble }
    }

    /// A file with bad lines.
    #[must_use]
    pub fn damaged(path: &Path, damage: Damage) -> Self {
        Self::new(path, FileTrouble::Damaged(damage))
    }
}
