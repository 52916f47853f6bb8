//! What somebody who mistyped a word may have meant.

use millstone::quote::quote;

/// The word nearest to what was typed, if it is near enough to be meant.
pub fn nearest<'a>(typed: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let distance = |word: &str| strsim::damerau_levenshtein(&typed, &word.to_lowercase());
    let near = words.into_iter().map(|word| (distance(word), word));
    let (distance, word) = near.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + word.chars().count() / 4).then_some(word)
}

/// One of several words, each of which may be cut short.
///
/// # Errors
///
/// One line that says what was expected, and what may have been meant.
pub fn choose<'a, T>(
    typed: &str,
    choices: impl IntoIterator<Item = (&'a str, T)>,
) -> Result<T, String> {
    let mut choices: Vec<(&str, T)> = choices.into_iter().collect();
    let wanted = typed.to_lowercase();
    let fits = |(word, _): &(&str, T)| word.starts_with(&wanted);
    let exact = choices.iter().position(|(word, _)| *word == wanted);
    let only =
        choices.iter().position(fits).filter(|_| choices.iter().filter(|c| fits(c)).count() == 1);
    if let Some(index) = exact.or(only.filter(|_| !wanted.is_empty())) {
        return Ok(choices.swap_remove(index).1);
    }
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    let guess = nearest(&wanted, words.iter().copied());
    let guess = guess.map(|word| format!("; did you mean {word}?")).unwrap_or_default();
    Err(format!("expected {}, found '{}'{guess}", words.join(", "), quote(typed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_other_words_are_not() {
        let words = ["undo", "redo", "quit", "analyse"];
        for (typed, meant) in [("undp", "undo"), ("anaylse", "analyse"), ("QIUT", "quit")] {
            assert_eq!(nearest(typed, words), Some(meant));
        }
        assert_eq!(nearest("xyzzy", words), None);
    }

    #[test]
    fn words_may_be_cut_short_where_that_is_clear() {
        let choices = [("yes", 1), ("yesterday", 2), ("no", 3)];
        assert_eq!(choose("YES", choices), Ok(1));
        assert_eq!(choose("n", choices), Ok(3));
        assert!(choose("y", choices).is_err() && choose("", choices).is_err());
        let error = choose("nol", choices).unwrap_err();
        assert_eq!(error, "expected yes, yesterday, no, found 'nol'; did you mean no?");
    }
}
