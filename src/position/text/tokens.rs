//! Single words of a position text, and what is wrong with one.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::quote::quote;

/// A text that is no position: which field is wrong, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    field: &'static str,
    expected: String,
    found: String,
}

impl TextError {
    pub(super) fn new(
        field: &'static str,
        expected: impl Into<String>,
        found: impl fmt::Display,
    ) -> Self {
        Self { field, expected: expected.into(), found: quote(&found.to_string()) }
    }

    /// The same about the field of another name.
    pub(super) fn renamed(self, name: fn(&'static str) -> &'static str) -> Self {
        Self { field: name(self.field), ..self }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, expected, found } = self;
        write!(f, "position text, {field}: expected {expected}, found '{found}'")
    }
}

impl std::error::Error for TextError {}

/// The token if it is one of the letters in `choices`, which are separated by blanks.
pub(super) fn letter(field: &'static str, choices: &str, token: &str) -> Result<char, TextError> {
    let mut letters = token.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter != ' ' && choices.contains(letter) => Ok(letter),
        _ => Err(TextError::new(field, format!("one of {choices}"), token)),
    }
}

/// The token if it is a number in a range, written as numbers are.
pub(super) fn number<N>(
    field: &'static str,
    token: &str,
    range: RangeInclusive<N>,
) -> Result<N, TextError>
where
    N: FromStr + PartialOrd + fmt::Display,
{
    let (low, high) = (range.start(), range.end());
    let expected = || TextError::new(field, format!("a number from {low} to {high}"), token);
    let is_right = |number: &N| range.contains(number) && number.to_string() == token;
    token.parse().ok().filter(is_right).ok_or_else(expected)
}

/// How many men a side owes to remove.
pub(super) fn owed(field: &'static str, token: &str) -> Result<i8, TextError> {
    number(field, token, i8::MIN..=i8::MAX)
}
