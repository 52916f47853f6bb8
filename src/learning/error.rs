//! What can be wrong with a learning file, in one line each.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::quote::quote;

/// A line that is no lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    column: &'static str,
    reason: String,
}

impl LineError {
    pub(super) fn new(column: &'static str, expected: impl fmt::Display, found: &str) -> Self {
        let found = quote(found);
        Self { column, reason: format!("expected {expected}, found '{found}'") }
    }

    pub(super) fn because(column: &'static str, reason: impl fmt::Display) -> Self {
        Self { column, reason: reason.to_string() }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.column, self.reason)
    }
}

impl std::error::Error for LineError {}

/// Lines of a learning file that cannot be used, the rest being good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// How many lines cannot be used.
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

/// Why a learning file cannot be used, or not be written.
#[derive(Debug)]
pub enum LearningError {
    /// It is something else.
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// A later version of the program wrote it.
    Later {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        format: String,
    },
    /// Some lines cannot be used, so writing it would lose them.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
    /// It may be read but not written.
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Another program has kept it locked for too long.
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The system refused.
    Io {
        /// The file.
        path: PathBuf,
        /// Why it did.
        error: io::Error,
    },
}

impl fmt::Display for LearningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Foreign { path, .. }
        | Self::Later { path, .. }
        | Self::Damaged { path, .. }
        | Self::ReadOnly { path }
        | Self::Busy { path }
        | Self::Io { path, .. }) = self;
        write!(f, "learning file {}: ", path.display())?;
        match self {
            Self::Foreign { found, .. } => write!(f, "expected one of Millstone, found {found}"),
            Self::Later { format, .. } => {
                write!(f, "expected format {}, found '{format}'", super::text::FORMAT)
            }
            Self::Damaged { damage, .. } => damage.fmt(f),
            Self::ReadOnly { .. } => {
                f.write_str("expected one that may be written, found read-only")
            }
            Self::Busy { .. } => f.write_str("expected the other program that writes it to end"),
            Self::Io { error, .. } => error.fmt(f),
        }
    }
}

impl std::error::Error for LearningError {}
