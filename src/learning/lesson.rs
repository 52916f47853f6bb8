//! A lesson, and how a line of the file tells it.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::LazyLock;

use super::error::LineError;
use super::finding::Finding;
use super::subject::Subject;
use crate::evaluate;
use crate::position::{Move, Position};
use crate::rules::{Identity, PRESETS, Preset, RuleSet, Rules};
use crate::score::{Bound, Score, ScoreKind};

/// What was found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lesson {
    /// The position.
    pub subject: Subject,
    /// What was found out.
    pub finding: Finding,
}

/// The columns of a line, in their order.
pub(super) const COLUMNS: [&str; 7] = [GAME, POSITION, DEPTH, SCORE, BOUND, MOVE, BY];
const GAME: &str = "game";
const POSITION: &str = "position";
const DEPTH: &str = "depth";
const SCORE: &str = "score";
const BOUND: &str = "bound";
const MOVE: &str = "move";
const BY: &str = "by";
/// The fields that a position text has in every game.
const FEWEST_FIELDS: usize = 17;
/// How no move is written, and no evaluation.
const NONE: &str = "-";
const BOUNDS: [(Bound, &str); 3] =
    [(Bound::Exact, "exact"), (Bound::Lower, "lower"), (Bound::Upper, "upper")];
const DEPTHS: RangeInclusive<u8> = 1..=u8::MAX;

impl Lesson {
    /// The lesson that something was found out about a position.
    #[must_use]
    pub fn of<R: Rules>(position: &Position<R>, finding: Finding) -> Self {
        let (subject, symmetry) = Subject::of(position);
        let best = finding.best.map(|mv| mv.image(symmetry));
        Self { subject, finding: Finding { best, ..finding } }
    }

    /// Makes sure that the lesson is about a position of a game, and as it is kept.
    fn checked(self, rules: &RuleSet) -> Result<Self, LineError> {
        let position = Position::from_text(&self.subject.position, *rules)
            .map_err(|error| LineError::because(POSITION, error))?;
        match self.finding.best {
            Some(best) if !position.is_legal(best) => {
                Err(LineError::new(MOVE, "a legal move", &best.to_string()))
            }
            _ => Ok(Self::of(&position, self.finding)),
        }
    }
}

/// The game with an identity, if it has a name.
#[must_use]
pub fn game_of(identity: Identity) -> Option<&'static Preset> {
    static GAMES: LazyLock<[Identity; PRESETS.len()]> =
        LazyLock::new(|| PRESETS.map(|preset| preset.rules.identity()));
    GAMES.iter().position(|game| *game == identity).map(|at| &PRESETS[at])
}

impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject: Subject { game, position }, finding } = self;
        write!(f, "{game}\t{position}\t{}\t", finding.depth)?;
        match finding.score.kind() {
            ScoreKind::MateIn(turns) => write!(f, "win {turns}")?,
            ScoreKind::MatedIn(turns) => write!(f, "loss {turns}")?,
            _ => write!(f, "{}", finding.score.hundredths())?,
        }
        let bound = BOUNDS.iter().find(|(bound, _)| *bound == finding.bound);
        write!(f, "\t{}\t", bound.map_or("", |(_, name)| name))?;
        match finding.best {
            Some(mv) => mv.fmt(f)?,
            None => f.write_str(NONE)?,
        }
        write!(f, "\t{}", by_of(*game, finding.score))
    }
}

impl FromStr for Lesson {
    type Err = LineError;

    /// Reads a line. The position of a game with a name is checked, and may be any of the
    /// symmetric ones; an estimate must be by the evaluation of the program.
    fn from_str(line: &str) -> Result<Self, LineError> {
        let error = || LineError::new(BY, "the evaluation of this program", "another");
        Self::read(line)?.ok_or_else(error)
    }
}

impl Lesson {
    /// Reads a line, unless it is an estimate by another evaluation.
    pub(super) fn read(line: &str) -> Result<Option<Self>, LineError> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [game, position, depth, score, bound, best, by] = columns[..] else {
            let expected = format!("{} with tabs between them", COLUMNS.join(", "));
            return Err(LineError::new("columns", expected, line));
        };
        let subject = Subject { game: parse_game(game)?, position: parse_position(position)? };
        let finding = Finding {
            score: parse_score(score)?,
            bound: parse_bound(bound)?,
            depth: parse_depth(depth)?,
            best: parse_move(best)?,
        };
        let is_current = finding.score.is_mate() || by == by_of(subject.game, finding.score);
        check_by(by, finding.score)?;
        let lesson = Self { subject, finding };
        let lesson = match game_of(lesson.subject.game) {
            Some(preset) => lesson.checked(&preset.rules)?,
            None => lesson,
        };
        Ok(is_current.then_some(lesson))
    }
}

/// How the evaluation is written that a score is by; what is proven is true by any.
fn by_of(game: Identity, score: Score) -> String {
    if score.is_mate() { NONE.to_owned() } else { format!("{:08x}", evaluate::version(game)) }
}

fn check_by(text: &str, score: Score) -> Result<(), LineError> {
    let is_version = text.len() == 8 && u32::from_str_radix(text, 16).is_ok();
    let is_none = text == NONE && score.is_mate();
    if is_version || is_none {
        Ok(())
    } else {
        Err(LineError::new(BY, "a number of 8 digits or -", text))
    }
}

fn parse_game(text: &str) -> Result<Identity, LineError> {
    let identity = u64::from_str_radix(text, 16).ok().map(Identity::from_number);
    let identity = identity.filter(|identity| identity.to_string() == text);
    identity.ok_or_else(|| LineError::new(GAME, "an identity of 16 digits", text))
}

/// A text that has the form of a position, of whatever game.
fn parse_position(text: &str) -> Result<String, LineError> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    if is_plain && text.split(' ').count() >= FEWEST_FIELDS {
        Ok(text.to_owned())
    } else {
        Err(LineError::new(POSITION, "a position text", text))
    }
}

fn parse_depth(text: &str) -> Result<u8, LineError> {
    let (least, most) = (DEPTHS.start(), DEPTHS.end());
    let depth = text.parse().ok().filter(|depth| DEPTHS.contains(depth));
    depth.ok_or_else(|| LineError::new(DEPTH, format!("a depth from {least} to {most}"), text))
}

fn parse_score(text: &str) -> Result<Score, LineError> {
    let turns = |text: &str| text.parse().ok().filter(|turns| *turns <= Score::MAX_TURNS);
    let score = match text.split_once(' ') {
        Some(("win", text)) => turns(text).map(Score::mate_in),
        Some(("loss", text)) => turns(text).map(Score::mated_in),
        Some(_) => None,
        None => {
            let value = text.parse().ok();
            let is_estimate =
                |(value, score): &(i16, Score)| score.kind() == ScoreKind::Estimate(*value);
            let score = value.map(|value: i16| (value, Score::estimate(value.into())));
            score.filter(is_estimate).map(|(_, score)| score)
        }
    };
    score.ok_or_else(|| LineError::new(SCORE, "a score such as -35 or win 7", text))
}

fn parse_bound(text: &str) -> Result<Bound, LineError> {
    let bound = BOUNDS.iter().find(|(_, name)| *name == text);
    let expected = || LineError::new(BOUND, BOUNDS.map(|(_, name)| name).join(", "), text);
    bound.map(|(bound, _)| *bound).ok_or_else(expected)
}

fn parse_move(text: &str) -> Result<Option<Move>, LineError> {
    match text {
        NONE => Ok(None),
        _ => text.parse().map(Some).map_err(|error| LineError::because(MOVE, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Standard;

    fn line() -> String {
        let finding = Finding {
            score: Score::mated_in(12),
            bound: Bound::Exact,
            depth: 14,
            best: "f4".parse().ok(),
        };
        let mut position = Position::start(Standard);
        position = position.after("d6".parse().unwrap());
        Lesson::of(&position, finding).to_string()
    }

    #[test]
    fn any_symmetric_line_is_read_and_one_is_written() {
        let expected = "cbf29ce484222325\t********/O*******/******** b p p 1 8 0 9 0 0 0 0 0 0 0 0 1\t\
                        14\tloss 12\texact\tf4\t-";
        assert_eq!(line(), expected);
        let turned = expected.replace("O*******", "****O***").replace("0 1\t", "0 7\t");
        let turned: Lesson = turned.replace("f4", "b4").parse().unwrap();
        assert_eq!(turned.to_string(), expected);
        assert_eq!(turned.finding.score, Score::mated_in(12));
    }

    #[test]
    fn lines_of_games_without_a_name_are_kept_as_they_are() {
        let line = line().replace("cbf29ce484222325", "0000000000000001");
        assert_eq!(line.parse::<Lesson>().unwrap().to_string(), line);
    }

    #[test]
    fn estimates_count_while_the_evaluation_is_the_same() {
        for game in [PRESETS[0].rules, PRESETS[1].rules] {
            let score = Score::estimate(-60);
            let finding = Finding { score, bound: Bound::Exact, depth: 9, best: None };
            let line = Lesson::of(&Position::start(game), finding).to_string();
            assert!(Lesson::read(&line).unwrap().is_some(), "{line}");
            let other = line.replace(&by_of(game.identity(), score), "0badc0de");
            assert_eq!(Lesson::read(&other), Ok(None));
            assert!(other.parse::<Lesson>().is_err());
            let proven = other.replace("-60", "win 6");
            assert!(Lesson::read(&proven).unwrap().is_some(), "what is proven stays");
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
            ("f4", "d6", "move: expected a legal move, found 'd6'"),
            ("f4", "z9", "move: move 'z9': expected a move such as"),
            ("cbf2", "CBF2", "game: expected an identity of 16 digits"),
            ("b p p", "b m p", "position: position text, field 3 (phase)"),
            ("f4\t-", "f4\t5", "by: expected a number of 8 digits or -, found '5'"),
            ("loss 12", "60", "by: expected a number of 8 digits or -, found '-'"),
            ("\t14", "", "columns: expected game, position, depth, score, bound, move, by with"),
        ] {
            let error = line().replace(from, to).parse::<Lesson>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
