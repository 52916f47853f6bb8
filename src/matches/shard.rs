//! Parts of a match that several machines play.

use std::collections::BTreeSet;
use std::str::FromStr;

/// The maximum number of games in a match.
pub const MOST_GAMES: u64 = 1_000_000;

/// A part of a match: part I of N has the pairs I, I + N, I + 2N, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, derive_more::Display)]
#[display("{part}/{of}")]
pub struct Shard {
    /// The number of the part, from 1.
    part: u64,
    /// The number of parts.
    of: u64,
}

impl Shard {
    /// The match as a whole.
    pub const WHOLE: Self = Self { part: 1, of: 1 };

    /// Whether a pair belongs to the part.
    pub(super) const fn has_pair(self, pair: u64) -> bool {
        pair % self.of == self.part - 1
    }

    /// The games of the part that have not been played, by pairs.
    ///
    /// * `games`: the number of games in the whole match.
    pub fn missing(self, games: u64, played: &BTreeSet<u64>) -> impl Iterator<Item = Vec<u64>> {
        let pairs = (0..games.div_ceil(2)).filter(move |&pair| self.has_pair(pair));
        let missing = pairs.map(move |pair| {
            let games = (2 * pair..games).take(2);
            games.filter(|game| !played.contains(game)).collect::<Vec<_>>()
        });
        missing.filter(|games| !games.is_empty())
    }

    /// The number of games in the part.
    ///
    /// * `games`: the number of games in the whole match.
    pub fn count(self, games: u64) -> u64 {
        self.missing(games, &BTreeSet::new()).flatten().count() as u64
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_all_games_out() {
        let shards = (1..=3).map(|part| Shard { part, of: 3 });
        let none = BTreeSet::new();
        for all in [1, 5, 11, 12, 13] {
            let mut games = Vec::new();
            for shard in shards.clone() {
                let of_shard = shard.missing(all, &none).flatten().collect::<Vec<_>>();
                assert_eq!(shard.count(all), of_shard.len() as u64, "{shard} of {all}");
                games.extend(of_shard);
            }
            games.sort_unstable();
            assert_eq!(games, (0..all).collect::<Vec<_>>());
        }
        assert_eq!("2/3".parse(), Ok(Shard { part: 2, of: 3 }));
        for text in ["", "0/2", "3/2", "1", "1/0", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn played_games_are_not_played_again() {
        let played = BTreeSet::from([0, 1, 3]);
        let missing: Vec<_> = Shard::WHOLE.missing(6, &played).collect();
        assert_eq!(missing, [vec![2], vec![4, 5]]);
    }
}
