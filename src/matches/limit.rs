//! How much an engine may think, and the clocks that watch it.

use std::fmt;
use std::time::Duration;

use super::spec::SpecError;
use crate::board::{BySide, Side};
use crate::protocol::Go;

/// The limits of one engine; those that are given all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// The time for each move.
    pub move_time: Option<Duration>,
    /// The positions for each move.
    pub nodes: Option<u64>,
    /// The depth of each search.
    pub depth: Option<u32>,
    /// The time for a game or a part of it.
    pub clock: Option<ClockRule>,
}

/// The time for a game or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockRule {
    /// After so many turns the base time is added again; never if none.
    pub turns: Option<u32>,
    /// The time at the start.
    pub base: Duration,
    /// What each turn adds.
    pub increment: Duration,
}

impl Limit {
    /// The words that set a limit.
    pub(super) const WORDS: [&str; 4] = ["movetime", "nodes", "depth", "tc"];

    /// Sets the limit that a word names.
    ///
    /// # Errors
    ///
    /// When the value is no limit; nothing is changed.
    pub(super) fn set(&mut self, word: &str, value: &str) -> Result<(), SpecError> {
        match word {
            "movetime" => self.move_time = Some(Duration::from_millis(positive(word, value)?)),
            "nodes" => self.nodes = Some(positive(word, value)?),
            "depth" => self.depth = Some(positive(word, value)?),
            _ => {
                let expected = "[TURNS/]SECONDS[+SECONDS], such as 10+0.1";
                let clock = ClockRule::parse(value);
                self.clock = Some(clock.ok_or_else(|| SpecError::new(word, expected, value))?);
            }
        }
        Ok(())
    }

    /// Whether there is any limit.
    pub(super) fn is_given(&self) -> bool {
        *self != Self::default()
    }

    /// The limits, with those of another where there are none.
    pub(super) fn or(self, other: &Self) -> Self {
        if self.is_given() { self } else { other.clone() }
    }
}

/// A number above zero.
pub(super) fn positive<N: std::str::FromStr + PartialOrd + Default>(
    word: &str,
    value: &str,
) -> Result<N, SpecError> {
    let number = value.parse().ok().filter(|number| *number > N::default());
    number.ok_or_else(|| SpecError::new(word, "a whole number above 0", value))
}

impl ClockRule {
    fn parse(text: &str) -> Option<Self> {
        let (turns, time) = match text.split_once('/') {
            Some((turns, time)) => (Some(turns.parse().ok().filter(|&turns| turns > 0)?), time),
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
        let (base, increment) = (seconds(base)?, seconds(increment)?);
        (!base.is_zero() || !increment.is_zero()).then_some(Self { turns, base, increment })
    }
}

impl fmt::Display for Limit {
    /// Writes the limits as they are set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.move_time.map(|time| format!("movetime={}", time.as_millis())));
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.depth.map(|depth| format!("depth={depth}")));
        words.extend(self.clock.map(|clock| format!("tc={clock}")));
        f.write_str(&words.join(" "))
    }
}

impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(turns) = self.turns {
            write!(f, "{turns}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// The clock of a side in one game.
#[derive(Clone, Debug)]
pub(super) struct GameClock {
    limit: Limit,
    left: Duration,
    turns: u32,
}

impl GameClock {
    pub(super) fn new(limit: &Limit) -> Self {
        let left = limit.clock.map_or(Duration::ZERO, |clock| clock.base);
        let mut clock = Self { limit: limit.clone(), left, turns: 0 };
        clock.gain_increment();
        clock
    }

    /// The time until the next answer has to be there, if it matters.
    pub(super) fn remaining(&self) -> Option<Duration> {
        let clock = self.limit.clock.map(|_| self.left);
        [clock, self.limit.move_time].into_iter().flatten().min()
    }

    /// Takes the time of an answer off; `ends_turn` tells whether the other side moves next.
    pub(super) fn spend(&mut self, time: Duration, ends_turn: bool) {
        self.left = self.left.saturating_sub(time);
        let Some(rule) = self.limit.clock else { return };
        if ends_turn {
            self.turns += 1;
            if rule.turns.is_some_and(|turns| self.turns.is_multiple_of(turns)) {
                self.left += rule.base;
            }
            self.gain_increment();
        }
    }

    fn gain_increment(&mut self) {
        self.left += self.limit.clock.map_or(Duration::ZERO, |clock| clock.increment);
    }

    fn turns_to_go(&self) -> Option<u32> {
        let turns = self.limit.clock?.turns?;
        Some(turns - self.turns % turns)
    }
}

/// What is asked of the side to move.
pub(super) fn go(clocks: &BySide<GameClock>, to_move: Side) -> Go {
    let own = &clocks[to_move];
    let mut go = Go {
        depth: own.limit.depth,
        nodes: own.limit.nodes,
        move_time: own.limit.move_time,
        ..Go::default()
    };
    if own.limit.clock.is_some() {
        for side in Side::ALL {
            let rule = clocks[side].limit.clock;
            go.time[side] = rule.map(|_| clocks[side].left);
            go.increment[side] = rule.map_or(Duration::ZERO, |rule| rule.increment);
        }
        go.moves_to_go = own.turns_to_go();
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(text: &str) -> Limit {
        let mut limit = Limit::default();
        for word in text.split(' ') {
            let (name, value) = word.split_once('=').unwrap();
            limit.set(name, value).unwrap();
        }
        limit
    }

    #[test]
    fn limits_are_written_as_they_are_read() {
        for text in ["movetime=100", "nodes=5000 depth=3", "tc=10+0.1", "tc=40/10+0.5"] {
            assert_eq!(limit(text).to_string(), text);
        }
        assert_eq!(limit("tc=60").to_string(), "tc=60+0");
    }

    #[test]
    fn what_is_no_limit_is_named() {
        for (word, value) in [("movetime", "0"), ("nodes", "-3"), ("depth", "x"), ("tc", "fast")] {
            let error = Limit::default().set(word, value).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains(value), "{error}");
        }
        for value in ["", "0+0", "0/10", "10+", "-5", "1e99", "NaN"] {
            assert!(Limit::default().set("tc", value).is_err(), "{value}");
        }
    }

    #[test]
    fn clocks_gain_with_turns_and_not_with_removals() {
        let mut clock = GameClock::new(&limit("tc=2/10+1"));
        let seconds = Duration::from_secs;
        assert_eq!(clock.remaining(), Some(seconds(11)));
        clock.spend(seconds(3), false);
        assert_eq!(clock.remaining(), Some(seconds(8)));
        clock.spend(seconds(1), true);
        assert_eq!((clock.remaining(), clock.turns_to_go()), (Some(seconds(8)), Some(1)));
        clock.spend(seconds(2), true);
        assert_eq!((clock.remaining(), clock.turns_to_go()), (Some(seconds(17)), Some(2)));
    }

    #[test]
    fn an_engine_is_told_its_own_limits_and_both_clocks() {
        let clocks = BySide([limit("tc=10+0.1"), limit("nodes=500")].map(|l| GameClock::new(&l)));
        assert_eq!(go(&clocks, Side::White).to_string(), "go wtime 10100 winc 100");
        assert_eq!(go(&clocks, Side::Black).to_string(), "go nodes 500");
        assert_eq!(clocks[Side::Black].remaining(), None);
    }
}
