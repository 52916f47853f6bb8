//! Errors of learning files, one line each.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::quote::quote;

/// An error in a line of a learning file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LineError(String);

impl LineError {
    pub(super) fn expected(column: &str, expected: impl fmt::Display, found: &str) -> Self {
        Self::because(column, format_args!("expected {expected}, found '{}'", quote(found)))
    }

    pub(super) fn because(column: &str, reason: impl fmt::Display) -> Self {
        Self(format!("{column}: {reason}"))
    }
}

/// The bad lines of a learning file with good ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The number of bad lines.
    pub lines: usize,
    /// The line number of the first one, from 1.
    pub first: usize,
    /// The error in it.
    pub error: LineError,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lines, first, error } = self;
        let all = if *lines > 1 { format!("; {lines} bad lines in all") } else { String::new() };
        write!(f, "line {first}: {error}{all}")
    }
}

/// A learning file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("learning file {}: {trouble}", path.display())]
pub struct LearningError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    pub trouble: FileTrouble,
}

/// Why a learning file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileTrouble {
    /// It is not a learning file.
    #[error("not a learning file of Millstone: {0}")]
    Foreign(String),
    /// It was written by a later version of Millstone.
    #[error("format '{}' is of a later version of Millstone", quote(.0))]
    LaterFormat(String),
    /// It has bad lines, which writing would lose.
    #[error("{0}")]
    Damaged(Damage),
    /// Another program holds its lock.
    #[error("another program is writing it")]
    Busy,
    /// An error of the system, or the file is read-only.
    #[error(transparent)]
    Io(#[from] io::Error),
}
