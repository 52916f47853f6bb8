//! The arguments of `go`.

use std::fmt;
use std::str::SplitWhitespace;
use std::time::Duration;

use super::command::{Command, Dialect};
use super::error::Error;
use crate::board::{BySide, Side};
use crate::position::{MoveLine, Turn};

/// What a `go` asks for; without any limit the options decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// The most positions to visit.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// What each side's clock shows.
    pub time: BySide<Option<Duration>>,
    /// What each side's clock gains with each turn.
    pub increment: BySide<Duration>,
    /// Turns to the next time control.
    pub moves_to_go: Option<u32>,
    /// Turns in which to find a win.
    pub mate: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// The moves to choose from; all when empty.
    pub search_moves: Vec<Turn>,
}

/// One argument of `go`, in the order in which arguments are listed and written.
struct Argument {
    word: &'static str,
    /// The dialect that has it, if it is not both.
    only: Option<Dialect>,
    read: fn(&mut Go, &mut Words<'_>) -> Result<(), Error>,
    /// What is written after the word; none when the argument is not given.
    write: fn(&Go) -> Option<String>,
}

/// The argument with the moves to choose from.
pub(super) const SEARCH_MOVES: &str = "searchmoves";

const ARGUMENTS: &[Argument] = &[
    both(
        "depth",
        |go, words| words.limit().map(|depth| go.depth = depth),
        |go| go.depth.map(|depth| depth.to_string()),
    ),
    both(
        "nodes",
        |go, words| words.limit().map(|nodes| go.nodes = nodes),
        |go| go.nodes.map(|nodes| nodes.to_string()),
    ),
    both(
        "movetime",
        |go, words| words.move_time().map(|time| go.move_time = time),
        |go| go.move_time.map(milliseconds),
    ),
    both(
        "wtime",
        |go, words| words.time().map(|time| go.time[Side::White] = Some(time)),
        |go| go.time[Side::White].map(milliseconds),
    ),
    both(
        "btime",
        |go, words| words.time().map(|time| go.time[Side::Black] = Some(time)),
        |go| go.time[Side::Black].map(milliseconds),
    ),
    both(
        "winc",
        |go, words| words.time().map(|time| go.increment[Side::White] = time),
        |go| increment(go.increment[Side::White]),
    ),
    both(
        "binc",
        |go, words| words.time().map(|time| go.increment[Side::Black] = time),
        |go| increment(go.increment[Side::Black]),
    ),
    both(
        "movestogo",
        |go, words| words.limit().map(|turns| go.moves_to_go = turns),
        |go| go.moves_to_go.map(|turns| turns.to_string()),
    ),
    uci(
        "mate",
        |go, words| words.limit().map(|turns| go.mate = turns),
        |go| go.mate.map(|turns| turns.to_string()),
    ),
    uci(
        "infinite",
        |go, _| {
            go.infinite = true;
            Ok(())
        },
        |go| go.infinite.then(String::new),
    ),
    both(
        "ponder",
        |go, _| {
            go.ponder = true;
            Ok(())
        },
        |go| go.ponder.then(String::new),
    ),
    both(
        SEARCH_MOVES,
        |go, words| words.moves().map(|moves| go.search_moves = moves),
        |go| {
            let moves = MoveLine(&go.search_moves).to_string();
            (!moves.is_empty()).then(|| moves.trim_start().to_owned())
        },
    ),
];

const fn both(
    word: &'static str,
    read: fn(&mut Go, &mut Words<'_>) -> Result<(), Error>,
    write: fn(&Go) -> Option<String>,
) -> Argument {
    Argument { word, only: None, read, write }
}

const fn uci(
    word: &'static str,
    read: fn(&mut Go, &mut Words<'_>) -> Result<(), Error>,
    write: fn(&Go) -> Option<String>,
) -> Argument {
    Argument { word, only: Some(Dialect::Uci), read, write }
}

fn milliseconds(time: Duration) -> String {
    time.as_millis().to_string()
}

fn increment(time: Duration) -> Option<String> {
    (!time.is_zero()).then(|| milliseconds(time))
}

fn arguments(dialect: Dialect) -> impl Iterator<Item = &'static Argument> {
    ARGUMENTS.iter().filter(move |argument| argument.only.is_none_or(|only| only == dialect))
}

/// The arguments of a dialect, as they are listed for the user.
pub(super) fn words(dialect: Dialect) -> String {
    let words: Vec<&str> = arguments(dialect).map(|argument| argument.word).collect();
    let (last, others) = words.split_last().unwrap_or((&"", &[]));
    format!("{} or {last}", others.join(", "))
}

impl Go {
    /// Reads the words after `go`.
    ///
    /// # Errors
    ///
    /// The first word that is no argument in the dialect, or has no value that it could have.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, Error> {
        let mut go = Self::default();
        let mut words = Words { dialect, after: "", rest: text.split_whitespace() };
        while let Some(word) = words.rest.next() {
            let argument = arguments(dialect).find(|argument| argument.word == word);
            let unknown = || Error::argument(Command::Go.word(dialect), self::words(dialect), word);
            let argument = argument.ok_or_else(unknown)?;
            words.after = argument.word;
            (argument.read)(&mut go, &mut words)?;
        }
        Ok(go)
    }

    /// Whether a search for a side has a limit here, or is meant to have none.
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

/// The words that are still to be read, and the one before them.
struct Words<'a> {
    dialect: Dialect,
    after: &'static str,
    rest: SplitWhitespace<'a>,
}

impl Words<'_> {
    fn error(&self, expected: &str, found: &str) -> Error {
        Error::argument(
            format!("{} {}", Command::Go.word(self.dialect), self.after),
            expected,
            found,
        )
    }

    /// A number, none if it is 0; one too large to hold means as much as can be.
    fn limit<N: TryFrom<u64>>(&mut self) -> Result<Option<N>, Error> {
        let text = self.rest.next().unwrap_or_default();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error("a number, or 0 for no limit", text));
        }
        let value = text.parse().unwrap_or(u64::MAX);
        let number = N::try_from(value).or_else(|_| N::try_from(u64::from(u32::MAX)));
        let number = number.map_err(|_| self.error("a smaller number", text))?;
        Ok((value > 0).then_some(number))
    }

    /// The time for a move, none if it is 0.
    fn move_time(&mut self) -> Result<Option<Duration>, Error> {
        let milliseconds = self.milliseconds()?;
        Ok((milliseconds != 0).then(|| time(milliseconds)))
    }

    fn time(&mut self) -> Result<Duration, Error> {
        self.milliseconds().map(time)
    }

    fn milliseconds(&mut self) -> Result<i64, Error> {
        let text = self.rest.next().unwrap_or_default();
        text.parse().map_err(|_| self.error("a whole number of milliseconds", text))
    }

    /// The moves up to the first word that is none, which is left to be read.
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

/// A time in milliseconds; one below zero, as of a clock that ran out, is no time at all.
fn time(milliseconds: i64) -> Duration {
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0))
}

impl fmt::Display for Go {
    /// Writes the arguments with blanks between them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = ARGUMENTS.iter().filter_map(|it| Some((it.word, (it.write)(self)?)));
        let words: Vec<String> =
            given.map(|(word, value)| format!("{word} {value}").trim_end().to_owned()).collect();
        f.write_str(&words.join(" "))
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
