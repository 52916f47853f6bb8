//! A learned position as a line of the file.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use super::position::{CanonicalPosition, LearnedPosition, SearchResult, preset_of};
use crate::Error;
use crate::evaluate;
use crate::position::Position;
use crate::rules::Identity;
use crate::score::{Bound, Score, ScoreKind};

/// The columns of a line.
const COLUMNS: &str = "game, position, depth, score, bound, move, by";
/// The least number of fields of a position text.
const MIN_FIELDS: usize = 17;
/// Stands for no move, and for no evaluation.
const NONE: &str = "-";
const BOUNDS: [(Bound, &str); 3] =
    [(Bound::Exact, "exact"), (Bound::Lower, "lower"), (Bound::Upper, "upper")];

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
        let bound = BOUNDS.iter().find(|(known, _)| *known == result.bound);
        let (depth, bound) = (result.depth, bound.map_or("", |(_, word)| word));
        let best = result.best.map_or_else(|| NONE.to_owned(), |mv| mv.to_string());
        let by = evaluation_of(*game, result.score);
        write!(f, "{game}\t{text}\t{depth}\t{score}\t{bound}\t{best}\t{by}")
    }
}

impl FromStr for LearnedPosition {
    type Err = Error;

    /// Parses a line. For games with a name, the position is checked and may be any of the symmetric
    /// ones. An estimate must be by the current version of the evaluation.
    fn from_str(line: &str) -> Result<Self, Error> {
        let other = || because("by", "an estimate by another version of the evaluation");
        parse(line)?.ok_or_else(other)
    }
}

/// Parses a line; `None` for an estimate by another version of the evaluation.
pub(super) fn parse(line: &str) -> Result<Option<LearnedPosition>, Error> {
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
    let read_bound = BOUNDS.into_iter().find(|(_, word)| *word == bound);
    let no_bound = || Error::found("bound", BOUNDS.map(|(_, word)| word).join(", "), bound);
    let read_depth = depth.parse().ok().map(NonZeroU8::get);
    let result = SearchResult {
        score: read(parse_score(score), "score", "a score such as -35 or win 7", score)?,
        bound: read_bound.ok_or_else(no_bound)?.0,
        depth: read(read_depth, "depth", "a depth from 1 to 255", depth)?,
        best: match best {
            NONE => None,
            _ => Some(best.parse().map_err(|error| because("move", error))?),
        },
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
                let reason = format_args!("{best} is not a legal move");
                return Err(because("move", reason));
            }
            LearnedPosition::new(&position, result)
        }
        None => LearnedPosition { position, result },
    };
    Ok(is_current.then_some(learned))
}

/// The value of a column, or the error if there is none.
fn read<T>(value: Option<T>, column: &str, expected: &str, text: &str) -> Result<T, Error> {
    value.ok_or_else(|| Error::found(column, expected, text))
}

/// The version of the evaluation of an estimate; none for a mate.
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
    use super::*;
    use crate::rules::{PRESETS, Standard};

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
            assert!(parse(&line).unwrap().is_some(), "{line}");
            let other = line.replace(&evaluation_of(game.identity(), score), "0badc0de");
            assert_eq!(parse(&other), Ok(None));
            assert!(other.parse::<LearnedPosition>().is_err());
            let proven = other.replace("-60", "win 6");
            assert!(parse(&proven).unwrap().is_some(), "what is proven stays");
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
