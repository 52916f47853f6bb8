//! Errors of reading, replaying and writing records.

use std::fmt;

use crate::game::{ExpectedMove, Outcome};
use crate::position::{Move, Position, TextError};
use crate::quote::quote;
use crate::rules::Rules;

/// A text that cannot be read: where it goes wrong, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What was expected and what was found.
    #[serde(rename = "error")]
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

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// A record whose start or moves its rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The start is no position.
    Start(TextError),
    /// A move is illegal.
    Move(UnplayableMove),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => error.fmt(f),
            Self::Move(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<TextError> for ReplayError {
    fn from(error: TextError) -> Self {
        Self::Start(error)
    }
}

/// A move that the rules do not allow in its position. Draws by history do not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnplayableMove {
    mv: Move,
    outcome: Option<Outcome>,
    legal: Vec<Move>,
}

impl UnplayableMove {
    pub(super) fn new<R: Rules>(mv: Move, position: &Position<R>) -> Self {
        Self { mv, outcome: Outcome::of(position), legal: position.moves().to_vec() }
    }
}

impl fmt::Display for UnplayableMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mv, outcome, legal } = self;
        write!(f, "{}, found '{mv}'", ExpectedMove { noun: "move", outcome: *outcome, legal })
    }
}

impl std::error::Error for UnplayableMove {}

impl From<UnplayableMove> for ReplayError {
    fn from(error: UnplayableMove) -> Self {
        Self::Move(error)
    }
}

/// A record that cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// Its start or a move is not by its rules.
    Replay(ReplayError),
    /// The name of a tag is not one word, belongs to another field of the record, or occurs twice.
    TagName(String),
    /// The value of the tag of this name has several lines.
    TagValue(String),
    /// Variations are nested deeper than they can be read again.
    TooDeep {
        /// The deepest nesting.
        limit: usize,
    },
    /// There are more moves and variations than can be read again.
    TooLong {
        /// The most of them.
        limit: usize,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replay(error) => error.fmt(f),
            Self::TagName(name) => {
                write!(f, "a tag cannot have the name '{}'", quote(name))
            }
            Self::TagValue(name) => write!(f, "the value of tag {name} has several lines"),
            Self::TooDeep { limit } => write!(f, "variations are nested more than {limit} deep"),
            Self::TooLong { limit } => {
                write!(f, "the game has more than {limit} moves and variations")
            }
        }
    }
}

impl std::error::Error for WriteError {}

impl<E: Into<ReplayError>> From<E> for WriteError {
    fn from(error: E) -> Self {
        Self::Replay(error.into())
    }
}
