//! Errors of learning files, one line each.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::quote::quote;

/// Why a line is not a learned position.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.column, self.reason)
    }
}

impl std::error::Error for LineError {}

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

/// Why a learning file cannot be read or written.
#[derive(Debug)]
pub enum LearningError {
    /// It is not a learning file.
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        found: String,
    },
    /// It has a format of a later version of the program.
    LaterFormat {
        /// The file.
        path: PathBuf,
        /// The version of the format.
        format: String,
    },
    /// It has bad lines, which writing it would lose.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The bad lines.
        damage: Damage,
    },
    /// It is read-only.
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Another program holds its lock.
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The system refuses.
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

impl fmt::Display for LearningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Foreign { path, .. }
        | Self::LaterFormat { path, .. }
        | Self::Damaged { path, .. }
        | Self::ReadOnly { path }
        | Self::Busy { path }
        | Self::Io { path, .. }) = self;
        write!(f, "learning file {}: ", path.display())?;
        match self {
            Self::Foreign { found, .. } => write!(f, "not a learning file of Millstone: {found}"),
            Self::LaterFormat { format, .. } => {
                write!(f, "format '{}' is of a later version of Millstone", quote(format))
            }
            Self::Damaged { damage, .. } => damage.fmt(f),
            Self::ReadOnly { .. } => f.write_str("it is read-only"),
            Self::Busy { .. } => f.write_str("another program is writing it"),
            Self::Io { error, .. } => error.fmt(f),
        }
    }
}

impl std::error::Error for LearningError {}
