//! Quoting what a user typed, in errors.

/// The most characters that are quoted.
const LIMIT: usize = 80;

/// The text, cut short if it is long; a terminal is not told what its control characters say.
#[must_use]
pub fn quote(text: &str) -> String {
    let (start, dots) = match text.char_indices().nth(LIMIT) {
        Some((end, _)) => (&text[..end], "..."),
        None => (text, ""),
    };
    start.replace(char::is_control, "?") + dots
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
    fn no_control_character_is_quoted() {
        assert_eq!(quote("\x1b[31mRED\0\u{9b}\n"), "?[31mRED???");
    }
}
