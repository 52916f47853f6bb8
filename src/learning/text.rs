//! The whole file as text.
//!
//! Header lines begin with `#` and are numbered, so that a file is in the order of `sort` under
//! `LC_ALL=C`, the header included: `sort -u` makes one good file of several.

use std::io::{self, Write};

use super::error::{Damage, LineError};
use super::lesson::{COLUMNS, Lesson, game_of};
use super::lessons::Lessons;

/// The version of the format.
pub(super) const FORMAT: &str = "1";
const TITLE: &str = "#01 Millstone learning file, format ";
/// What some editors begin a text with.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a text holds.
pub(super) enum Contents {
    /// Lessons, and what is wrong with other lines.
    Lessons(Lessons, Option<Damage>),
    /// A format that is not known.
    Later(String),
    /// Nothing that looks like a learning file; what is wrong with its first line.
    Foreign(LineError),
}

/// Whether a text begins as one that was written here.
pub(super) fn has_title(text: &[u8]) -> bool {
    text.starts_with(TITLE.as_bytes())
}

/// Reads a text; lines may be in any order, and several may tell of one position.
pub(super) fn read(text: &[u8]) -> Contents {
    let mut lessons = Lessons::default();
    let mut damage: Option<Damage> = None;
    let mut is_titled = text.is_empty();
    let mut has_lessons = false;
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        if has_title(line) {
            let format = String::from_utf8_lossy(&line[TITLE.len()..]);
            if format != FORMAT {
                return Contents::Later(format.into_owned());
            }
            is_titled = true;
        }
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        match read_line(line) {
            Ok(lesson) => {
                has_lessons = true;
                lessons.extend(lesson);
            }
            Err(error) => {
                let first = || Damage { lines: 0, first: index + 1, error };
                damage.get_or_insert_with(first).lines += 1;
            }
        }
    }
    match damage {
        Some(Damage { error, .. }) if !is_titled && !has_lessons => Contents::Foreign(error),
        None if !is_titled && !has_lessons => Contents::Foreign(no_title().error),
        None if !is_titled => Contents::Lessons(lessons, Some(no_title())),
        damage => Contents::Lessons(lessons, damage),
    }
}

/// The lesson of a good line, unless it is out of date.
fn read_line(line: &[u8]) -> Result<Option<Lesson>, LineError> {
    match std::str::from_utf8(line) {
        Ok(line) => Lesson::read(line),
        Err(_) => Err(LineError::new("line", "text in UTF-8", &String::from_utf8_lossy(line))),
    }
}

fn no_title() -> Damage {
    let expected = format!("the line '{TITLE}{FORMAT}'");
    Damage { lines: 1, first: 1, error: LineError::new("header", expected, "none") }
}

/// Writes lessons with a header that says what they are.
pub(super) fn write(out: &mut impl Write, lessons: &Lessons) -> io::Result<()> {
    writeln!(out, "{TITLE}{FORMAT}")?;
    let [game, position, depth, score, bound, mv, by] = COLUMNS;
    let columns = [
        (game, "identity of the rules; those with a name are listed below"),
        (position, "position text; symmetric positions are one, all counters begin"),
        (depth, "how deep the search looked, in placements and slides"),
        (score, "hundredths of a man, win N or loss N in turns; for the side to move"),
        (bound, "how the score relates to the value: exact, lower or upper"),
        (mv, "the best move, or -"),
        (by, "the evaluation that an estimate is by; those by others are not kept"),
    ];
    writeln!(
        out,
        "#02 Each line tells what a search found out about a position. Columns, with tabs between:"
    )?;
    for (index, (column, meaning)) in columns.iter().enumerate() {
        writeln!(out, "#{:02}   {column:<9} {meaning}", index + 3)?;
    }
    writeln!(out, "#10 Sorted as by LC_ALL=C sort; LC_ALL=C sort -u makes one file of several.")?;
    writeln!(out, "#11 Of lines about one position a win or loss counts first, then the deepest.")?;
    writeln!(out, "#12 Other lines that begin with # may be added, but are not kept.")?;
    for game in lessons.games() {
        let name = game_of(game).map_or("own rules", |preset| preset.name);
        writeln!(out, "#game {game} {name}")?;
    }
    lessons.iter().try_for_each(|lesson| writeln!(out, "{lesson}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::Finding;
    use crate::position::Position;
    use crate::rules::PRESETS;
    use crate::score::{Bound, Score};
    use proptest::prelude::*;

    fn lessons() -> Lessons {
        let start = |rules| Position::start(rules);
        let finding =
            Finding { score: Score::estimate(-7), bound: Bound::Upper, depth: 3, best: None };
        PRESETS.iter().map(|preset| Lesson::of(&start(preset.rules), finding)).collect()
    }

    fn text() -> String {
        let mut text = Vec::new();
        write(&mut text, &lessons()).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn what_is_written_is_sorted_and_read_again() {
        let text = text();
        assert!(text.lines().is_sorted() && text.lines().all(|line| line.len() < 120), "{text}");
        assert_eq!(text.matches("Lasker Morris").count(), 1);
        let marked = format!("\u{FEFF}{text}").repeat(2);
        for text in [text.clone(), text.replace('\n', "\r\n"), text.repeat(2), marked] {
            let Contents::Lessons(read, None) = read(text.as_bytes()) else { panic!("{text}") };
            assert_eq!(read, lessons());
        }
    }

    #[test]
    fn good_lines_of_a_damaged_text_count() {
        let text = text().replace("#02", "02") + "x\ty\n\u{0}";
        let Contents::Lessons(read, Some(damage)) = read(text.as_bytes()) else { panic!("{text}") };
        assert_eq!(read, lessons());
        assert_eq!((damage.first, damage.lines), (2, 3));
    }

    proptest! {
        #[test]
        fn whatever_is_changed_the_rest_is_read(at in 0..text().len(), bytes: [u8; 3], cut: bool) {
            let mut text = text().into_bytes();
            let end = if cut { text.len() } else { (at + 3).min(text.len()) };
            text.splice(at..end, bytes);
            match read(&text) {
                Contents::Lessons(read, _) if !cut => prop_assert!(read.len() + 4 >= lessons().len()),
                Contents::Lessons(..) | Contents::Later(_) => {}
                Contents::Foreign(_) => prop_assert!(cut, "there are good lines"),
            }
        }
    }

    #[test]
    fn other_texts_are_told_apart() {
        assert!(matches!(read(b"1. d6 f4\n"), Contents::Foreign(_)));
        for text in ["\n", "# notes of mine\n\n"] {
            assert!(matches!(read(text.as_bytes()), Contents::Foreign(_)));
        }
        assert!(matches!(read(b""), Contents::Lessons(lessons, None) if lessons.is_empty()));
        let later = text().replace("format 1", "format 2");
        assert!(matches!(read(later.as_bytes()), Contents::Later(format) if format == "2"));
        let text = text();
        let (_, headless) = text.split_once('\n').unwrap();
        assert!(matches!(read(headless.as_bytes()), Contents::Lessons(_, Some(_))));
    }
}
