//! How much an engine may think.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use super::spec_error::SpecError;

/// The longest time that a limit has.
pub(super) const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

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
    pub turns: Option<NonZeroU32>,
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
            "movetime" => {
                let time = Duration::from_millis(positive(word, value)?);
                let expected = "milliseconds of a day at most";
                let time = Some(time).filter(|&time| time <= LONGEST);
                self.move_time = Some(time.ok_or_else(|| SpecError::new(word, expected, value))?);
            }
            "nodes" => self.nodes = Some(positive(word, value)?),
            "depth" => self.depth = Some(positive(word, value)?),
            _ => {
                let expected = "[TURNS/]SECONDS[+SECONDS], such as 10+0.1, of a day at most";
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
            Some((turns, time)) => (Some(turns.parse().ok()?), time),
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        let seconds = |text: &str| {
            let time = Duration::try_from_secs_f64(text.parse().ok()?).ok();
            time.filter(|&time| time <= LONGEST)
        };
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::matches) fn limit(text: &str) -> Limit {
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
        for (word, value) in [
            ("movetime", "0"),
            ("nodes", "-3"),
            ("movetime", "18446744073709551615"),
            ("depth", "x"),
            ("tc", "fast"),
        ] {
            let error = Limit::default().set(word, value).unwrap_err().to_string();
            assert!(error.contains(word) && error.contains(value), "{error}");
        }
        for value in ["", "0+0", "0/10", "10+", "-5", "1e99", "NaN", "1e19", "5+90000"] {
            assert!(Limit::default().set("tc", value).is_err(), "{value}");
        }
    }
}
