//! What can be wrong with a command, as one line for the user each.

use std::fmt;

use crate::quote::quote;

/// A command that is refused; the state is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A line of too many bytes.
    LineTooLong {
        /// The most bytes that a line may have.
        limit: usize,
    },
    /// A line that is not text.
    NotUtf8,
    /// The first word is no command.
    UnknownCommand(String),
    /// An argument is missing or not what it should be.
    Argument {
        /// The command or the word that wants the argument.
        of: String,
        /// What it wants.
        expected: String,
        /// What there was, or nothing.
        found: String,
    },
    /// The command cannot run beside a search, bench or perft.
    Busy(&'static str),
    /// Anything else, said whole.
    Refused(String),
}

impl Error {
    /// An argument that is missing or not what it should be; `found` is empty if it is missing.
    pub fn argument(of: impl Into<String>, expected: impl Into<String>, found: &str) -> Self {
        Self::Argument { of: of.into(), expected: expected.into(), found: quote(found) }
    }

    pub(super) fn unknown_command(word: &str) -> Self {
        Self::UnknownCommand(quote(word))
    }

    pub(super) fn refused(reason: impl fmt::Display) -> Self {
        Self::Refused(reason.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LineTooLong { limit } => write!(f, "the line is longer than {limit} bytes"),
            Self::NotUtf8 => f.write_str("the line is not UTF-8"),
            Self::UnknownCommand(word) => {
                write!(f, "expected a command (help lists them), found '{word}'")
            }
            Self::Argument { of, expected, found } if found.is_empty() => {
                write!(f, "{of}: expected {expected}, found nothing")
            }
            Self::Argument { of, expected, found } => {
                write!(f, "{of}: expected {expected}, found '{found}'")
            }
            Self::Busy(command) => {
                write!(f, "{command}: a search, bench or perft is running; stop it first")
            }
            Self::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Error {}
