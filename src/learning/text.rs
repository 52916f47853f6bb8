//! The whole learning file as text; the module documentation describes it.

use std::fmt::Display;
use std::io::{self, Write};

use super::line;
use super::position::{LearnedPositions, preset_of};
use crate::Error;
use crate::quote::quote;

/// The header, which explains the format.
const HEADER: &str = include_str!("header.txt");
/// The version of the format, with which the first line of the header ends.
const FORMAT: &str = "1";
const TITLE: &str = "#01 Millstone learning file, format ";
/// Written by some editors at the beginning of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whether a text begins like a learning file.
pub(super) fn has_title(text: &[u8]) -> bool {
    text.starts_with(TITLE.as_bytes())
}

/// The error of a file that is something else.
pub(super) fn foreign(reason: impl Display) -> io::Error {
    io::Error::other(format!("not a learning file of Millstone: {reason}"))
}

/// Parses a text: the positions of its good lines, and what is wrong with the bad ones.
pub(super) fn parse(text: &[u8]) -> io::Result<(LearnedPositions, Option<io::Error>)> {
    let mut positions = LearnedPositions::default();
    let (mut first_bad, mut bad_lines) = (None, 0);
    let mut is_titled = text.is_empty();
    let mut has_good_lines = false;
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        if has_title(line) {
            let format = String::from_utf8_lossy(&line[TITLE.len()..]);
            if format != FORMAT {
                let format = quote(&format);
                let error = format!("format '{format}' is of a later version of Millstone");
                return Err(io::Error::other(error));
            }
            is_titled = true;
        }
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let text = str::from_utf8(line)
            .map_err(|_| Error::found("line", "text in UTF-8", &String::from_utf8_lossy(line)));
        match text.and_then(line::parse) {
            Ok(learned) => {
                has_good_lines = true;
                positions.extend(learned);
            }
            Err(error) => {
                first_bad.get_or_insert((index + 1, error));
                bad_lines += 1;
            }
        }
    }
    let missing = || {
        let reason = format_args!("the line '{TITLE}{FORMAT}' is missing");
        (1, Error(format!("header: {reason}")))
    };
    match first_bad.or_else(|| (!is_titled).then(missing)) {
        Some((_, error)) if !is_titled && !has_good_lines => Err(foreign(error)),
        Some((number, error)) => {
            let all = format!("; {bad_lines} bad lines in all");
            let all = if bad_lines > 1 { &all } else { "" };
            Ok((positions, Some(io::Error::other(format!("line {number}: {error}{all}")))))
        }
        None => Ok((positions, None)),
    }
}

/// Writes the header, which explains the format, and a line for each position.
pub(super) fn write(out: &mut impl Write, positions: &LearnedPositions) -> io::Result<()> {
    out.write_all(HEADER.as_bytes())?;
    for game in positions.games() {
        let name = preset_of(game).map_or("own rules", |preset| preset.name);
        writeln!(out, "#game {game} {name}")?;
    }
    positions.iter().try_for_each(|learned| writeln!(out, "{learned}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::{LearnedPosition, SearchResult};
    use crate::position::Position;
    use crate::rules::PRESETS;
    use crate::score::{Bound, Score};
    use proptest::prelude::*;

    fn positions() -> LearnedPositions {
        let result =
            SearchResult { score: Score::estimate(-7), bound: Bound::Upper, depth: 3, best: None };
        let starts = PRESETS.iter().map(|preset| Position::start(preset.rules));
        starts.map(|start| LearnedPosition::new(&start, result)).collect()
    }

    const LATER: &str = "is of a later version of Millstone";

    fn text() -> String {
        let mut text = Vec::new();
        write(&mut text, &positions()).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn what_is_written_is_sorted_and_read_again() {
        let text = text();
        assert!(text.lines().is_sorted() && text.lines().all(|line| line.len() < 120), "{text}");
        assert_eq!(text.matches("Lasker Morris").count(), 1);
        let marked = format!("\u{FEFF}{text}").repeat(2);
        for text in [text.clone(), text.replace('\n', "\r\n"), text.repeat(2), marked] {
            assert!(matches!(parse(text.as_bytes()), Ok((read, None)) if read == positions()));
        }
    }

    #[test]
    fn good_lines_of_a_damaged_text_count() {
        let text = text().replace("#02", "02") + "x\ty\n\u{0}";
        let (read, damage) = parse(text.as_bytes()).unwrap();
        let damage = damage.unwrap().to_string();
        assert_eq!(read, positions());
        assert!(damage.starts_with("line 2: "), "{damage}");
        assert!(damage.ends_with("; 3 bad lines in all"), "{damage}");
    }

    proptest! {
        #[test]
        fn whatever_is_changed_the_rest_is_read(at in 0..text().len(), bytes: [u8; 3], cut: bool) {
            let mut text = text().into_bytes();
            let end = if cut { text.len() } else { (at + 3).min(text.len()) };
            text.splice(at..end, bytes);
            match parse(&text) {
                Ok((read, _)) => prop_assert!(cut || read.len() + 4 >= positions().len()),
                Err(error) => {
                    let is_later = error.to_string().ends_with(LATER);
                    prop_assert!(cut || is_later, "there are good lines: {error}");
                }
            }
        }
    }

    #[test]
    fn other_texts_are_recognised() {
        for text in ["1. d6 f4\n", "\n", "# notes of mine\n\n"] {
            let error = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("not a learning file of Millstone: "), "{error}");
        }
        assert!(matches!(parse(b""), Ok((none, None)) if none.is_empty()));
        let later = text().replace("format 1", "format 2");
        let error = parse(later.as_bytes()).unwrap_err().to_string();
        assert_eq!(error, format!("format '2' {LATER}"));
        let text = text();
        let (_, headless) = text.split_once('\n').unwrap();
        assert!(matches!(parse(headless.as_bytes()), Ok((_, Some(_)))));
    }

    #[test]
    fn the_module_documentation_shows_the_header() {
        let documentation = include_str!("mod.rs");
        let text = text();
        for line in text.lines().filter(|line| line.starts_with("#0") || line.starts_with("#1")) {
            assert!(documentation.contains(&format!("//! {line}\n")), "{line}");
        }
    }
}
