//! The score of a match, the Elo difference and its error bars.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;

use serde::{Serialize, Serializer};
use serde_json::json;

use super::{EngineErrorKind, LogEntry};
use crate::records::GameResult;

/// The 97.5 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// The results of games from the first engine's point of view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games won by the first engine.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by the second engine.
    pub losses: u64,
    /// Pairs in which the first engine scored 0, 1/2, 1, 3/2 and 2 points.
    pub pentanomial: [u64; 5],
    /// Games won by White.
    pub white_wins: u64,
    /// The plies of all games.
    pub plies: u64,
    /// The number of games that each engine forfeited, by kind of error.
    pub forfeits: [BTreeMap<EngineErrorKind, u64>; 2],
    /// Twice the points of each pair with only one game so far.
    half_pairs: BTreeMap<u64, usize>,
}

impl Tally {
    /// The tally of games, which must have different numbers.
    pub fn of<'a>(games: impl IntoIterator<Item = &'a LogEntry>) -> Self {
        let mut tally = Self::default();
        games.into_iter().for_each(|game| tally.add(game));
        tally
    }

    /// Adds a game.
    pub fn add(&mut self, game: &LogEntry) {
        let half_points = game.half_points();
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
        self.white_wins += u64::from(game.result == GameResult::WhiteWins);
        self.plies += game.moves.split_whitespace().count() as u64;
        if let Some(forfeit) = &game.forfeit {
            *self.forfeits[forfeit.engine].entry(forfeit.error.kind).or_default() += 1;
        }
        if let Some(other) = self.half_pairs.remove(&game.pair()) {
            self.pentanomial[half_points + other] += 1;
        } else {
            self.half_pairs.insert(game.pair(), half_points);
        }
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The number of complete pairs.
    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// The first engine's points.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The first engine's score, 0 to 1; `None` without games.
    pub fn share(&self) -> Option<f64> {
        self.share_of(self.points())
    }

    /// White's score, 0 to 1; `None` without games.
    pub fn white_share(&self) -> Option<f64> {
        self.share_of(self.white_wins as f64 + self.draws as f64 / 2.0)
    }

    /// The draw rate, 0 to 1; `None` without games.
    pub fn draw_share(&self) -> Option<f64> {
        self.share_of(self.draws as f64)
    }

    /// The average length of a game in plies; `None` without games.
    pub fn average_plies(&self) -> Option<f64> {
        self.share_of(self.plies as f64)
    }

    fn share_of(&self, part: f64) -> Option<f64> {
        (self.games() > 0).then(|| part / self.games() as f64)
    }

    /// The mean over complete pairs of a function of the pair's score, 0 to 1; `None` without pairs.
    fn mean_of_pairs(&self, value: impl Fn(f64) -> f64) -> Option<f64> {
        let part = |(halves, count)| value(f64::from(halves) / 4.0) * count as f64;
        let sum: f64 = (0_u32..).zip(self.pentanomial).map(part).sum();
        (self.pairs() > 0).then(|| sum / self.pairs() as f64)
    }

    /// The variance of the score of a pair, 0 to 1.
    ///
    /// The two games of a pair share an opening and are not independent, so pairs are counted, not games.
    ///
    /// See: Michel Van den Bergh, "Comments on Normalized Elo", 2020.
    pub fn pair_variance(&self) -> Option<f64> {
        let mean = self.mean_of_pairs(|share| share)?;
        self.mean_of_pairs(|share| (share - mean).powi(2))
    }

    /// The Elo difference; infinite if one engine has won every game.
    pub fn elo(&self) -> Option<f64> {
        self.share().map(elo)
    }

    /// The standard error of the mean pair score; `None` unless pairs differ.
    fn pair_error(&self) -> Option<f64> {
        let variance = self.pair_variance().filter(|&variance| variance > 0.0)?;
        Some((variance / self.pairs() as f64).sqrt())
    }

    /// The 95 % confidence interval of the Elo difference, whose ends may be infinite; `None` unless
    /// complete pairs differ.
    pub fn elo_range(&self) -> Option<(f64, f64)> {
        let error = self.pair_error()? * QUANTILE;
        let share = self.share()?;
        Some((elo(share - error), elo(share + error)))
    }

    /// Half the width of the confidence interval.
    pub fn elo_error(&self) -> Option<f64> {
        self.elo_range().map(|(low, high)| (high - low) / 2.0)
    }

    /// The probability that the first engine is the stronger one, computed from pairs or, unless pairs
    /// differ, from decided games; `None` without decided games.
    ///
    /// See: Michel Van den Bergh, "Comments on Normalized Elo", 2020, for pairs; Chess Programming Wiki,
    /// "Match Statistics", for games.
    pub fn likelihood_of_superiority(&self) -> Option<f64> {
        let (wins, losses) = (self.wins as f64, self.losses as f64);
        let deviations = match self.mean_of_pairs(|share| share - 0.5).zip(self.pair_error()) {
            Some((lead, error)) => lead / error,
            _ if wins + losses > 0.0 => (wins - losses) / (wins + losses).sqrt(),
            _ => return None,
        };
        Some(0.5 * (1.0 + libm::erf(deviations / SQRT_2)))
    }
}

impl Serialize for Tally {
    /// Writes unknown and infinite values as null.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({
            "games": self.games(),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "points": self.points(),
            "share": self.share(),
            "elo": self.elo(),
            "elo_error": self.elo_error(),
            "likelihood_of_superiority": self.likelihood_of_superiority(),
            "pentanomial": self.pentanomial,
            "draw_share": self.draw_share(),
            "white_share": self.white_share(),
            "average_plies": self.average_plies(),
            "faults": self.forfeits,
        })
        .serialize(serializer)
    }
}

/// The Elo difference for a score, clamped to 0 to 1.
///
/// See: Arpad Elo, "The Rating of Chessplayers, Past and Present", 1978.
fn elo(share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    400.0 * libm::log10(share / (1.0 - share))
}

/// The expected score for an Elo difference.
pub(super) fn expected_share(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses, ..Tally::default() }
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} {expected}");
    }

    /// The rows come from the Chess Programming Wiki, "Match Statistics" and "Pawn Advantage, Win
    /// Percentage, and Elo", rounded to whole numbers.
    #[test]
    fn ratings_go_with_shares_as_published_tables_say() {
        for (percent, rating) in
            [(50, 0), (55, 35), (60, 70), (64, 100), (76, 200), (75, 191), (91, 402)]
        {
            near(elo(f64::from(percent) / 100.0), f64::from(rating), 0.6);
            near(expected_share(f64::from(rating)), f64::from(percent) / 100.0, 0.002);
        }
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// The likelihoods come from tables of the normal distribution: a lead of 5 in 25 decided games is one
    /// standard deviation.
    #[test]
    fn likelihood_of_superiority_is_that_of_the_normal_distribution() {
        for (wins, losses, expected) in
            [(15, 10, 0.8413), (5, 15, 0.0127), (20, 5, 0.9987), (8, 8, 0.5)]
        {
            let likelihood = tally(wins, 40, losses).likelihood_of_superiority();
            near(likelihood.unwrap(), expected, 0.0001);
        }
        assert_eq!(tally(0, 9, 0).likelihood_of_superiority(), None);
    }

    /// In 90 pairs of 100 both engines won once: a mean of 0.55, a variance of 0.0225 and so a lead of
    /// 10/3 standard deviations, though 20 of 200 games are only two.
    #[test]
    fn the_likelihood_comes_from_pairs_as_the_error_does() {
        let mut tally = tally(110, 0, 90);
        tally.pentanomial = [0, 0, 90, 0, 10];
        near(tally.likelihood_of_superiority().unwrap(), 0.99957, 1e-5);
        assert!(tally.elo_range().unwrap().0 > 0.0);
        tally.pentanomial = [10, 0, 90, 0, 0];
        near(tally.likelihood_of_superiority().unwrap(), 0.00043, 1e-5);
    }

    #[test]
    fn the_error_comes_from_pairs() {
        // Shares 0, 1/4, 1/2, 3/4 and 1 of pairs: mean 1/2, squares 1/4, 1/16, 0, 1/16 and 1/4.
        let mut even = tally(10, 0, 10);
        even.pentanomial = [2, 2, 2, 2, 2];
        near(even.pair_variance().unwrap(), 0.125, 1e-12);
        let error = 1.959_964 * (0.125_f64 / 10.0).sqrt();
        near(even.elo_range().unwrap().1, elo(0.5 + error), 1e-3);
        // Pairs that are all alike have no variance to estimate an error from.
        let mut same = tally(10, 0, 10);
        same.pentanomial = [0, 0, 10, 0, 0];
        assert_eq!(same.elo_error(), None);
        assert_eq!(tally(1, 0, 0).elo_range(), None);
    }
}
