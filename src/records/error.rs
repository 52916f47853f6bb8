//! Errors of reading and writing records.

use crate::game::ReplayError;
use crate::quote::quote;

/// A text that cannot be read: where it goes wrong, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What was expected and what was found.
    #[cfg_attr(feature = "serde", serde(rename = "error"))]
    pub message: String,
}

impl ReadError {
    /// An error at a byte of a text that is not before the start of a line.
    pub(super) fn at(text: &str, start: LineStart, flaw: Flaw) -> Self {
        let LineStart { byte, line } = start.last_before(text, flaw.at);
        let column = text[byte..flaw.at].chars().count() + 1;
        Self { line, column, message: flaw.message }
    }
}

/// What is wrong with a text, and at which byte.
#[derive(Debug)]
pub(super) struct Flaw {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Flaw {
    pub(super) fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }
}

/// The byte where a line of a text begins, and its number from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineStart {
    pub(super) byte: usize,
    pub(super) line: usize,
}

impl LineStart {
    /// The first line of any text.
    pub(super) const FIRST: Self = Self { byte: 0, line: 1 };

    /// The start of the line that has a byte, which is not before this line.
    pub(super) fn last_before(self, text: &str, byte: usize) -> Self {
        let between = &text[self.byte..byte];
        let lines = between.matches('\n').count();
        let start = between.rfind('\n').map_or(self.byte, |end| self.byte + end + 1);
        Self { byte: start, line: self.line + lines }
    }
}

/// A record that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// Its start or a move is not by its rules.
    #[error(transparent)]
    Replay(ReplayError),
    /// The name of a tag is not one word, belongs to another field of the record, or occurs twice.
    #[error("a tag cannot have the name '{}'", quote(.0))]
    TagName(String),
    /// The value of the tag of this name has several lines.
    #[error("the value of tag {0} has several lines")]
    TagValue(String),
    /// Variations are nested deeper than they can be read again.
    #[error("variations are nested more than {limit} deep")]
    TooDeep {
        /// The deepest nesting.
        limit: usize,
    },
    /// There are more moves and variations than can be read again.
    #[error("the game has more than {limit} moves and variations")]
    TooLong {
        /// The most of them.
        limit: usize,
    },
}

impl<E: Into<ReplayError>> From<E> for WriteError {
    fn from(error: E) -> Self {
        Self::Replay(error.into())
    }
}
