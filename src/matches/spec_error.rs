//! What is wrong with a word of the user.

use std::fmt;

use crate::quote::quote;

/// A word for an engine that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    key: String,
    expected: &'static str,
    found: String,
}

impl SpecError {
    /// An error about what stands for a key.
    #[must_use]
    pub fn new(key: &str, expected: &'static str, found: &str) -> Self {
        Self { key: key.to_owned(), expected, found: quote(found) }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, expected, found } = self;
        match found.as_str() {
            "" => write!(f, "{key}: expected {expected}, found nothing"),
            _ => write!(f, "{key}: expected {expected}, found '{found}'"),
        }
    }
}

impl std::error::Error for SpecError {}
