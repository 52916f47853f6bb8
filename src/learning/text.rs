//! The text of a learning file, with a learned position per line; the module documentation describes it.

use std::fmt::{self, Display};
use std::num::NonZeroU8;
use std::str::FromStr;
use std::{io, iter};

use super::{CanonicalPosition, LearnedPosition, LearnedPositions, SearchResult, preset_of};
use crate::position::Position;
use crate::quote::quote;
use crate::rules::Identity;
use crate::score::{Bound, Score, ScoreKind};
use crate::{Error, evaluate};

/// The header, which explains the format.
const HEADER: &str = include_str!("header.txt");
/// The version of the format, at the end of the header's first line.
const FORMAT: &str = "1";
/// The beginning of the header's first line.
pub(super) const TITLE: &str = "#01 Millstone learning file, format ";
/// Some editors write it at the beginning of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The error for a file that is not a learning file.
pub(super) fn foreign(reason: impl Display) -> io::Error {
    io::Error::other(format!("not a learning file of Millstone: {reason}"))
}

/// Whether a format begins with a number above 1, so that a later version has written it.
fn is_later(format: &str) -> bool {
    let digits = format.split(|character: char| !character.is_ascii_digit()).next();
    let number = digits.unwrap_or_default().trim_start_matches('0');
    number.len() > 1 || number > FORMAT
}

/// Parses a text. Returns the positions of the good lines, and the error of the bad lines.
pub(super) fn parse(text: &[u8]) -> io::Result<(LearnedPositions, Option<io::Error>)> {
    let mut positions = LearnedPositions::default();
    let (mut first_bad, mut bad_lines) = (None, 0);
    let mut is_titled = text.is_empty();
    let mut has_good_lines = false;
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        let format = line.strip_prefix(TITLE.as_bytes()).map(String::from_utf8_lossy);
        match format.as_deref() {
            Some(FORMAT) => is_titled = true,
            Some(format) if is_later(format) => {
                let error =
                    format!("format '{}' is of a later version of Millstone", quote(format));
                return Err(io::Error::other(error));
            }
            _ => {}
        }
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let text = str::from_utf8(line)
            .map_err(|_| Error::found("line", "text in UTF-8", &String::from_utf8_lossy(line)));
        match text.and_then(parse_line) {
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
    let missing = || (1, because("header", format_args!("the line '{TITLE}{FORMAT}' is missing")));
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

/// The header, which explains the format, and a line for each position.
pub(super) fn written(positions: &LearnedPositions) -> String {
    let name = |game| preset_of(game).map_or("own rules", |preset| preset.name);
    let games = positions.games().into_iter().map(|game| format!("#game {game} {}\n", name(game)));
    let lines = positions.iter().map(|learned| format!("{learned}\n"));
    iter::once(HEADER.to_owned()).chain(games).chain(lines).collect()
}

/// The columns of a line.
const COLUMNS: &str = "game, position, depth, score, bound, move, by";
/// The minimum number of fields of a position text.
const MIN_FIELDS: usize = 17;
/// The text for no move and for no evaluation.
const NONE: &str = "-";
const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

/// The error of a column.
fn because(column: &str, reason: impl fmt::Display) -> Error {
    Error(format!("{column}: {reason}"))
}

impl fmt::Display for LearnedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position: CanonicalPosition { game, text }, result } = self;
        let score = match result.score.kind() {
            ScoreKind::MateIn(turns) => format!("win {turns}"),
            ScoreKind::MatedIn(turns) => format!("loss {turns}"),
            _ => result.score.hundredths().to_string(),
        };
        let SearchResult { depth, bound, .. } = result;
        let best = result.best.map_or_else(|| NONE.to_owned(), |mv| mv.to_string());
        let by = evaluation_of(*game, result.score);
        write!(f, "{game}\t{text}\t{depth}\t{score}\t{bound}\t{best}\t{by}")
    }
}

impl FromStr for LearnedPosition {
    type Err = Error;

    /// Parses a line. In named games the position is checked and may be any of the symmetric ones. An
    /// estimate must be by the current version of the evaluation.
    fn from_str(line: &str) -> Result<Self, Error> {
        let other = || because("by", "an estimate by another version of the evaluation");
        parse_line(line)?.ok_or_else(other)
    }
}

/// Parses a line; `None` for an estimate by another version of the evaluation.
fn parse_line(line: &str) -> Result<Option<LearnedPosition>, Error> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [game, position, depth, score, bound, best, by] = columns[..] else {
        let expected = format_args!("{COLUMNS} with tabs between them");
        return Err(Error::found("columns", expected, line));
    };
    let identity = u64::from_str_radix(game, 16).ok().map(Identity);
    let identity = identity.filter(|identity| identity.to_string() == game);
    let is_plain = position.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    let is_text = is_plain && position.split(' ').count() >= MIN_FIELDS;
    let position = CanonicalPosition {
        game: read(identity, "game", "an identity of 16 digits", game)?,
        text: read(is_text.then(|| position.to_owned()), "position", "a position text", position)?,
    };
    let read_bound = BOUNDS.into_iter().find(|known| known.to_string() == bound);
    let read_best = Some(best).filter(|best| *best != NONE).map(str::parse).transpose();
    let read_depth = depth.parse().ok().map(NonZeroU8::get);
    let result = SearchResult {
        score: read(parse_score(score), "score", "a score such as -35 or win 7", score)?,
        bound: read(read_bound, "bound", "exact, lower, upper", bound)?,
        depth: read(read_depth, "depth", "a depth from 1 to 255", depth)?,
        best: read_best.map_err(|error| because("move", error))?,
    };
    let is_mate = result.score.is_mate();
    let is_version = by.len() == 8 && u32::from_str_radix(by, 16).is_ok();
    let is_by = is_version || by == NONE && is_mate;
    read(is_by.then_some(()), "by", "a number of 8 digits or -", by)?;
    let is_current = is_mate || by == evaluation_of(position.game, result.score);
    let learned = match preset_of(position.game) {
        Some(preset) => {
            let position = Position::from_text(&position.text, preset.rules)
                .map_err(|error| because("position", error))?;
            if let Some(best) = result.best.filter(|&best| !position.is_legal(best)) {
                return Err(because("move", format_args!("{best} is not a legal move")));
            }
            LearnedPosition::new(&position, result)
        }
        None => LearnedPosition { position, result },
    };
    Ok(is_current.then_some(learned))
}

/// The value of a column, or the error if it is invalid.
fn read<T>(value: Option<T>, column: &str, expected: &str, text: &str) -> Result<T, Error> {
    value.ok_or_else(|| Error::found(column, expected, text))
}

/// The version of the evaluation that made an estimate; `-` for a mate.
fn evaluation_of(game: Identity, score: Score) -> String {
    if score.is_mate() { NONE.to_owned() } else { format!("{:08x}", evaluate::version(game)) }
}

fn parse_score(text: &str) -> Option<Score> {
    let turns = |text: &str| text.parse().ok().filter(|turns| *turns <= Score::MAX_TURNS);
    match text.split_once(' ') {
        Some(("win", text)) => turns(text).map(Score::mate_in),
        Some(("loss", text)) => turns(text).map(Score::mated_in),
        _ => {
            let value: i16 = text.parse().ok()?;
            let score = Score::estimate(value.into());
            (score.kind() == ScoreKind::Estimate(value)).then_some(score)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::learning::{LearnedPosition, SearchResult};
    use crate::position::Position;
    use crate::rules::{PRESETS, Standard};
    use crate::score::{Bound, Score};

    fn positions() -> LearnedPositions {
        let result =
            SearchResult { score: Score::estimate(-7), bound: Bound::Upper, depth: 3, best: None };
        let starts = PRESETS.iter().map(|preset| Position::start(preset.rules));
        starts.map(|start| LearnedPosition::new(&start, result)).collect()
    }

    const LATER: &str = "is of a later version of Millstone";

    fn text() -> String {
        written(&positions())
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
        for nonsense in ["format x", "format 0", "format ", "format 1 or so", "format 01"] {
            let (read, damage) = parse(text.replace("format 1", nonsense).as_bytes()).unwrap();
            let damage = damage.unwrap().to_string();
            assert!(damage.starts_with("line 1: header: the line '#01 "), "{damage}");
            assert_eq!(read, positions());
        }
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

    fn line() -> String {
        let result = SearchResult {
            score: Score::mated_in(12),
            bound: Bound::Exact,
            depth: 14,
            best: "f4".parse().ok(),
        };
        let mut position = Position::start(Standard);
        position = position.after("d6".parse().unwrap());
        LearnedPosition::new(&position, result).to_string()
    }

    #[test]
    fn any_symmetric_line_is_read_and_one_is_written() {
        let expected = "cbf29ce484222325\t********/O*******/******** b p p 1 8 0 9 0 0 0 0 0 0 0 0 1\t\
                        14\tloss 12\texact\tf4\t-";
        assert_eq!(line(), expected);
        let turned = expected.replace("O*******", "****O***").replace("0 1\t", "0 7\t");
        let turned: LearnedPosition = turned.replace("f4", "b4").parse().unwrap();
        assert_eq!(turned.to_string(), expected);
        assert_eq!(turned.result.score, Score::mated_in(12));
    }

    #[test]
    fn lines_of_games_without_a_name_are_kept_as_they_are() {
        let line = line().replace("cbf29ce484222325", "0000000000000001");
        assert_eq!(line.parse::<LearnedPosition>().unwrap().to_string(), line);
    }

    #[test]
    fn estimates_count_while_the_evaluation_is_the_same() {
        for game in [PRESETS[0].rules, PRESETS[1].rules] {
            let score = Score::estimate(-60);
            let result = SearchResult { score, bound: Bound::Exact, depth: 9, best: None };
            let line = LearnedPosition::new(&Position::start(game), result).to_string();
            assert!(parse_line(&line).unwrap().is_some(), "{line}");
            let other = line.replace(&evaluation_of(game.identity(), score), "0badc0de");
            assert_eq!(parse_line(&other), Ok(None));
            assert!(other.parse::<LearnedPosition>().is_err());
            let proven = other.replace("-60", "win 6");
            assert!(parse_line(&proven).unwrap().is_some(), "what is proven stays");
        }
    }

    #[test]
    fn mistakes_name_the_column() {
        for (from, to, message) in [
            ("exact", "about", "bound: expected exact, lower, upper, found 'about'"),
            (
                "loss 12",
                "loss 9999",
                "score: expected a score such as -35 or win 7, found 'loss 9999'",
            ),
            ("loss 12", "20000", "score: expected a score such as -35 or win 7, found '20000'"),
            ("\t14", "\t0", "depth: expected a depth from 1 to 255, found '0'"),
            ("f4", "d6", "move: d6 is not a legal move"),
            ("f4", "z9", "move: move 'z9': expected a move such as"),
            ("cbf2", "CBF2", "game: expected an identity of 16 digits"),
            ("b p p", "b m p", "position: position text, field 4 (action)"),
            ("f4\t-", "f4\t5", "by: expected a number of 8 digits or -, found '5'"),
            ("loss 12", "60", "by: expected a number of 8 digits or -, found '-'"),
            ("\t14", "", "columns: expected game, position, depth, score, bound, move, by with"),
        ] {
            let error =
                line().replace(from, to).parse::<LearnedPosition>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
