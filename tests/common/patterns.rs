//! Transcripts: lines in which `...` stands for any text.

use std::fs;
use std::path::Path;

/// The transcripts of a folder below `tests`, with their names.
pub fn transcripts(folder: &str) -> impl Iterator<Item = (String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    fs::read_dir(folder).expect("the folder is there").map(|file| {
        let path = file.expect("the folder can be read").path();
        let text = fs::read_to_string(&path).expect("a transcript is text");
        (path.display().to_string(), text)
    })
}

/// Whether lines fit patterns; a line that is `...` alone stands for any number of lines.
pub fn fit(patterns: &[&str], lines: &[&str]) -> bool {
    match (patterns, lines) {
        ([], _) => lines.is_empty(),
        (["...", patterns @ ..], _) => (0..=lines.len()).any(|at| fit(patterns, &lines[at..])),
        ([pattern, patterns @ ..], [line, lines @ ..]) => {
            fits(pattern, line) && fit(patterns, lines)
        }
        _ => false,
    }
}

/// Whether a line fits a pattern.
pub fn fits(pattern: &str, line: &str) -> bool {
    let parts: Vec<&str> = pattern.split("...").collect();
    let [first, middle @ .., last] = parts.as_slice() else { return pattern == line };
    let Some(inner) = line.strip_prefix(first).and_then(|line| line.strip_suffix(last)) else {
        return false;
    };
    let mut rest = Some(inner);
    for part in middle {
        rest = rest.and_then(|rest| rest.split_once(part)).map(|(_, rest)| rest);
    }
    rest.is_some()
}

#[test]
fn patterns_fit_what_they_should() {
    for (pattern, text) in [("uciok", "uciok"), ("a...c", "abc"), ("...", ""), ("a...c...e", "ace")]
    {
        assert!(fits(pattern, text), "{pattern} {text}");
    }
    for (pattern, text) in [("uciok", "uciok "), ("ab...bc", "abc"), ("a...x...e", "abcde")] {
        assert!(!fits(pattern, text), "{pattern} {text}");
    }
    assert!(fit(&["a", "...", "c"], &["a", "b", "b", "c"]) && !fit(&["a", "..."], &["b", "a"]));
}
