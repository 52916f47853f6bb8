//! Showing text that came from outside, from a user, a file or another program, lists of words, and what is wrong with
//! either.

use std::fmt::Display;

/// What is wrong with a text, a move, a setting or a command, in words for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub(crate) String);

impl Error {
    /// An error for a reason.
    pub fn refused(reason: impl Display) -> Self {
        Self(reason.to_string())
    }

    /// An argument that is missing or wrong.
    ///
    /// * `of`: the command or word that takes the argument.
    /// * `found`: empty if it is missing.
    pub fn argument(of: impl Display, expected: impl Display, found: &str) -> Self {
        match found {
            "" => Self(format!("{of}: expected {expected}, found nothing")),
            _ => Self::found(of, expected, found),
        }
    }

    /// A text that is something else than what is expected of a place.
    pub(crate) fn found(of: impl Display, expected: impl Display, found: &str) -> Self {
        Self(format!("{of}: expected {expected}, found '{}'", quote(found)))
    }
}

/// The most characters that are quoted.
const LIMIT: usize = 80;

/// The text with its control characters escaped, so that it cannot steer a terminal.
pub fn printable(text: &str) -> String {
    let escape = |shown: char| {
        if shown.is_control() { shown.escape_default().to_string() } else { shown.into() }
    };
    text.chars().map(escape).collect()
}

/// The text as an error message quotes it: printable, and cut short if it is long.
pub fn quote(text: &str) -> String {
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => printable(&text[..end]) + "...",
        None => printable(text),
    }
}

/// The words with commas between them, and another word before the last one, such as `a, b or c`.
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
