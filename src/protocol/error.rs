//! Errors of commands, each a line for the user.

use std::fmt;

use crate::quote::quote;

/// A rejected command; the state is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The line is too long.
    #[error("the line is longer than {limit} bytes")]
    LineTooLong {
        /// The most bytes that a line may have.
        limit: usize,
    },
    /// The line is not text.
    #[error("the line is not UTF-8")]
    NotUtf8,
    /// The first word is not a command.
    #[error("expected a command (help lists them), found '{0}'")]
    UnknownCommand(String),
    /// An argument is missing or wrong.
    #[error("{of}: expected {expected}, found {found}")]
    Argument {
        /// The command or word that takes the argument.
        of: String,
        /// What was expected.
        expected: String,
        /// What was found, in quotes, or `nothing`.
        found: String,
    },
    /// The command cannot run during a search, bench or perft.
    #[error("{0}: a search, bench or perft is running; stop it first")]
    Busy(&'static str),
    /// Any other reason.
    #[error("{0}")]
    Refused(String),
}

impl Error {
    /// An argument that is missing or wrong.
    ///
    /// * `found`: empty if it is missing.
    pub fn argument(of: impl Into<String>, expected: impl Into<String>, found: &str) -> Self {
        let found = if found.is_empty() { "nothing".into() } else { format!("'{}'", quote(found)) };
        Self::Argument { of: of.into(), expected: expected.into(), found }
    }

    pub(super) fn refused(reason: impl fmt::Display) -> Self {
        Self::Refused(reason.to_string())
    }
}
