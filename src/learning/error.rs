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

/// A learning file that cannot be read or written, or that has bad lines, which writing would lose.
#[derive(Debug, thiserror::Error)]
#[error("learning file {}: {error}", path.display())]
pub struct LearningError {
    /// The file.
    pub path: PathBuf,
    /// The reason; its kind is [`ResourceBusy`](io::ErrorKind::ResourceBusy) if another program is writing the file.
    pub error: io::Error,
}
