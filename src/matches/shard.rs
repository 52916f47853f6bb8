//! Which games are to be played, and who plays which part of a match.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A part of a match: part I of N has the pairs I, I+N, I+2N, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Which part, from 1.
    part: u64,
    /// How many parts there are.
    of: u64,
}

impl Shard {
    /// The match as a whole.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    const fn has_pair(self, pair: u64) -> bool {
        pair % self.of == self.part - 1
    }

    /// The games of the part that are not yet played, by pairs; `games` is the number of games in the
    /// whole match.
    #[must_use]
    pub fn missing(self, games: u64, played: &BTreeSet<u64>) -> Vec<Vec<u64>> {
        let pairs = (0..games.div_ceil(2)).filter(|&pair| self.has_pair(pair));
        let games_of = |pair: u64| {
            let of_pair = (2 * pair..2 * pair + 2).filter(|&game| game < games);
            of_pair.filter(|game| !played.contains(game)).collect::<Vec<_>>()
        };
        pairs.map(games_of).filter(|games| !games.is_empty()).collect()
    }

    /// The number of games in the part, if the whole match has `games`.
    #[must_use]
    pub fn count(self, games: u64) -> u64 {
        self.missing(games, &BTreeSet::new()).iter().map(|pair| pair.len() as u64).sum()
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text.split_once('/').and_then(|(part, of)| {
            let (part, of) = (part.parse().ok()?, of.parse().ok()?);
            (1 <= part && part <= of).then_some(Self { part, of })
        });
        shard.ok_or_else(|| "expected I/N with I from 1 to N, such as 2/4".to_owned())
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_all_games_out() {
        let shards = (1..=3).map(|part| Shard { part, of: 3 });
        let mut games: Vec<u64> =
            shards.flat_map(|shard| shard.missing(11, &BTreeSet::new()).concat()).collect();
        games.sort_unstable();
        assert_eq!(games, (0..11).collect::<Vec<_>>());
        assert_eq!(Shard { part: 2, of: 3 }.count(11), 4);
        assert_eq!("2/3".parse(), Ok(Shard { part: 2, of: 3 }));
        for text in ["", "0/2", "3/2", "1", "1/0", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn played_games_are_not_played_again() {
        let played = BTreeSet::from([0, 1, 3]);
        assert_eq!(Shard::WHOLE.missing(6, &played), [vec![2], vec![4, 5]]);
    }
}
