//! The arguments of `go`.

use std::fmt;
use std::str::SplitWhitespace;
use std::time::Duration;

use super::command::{Command, Dialect, Error, alternatives};
use crate::board::{BySide, Side};
use crate::position::{MoveLine, Turn};

/// The arguments of `go`; without a limit, the options decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// The most nodes to visit.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// The time left on each side's clock.
    pub time: BySide<Option<Duration>>,
    /// Each side's increment per turn.
    pub increment: BySide<Duration>,
    /// The number of turns to the next time control.
    pub moves_to_go: Option<u32>,
    /// The number of turns within which to find a win.
    pub mate: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// The moves to choose from; all if empty.
    pub search_moves: Vec<Turn>,
}

/// The value of an argument of `go`, and the field that holds it.
enum Value {
    /// A number; 0 means no limit.
    Limit(fn(&mut Go) -> &mut Option<u32>),
    Nodes(fn(&mut Go) -> &mut Option<u64>),
    /// A time; 0 means no limit.
    MoveTime(fn(&mut Go) -> &mut Option<Duration>),
    Time(fn(&mut Go) -> &mut Option<Duration>),
    Increment(fn(&mut Go) -> &mut Duration),
    Flag(fn(&mut Go) -> &mut bool),
    Moves(fn(&mut Go) -> &mut Vec<Turn>),
}

/// The argument with moves to choose from.
pub(super) const SEARCH_MOVES: &str = "searchmoves";

/// All arguments, in the order in which they are listed and written.
const ARGUMENTS: [(&str, Value); 12] = [
    ("depth", Value::Limit(|go| &mut go.depth)),
    ("nodes", Value::Nodes(|go| &mut go.nodes)),
    ("movetime", Value::MoveTime(|go| &mut go.move_time)),
    ("wtime", Value::Time(|go| &mut go.time[Side::White])),
    ("btime", Value::Time(|go| &mut go.time[Side::Black])),
    ("winc", Value::Increment(|go| &mut go.increment[Side::White])),
    ("binc", Value::Increment(|go| &mut go.increment[Side::Black])),
    ("movestogo", Value::Limit(|go| &mut go.moves_to_go)),
    ("mate", Value::Limit(|go| &mut go.mate)),
    ("infinite", Value::Flag(|go| &mut go.infinite)),
    ("ponder", Value::Flag(|go| &mut go.ponder)),
    (SEARCH_MOVES, Value::Moves(|go| &mut go.search_moves)),
];

/// The arguments that GBGP lacks.
const UCI_ONLY: [&str; 2] = ["mate", "infinite"];

fn arguments(dialect: Dialect) -> impl Iterator<Item = &'static (&'static str, Value)> {
    let is_in = move |word| dialect == Dialect::Uci || !UCI_ONLY.contains(&word);
    ARGUMENTS.iter().filter(move |(word, _)| is_in(*word))
}

impl Value {
    /// Parses the value after the argument.
    fn read(&self, go: &mut Go, words: &mut Words<'_>) -> Result<(), Error> {
        match self {
            Self::Limit(field) => {
                let limit = words.limit()?;
                *field(go) = limit.map(|limit| limit.try_into().unwrap_or(u32::MAX));
            }
            Self::Nodes(field) => *field(go) = words.limit()?,
            Self::MoveTime(field) => *field(go) = words.time()?,
            Self::Time(field) => *field(go) = Some(words.time()?.unwrap_or_default()),
            Self::Increment(field) => *field(go) = words.time()?.unwrap_or_default(),
            Self::Flag(field) => *field(go) = true,
            Self::Moves(field) => *field(go) = words.moves()?,
        }
        Ok(())
    }

    /// The text after the argument, with a blank before each word, if it is given.
    fn text(&self, go: &mut Go) -> Option<String> {
        let milliseconds = |time: Duration| format!(" {}", time.as_millis());
        match self {
            Self::Limit(field) => field(go).map(|number| format!(" {number}")),
            Self::Nodes(field) => field(go).map(|number| format!(" {number}")),
            Self::MoveTime(field) | Self::Time(field) => field(go).map(milliseconds),
            Self::Increment(field) => (!field(go).is_zero()).then(|| milliseconds(*field(go))),
            Self::Flag(field) => field(go).then(String::new),
            Self::Moves(field) => (!field(go).is_empty()).then(|| MoveLine(field(go)).to_string()),
        }
    }
}

/// The list of a dialect's arguments for the user.
pub(super) fn words(dialect: Dialect) -> String {
    alternatives(arguments(dialect).map(|(word, _)| *word))
}

impl Go {
    /// Reads the words after `go`.
    ///
    /// # Errors
    ///
    /// The first unknown argument or wrong value.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, Error> {
        let mut go = Self::default();
        let mut words = Words { dialect, after: "", rest: text.split_whitespace() };
        while let Some(word) = words.rest.next() {
            let argument = arguments(dialect).find(|(known, _)| *known == word);
            let unknown = || Error::argument(Command::Go.word(dialect), self::words(dialect), word);
            let (word, value) = argument.ok_or_else(unknown)?;
            words.after = word;
            value.read(&mut go, &mut words)?;
        }
        Ok(go)
    }

    /// Whether a limit is given for the side to move, or `infinite`.
    #[must_use]
    pub fn has_limit(&self, side: Side) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.move_time.is_some()
            || self.mate.is_some()
            || self.infinite
            || self.time[side].is_some()
    }
}

/// The remaining words, and the argument before them.
struct Words<'a> {
    dialect: Dialect,
    after: &'static str,
    rest: SplitWhitespace<'a>,
}

impl Words<'_> {
    fn error(&self, expected: &str, found: &str) -> Error {
        let Self { dialect, after, .. } = *self;
        Error::argument(Command::Go.line(dialect, after), expected, found)
    }

    /// A number, `None` if it is 0; saturates if it is too large.
    fn limit(&mut self) -> Result<Option<u64>, Error> {
        let text = self.rest.next().unwrap_or_default();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error("a number, or 0 for no limit", text));
        }
        Ok(Some(text.parse().unwrap_or(u64::MAX)).filter(|number| *number > 0))
    }

    /// A time, `None` if it is 0; a negative one, as of an expired clock, has run out.
    fn time(&mut self) -> Result<Option<Duration>, Error> {
        let text = self.rest.next().unwrap_or_default();
        let expected = "a whole number of milliseconds";
        let time: i64 = text.parse().map_err(|_| self.error(expected, text))?;
        Ok((time != 0).then(|| Duration::from_millis(time.try_into().unwrap_or(0))))
    }

    /// The moves up to the first word that is not a move.
    fn moves(&mut self) -> Result<Vec<Turn>, Error> {
        let mut moves = Vec::new();
        loop {
            let mut ahead = self.rest.clone();
            let text = ahead.next().unwrap_or_default();
            match text.parse::<Turn>() {
                Ok(turn) if self.dialect == Dialect::Gbgp || turn.moves().len() == 1 => {
                    moves.push(turn);
                }
                _ if !moves.is_empty() => return Ok(moves),
                _ => return Err(self.error("moves", text)),
            }
            self.rest = ahead;
        }
    }
}

impl fmt::Display for Go {
    /// Writes the arguments as they are parsed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut go = self.clone();
        let given = ARGUMENTS.iter().filter_map(|(word, value)| Some((word, value.text(&mut go)?)));
        let words = given.map(|(word, value)| format!("{word}{value}"));
        f.write_str(&words.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_goes_both_ways() {
        let text = "depth 7 nodes 1000 movetime 50 wtime 3000 btime 2000 winc 10 binc 20 movestogo 4 mate 2 \
                    infinite ponder searchmoves d6 xd5 d6-d7";
        let parse = |text| Go::parse(text, Dialect::Uci).unwrap();
        let go = parse(text);
        assert_eq!(go.to_string(), text);
        assert!(go.has_limit(Side::White));
        let has_limit = |text| parse(text).has_limit(Side::White);
        assert!(!has_limit("searchmoves d6 ponder") && !has_limit("btime 1000 winc 10"));
        assert_eq!(parse("wtime -30").time[Side::White], Some(Duration::ZERO));
        assert_eq!(parse("depth 99999999999999999999999").depth, Some(u32::MAX));
    }

    #[test]
    fn one_dialect_chooses_from_turns_and_needs_another_limit_than_stop() {
        let go = Go::parse("depth 3 searchmoves d6-f6xa1 b4", Dialect::Gbgp).unwrap();
        assert_eq!(go.to_string(), "depth 3 searchmoves d6-f6xa1 b4");
        let error = |arguments, dialect| Go::parse(arguments, dialect).unwrap_err().to_string();
        let found = error("searchmoves d6-f6xa1", Dialect::Uci);
        assert_eq!(found, "go searchmoves: expected moves, found 'd6-f6xa1'");
        for word in ["mate 2", "infinite"] {
            let found = error(word, Dialect::Gbgp);
            assert!(found.starts_with("go: expected depth, nodes, movetime"), "{found}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (arguments, message) in [
            ("dept 5", "go: expected depth, nodes, movetime, wtime"),
            ("depth", "go depth: expected a number, or 0 for no limit, found nothing"),
            ("depth -3", "go depth: expected a number, or 0 for no limit, found '-3'"),
            ("movetime soon", "go movetime: expected a whole number of milliseconds"),
            ("searchmoves depth 3", "go searchmoves: expected moves, found 'depth'"),
        ] {
            let error = Go::parse(arguments, Dialect::Uci).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
