//! Quoting what a user typed, in errors.

/// The most characters that are quoted.
const LIMIT: usize = 80;

/// The text, cut short if it is long.
#[must_use]
pub fn quote(text: &str) -> String {
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
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
}
