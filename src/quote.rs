//! Error messages, and the quotation of untrusted text: from a user, a file or another program.

use std::fmt::Display;

/// A message to the user about a wrong text, move, setting or command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub(crate) String);

impl Error {
    /// Creates an error with a message.
    pub fn refused(reason: impl Display) -> Self {
        Self(reason.to_string())
    }

    /// Creates an error about a missing or wrong argument.
    ///
    /// * `of`: the command or word that takes the argument.
    /// * `expected`: what the argument should be.
    /// * `found`: the argument, empty if it is missing.
    pub fn argument(of: impl Display, expected: impl Display, found: &str) -> Self {
        match found {
            "" => Self(format!("{of}: expected {expected}, found nothing")),
            _ => Self::found(of, expected, found),
        }
    }

    /// Creates an error about a text that is not what was expected.
    pub(crate) fn found(of: impl Display, expected: impl Display, found: &str) -> Self {
        Self(format!("{of}: expected {expected}, found '{}'", quote(found)))
    }
}

/// The most characters to quote.
const LIMIT: usize = 80;

/// Escapes control characters, so that the text cannot control a terminal.
pub fn printable(text: &str) -> String {
    let escape = |shown: char| {
        if shown.is_control() { shown.escape_default().to_string() } else { shown.into() }
    };
    text.chars().map(escape).collect()
}

/// Prepares text for quotation in an error message: escapes control characters and truncates long text.
pub fn quote(text: &str) -> String {
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => printable(&text[..end]) + "...",
        None => printable(text),
    }
}

/// Joins words with commas, and the last one with a conjunction: `a, b or c`.
///
/// * `before_last`: the conjunction, such as `or`.
pub fn listed(words: impl IntoIterator<Item = impl ToString>, before_last: &str) -> String {
    let mut words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
    match words.pop() {
        Some(last) if !words.is_empty() => format!("{} {before_last} {last}", words.join(", ")),
        last => last.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_texts_are_cut() {
        assert_eq!(quote("d6"), "d6");
        let long = "\u{e9}".repeat(100);
        assert_eq!(quote(&long).chars().count(), LIMIT + 3);
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(quote("\x1b[31mRED\0\u{9b}\n"), "\\u{1b}[31mRED\\u{0}\\u{9b}\\n");
    }
}
