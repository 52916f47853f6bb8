//! Errors of reading and writing records.

use std::fmt;

use crate::quote::quote;

/// An error in a text: its place, what was expected and what was found.
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
    /// The error of a flaw that is not before `start`.
    pub(super) fn at(text: &str, start: LineStart, flaw: Flaw) -> Self {
        let LineStart { byte, line } = start.last_before(text, flaw.at);
        let column = text[byte..flaw.at].chars().count() + 1;
        Self { line, column, message: flaw.message }
    }
}

/// An error at a byte of a text.
#[derive(Debug)]
pub(super) struct Flaw {
    pub(super) at: usize,
    pub(super) message: String,
}

impl Flaw {
    pub(super) fn new(at: usize, message: impl fmt::Display) -> Self {
        Self { at, message: message.to_string() }
    }

    /// The flaw that something else was expected than what was found.
    ///
    /// * `found`: the word at the byte; `None` at the end of the line or text.
    /// * `whole`: whether it is a line or a text.
    pub(super) fn unexpected(
        at: usize,
        expected: impl fmt::Display,
        found: Option<&str>,
        whole: &str,
    ) -> Self {
        let end = || format!("the end of the {whole}");
        let found = found.map_or_else(end, |word| format!("'{}'", quote(word)));
        Self::new(at, format!("expected {expected}, found {found}"))
    }
}

/// The first byte of a line and the line number, from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineStart {
    pub(super) byte: usize,
    pub(super) line: usize,
}

impl LineStart {
    /// The first line.
    pub(super) const FIRST: Self = Self { byte: 0, line: 1 };

    /// The start of the line of a byte that is not before this line.
    pub(super) fn last_before(self, text: &str, byte: usize) -> Self {
        let between = &text[self.byte..byte];
        let lines = between.matches('\n').count();
        let start = between.rfind('\n').map_or(self.byte, |end| self.byte + end + 1);
        Self { byte: start, line: self.line + lines }
    }
}
