//! The arguments of `go`.

use std::fmt;
use std::str::SplitWhitespace;
use std::time::Duration;

use super::dialect::Dialect;
use super::error::Error;
use super::gbgp::TurnLine;
use crate::board::{BySide, Side};
use crate::position::Turn;

/// What a `go` asks for; without any limit the options decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The deepest iteration.
    pub depth: Option<u32>,
    /// The most positions to visit.
    pub nodes: Option<u64>,
    /// The time for this move.
    pub move_time: Option<Duration>,
    /// What each side's clock shows.
    pub time: BySide<Option<Duration>>,
    /// What each side's clock gains with each move.
    pub increment: BySide<Duration>,
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Turns in which to find a win.
    pub mate: Option<u32>,
    /// Think until `stop`.
    pub infinite: bool,
    /// Think on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// The moves to choose from; all when empty.
    pub search_moves: Vec<Turn>,
}

/// The limits of a dialect, as they are listed for the user.
pub(super) fn words(dialect: Dialect) -> String {
    let own = match dialect {
        Dialect::Uci => "mate, infinite, ",
        Dialect::Gbgp => "",
    };
    format!(
        "depth, nodes, movetime, wtime, btime, winc, binc, movestogo, {own}ponder or searchmoves"
    )
}

impl Go {
    /// Reads the words after `go`.
    ///
    /// # Errors
    ///
    /// The first word that is no limit of the dialect, or has no value that it could have.
    pub fn parse(arguments: &str, dialect: Dialect) -> Result<Self, Error> {
        let is_uci = dialect == Dialect::Uci;
        let mut go = Self::default();
        let mut words = arguments.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => go.depth = Some(number(word, &mut words, 1)?),
                "nodes" => go.nodes = Some(number(word, &mut words, 1)?),
                "movetime" => go.move_time = Some(time(word, &mut words)?),
                "wtime" => go.time[Side::White] = Some(time(word, &mut words)?),
                "btime" => go.time[Side::Black] = Some(time(word, &mut words)?),
                "winc" => go.increment[Side::White] = time(word, &mut words)?,
                "binc" => go.increment[Side::Black] = time(word, &mut words)?,
                "movestogo" => go.moves_to_go = Some(number(word, &mut words, 1)?),
                "mate" if is_uci => go.mate = Some(number(word, &mut words, 1)?),
                "infinite" if is_uci => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => go.search_moves = moves(&mut words, dialect)?,
                _ => return Err(Error::argument("go", self::words(dialect), word)),
            }
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

/// The number after a word, at least `least`; one too large to hold means as much as can be.
fn number<N>(word: &str, words: &mut SplitWhitespace<'_>, least: u64) -> Result<N, Error>
where
    N: TryFrom<u64>,
{
    let text = words.next().unwrap_or_default();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = if is_number { text.parse().unwrap_or(u64::MAX) } else { 0 };
    if !is_number || value < least {
        let expected = format!("a number of at least {least}");
        return Err(Error::argument(format!("go {word}"), expected, text));
    }
    let largest = || N::try_from(u64::from(u32::MAX));
    let number = N::try_from(value).or_else(|_| largest());
    number.map_err(|_| Error::argument(format!("go {word}"), "a smaller number", text))
}

/// A time in milliseconds; one below zero, as of a clock that ran out, is none.
fn time(word: &str, words: &mut SplitWhitespace<'_>) -> Result<Duration, Error> {
    let text = words.next().unwrap_or_default();
    let milliseconds = text.parse::<i64>().map_err(|_| {
        Error::argument(format!("go {word}"), "a whole number of milliseconds", text)
    })?;
    Ok(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

/// The moves up to the first word that is none, which is left to be read.
fn moves(words: &mut SplitWhitespace<'_>, dialect: Dialect) -> Result<Vec<Turn>, Error> {
    let mut moves = Vec::new();
    loop {
        let mut ahead = words.clone();
        let text = ahead.next().unwrap_or_default();
        match text.parse::<Turn>() {
            Ok(turn) if dialect == Dialect::Gbgp || turn.moves().len() == 1 => moves.push(turn),
            _ if !moves.is_empty() => return Ok(moves),
            _ => return Err(Error::argument("go searchmoves", "moves", text)),
        }
        *words = ahead;
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = vec!["go".to_owned()];
        let mut add = |word: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("{word} {value}")));
        };
        let milliseconds = |time: Duration| time.as_millis().to_string();
        let increment = |time: Duration| (!time.is_zero()).then(|| milliseconds(time));
        add("depth", self.depth.map(|n| n.to_string()));
        add("nodes", self.nodes.map(|n| n.to_string()));
        add("movetime", self.move_time.map(milliseconds));
        add("wtime", self.time[Side::White].map(milliseconds));
        add("btime", self.time[Side::Black].map(milliseconds));
        add("winc", increment(self.increment[Side::White]));
        add("binc", increment(self.increment[Side::Black]));
        add("movestogo", self.moves_to_go.map(|n| n.to_string()));
        add("mate", self.mate.map(|n| n.to_string()));
        words.extend(self.infinite.then(|| "infinite".to_owned()));
        words.extend(self.ponder.then(|| "ponder".to_owned()));
        f.write_str(&words.join(" "))?;
        match self.search_moves.as_slice() {
            [] => Ok(()),
            turns => write!(f, " searchmoves{}", TurnLine(turns)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_goes_both_ways() {
        let text = "go depth 7 nodes 1000 movetime 50 wtime 3000 btime 2000 winc 10 binc 20 \
                    movestogo 4 mate 2 infinite ponder searchmoves d6 xd5 d6-d7";
        let parse = |text| Go::parse(text, Dialect::Uci).unwrap();
        let go = parse(text.strip_prefix("go ").unwrap());
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
        assert_eq!(go.to_string(), "go depth 3 searchmoves d6-f6xa1 b4");
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
            ("depth", "go depth: expected a number of at least 1, found nothing"),
            ("depth -3", "go depth: expected a number of at least 1, found '-3'"),
            ("movetime soon", "go movetime: expected a whole number of milliseconds"),
            ("searchmoves depth 3", "go searchmoves: expected moves, found 'depth'"),
        ] {
            let error = Go::parse(arguments, Dialect::Uci).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
