//! What can be wrong with a command, as one line for the user each.

use std::fmt;

use crate::quote::quote;

/// A command that is refused; the state is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A line of too many bytes.
    #[error("the line is longer than {limit} bytes")]
    LineTooLong {
        /// The most bytes that a line may have.
        limit: usize,
    },
    /// A line that is not text.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// The first word is not a command.
    #[error("expected a command (help lists them), found '{0}'")]
    UnknownCommand(String),
    /// An argument is missing or not what it should be.
    #[error("{of}: expected {expected}, found {found}")]
    Argument {
        /// The command or the word that wants the argument.
        of: String,
        /// What it wants.
        expected: String,
        /// What there was, in quotes, or `nothing`.
        found: String,
    },
    /// The command cannot run beside a search, bench or perft.
    #[error("{0}: a search, bench or perft is running; stop it first")]
    Busy(&'static str),
    /// Any other reason.
    #[error("{0}")]
    Refused(String),
}

impl Error {
    /// An argument that is missing or not what it should be; `found` is empty if it is missing.
    pub fn argument(of: impl Into<String>, expected: impl Into<String>, found: &str) -> Self {
        let found = if found.is_empty() { "nothing".into() } else { format!("'{}'", quote(found)) };
        Self::Argument { of: of.into(), expected: expected.into(), found }
    }

    pub(super) fn refused(reason: impl fmt::Display) -> Self {
        Self::Refused(reason.to_string())
    }
}
