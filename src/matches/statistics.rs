//! The statistics of a match: score, Elo and error bars, and the sequential probability ratio test, which
//! stops a match as soon as the result is significant.
//!
//! The test weighs a rating difference of `elo0` against `elo1`. Each hypothesis is represented by the
//! distribution of pair results that has its expected score and maximizes the likelihood of the
//! observed results.
//!
//! See: Abraham Wald, "Sequential Tests of Statistical Hypotheses", 1945; Michel Van den Bergh, "The
//! Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution", 2019.

use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::json;

use super::log::{EngineErrorKind, LogEntry};
use crate::Error;
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
        let each = (0_u32..).zip(self.pentanomial);
        let sum: f64 =
            each.map(|(halves, count)| value(f64::from(halves) / 4.0) * count as f64).sum();
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
fn expected_share(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// The count assumed for pair results that have not occurred, so that no ratio is infinite.
const UNSEEN: f64 = 1e-3;
/// The largest rating difference that can be tested.
const MAX_ELO: f64 = 2000.0;
/// The number of bisection steps.
const HALVINGS: u32 = 100;

/// The hypotheses and error probabilities of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    /// The rating difference of the null hypothesis.
    pub elo0: f64,
    /// The rating difference of the alternative hypothesis, larger than `elo0`.
    pub elo1: f64,
    /// The probability of accepting `elo1` if `elo0` is true, above 0 and below 1/2.
    #[serde(skip)]
    pub alpha: f64,
    /// The probability of accepting `elo0` if `elo1` is true, above 0 and below 1/2.
    #[serde(skip)]
    pub beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The log-likelihood ratio; positive if `elo1` is more likely.
    pub log_likelihood_ratio: f64,
    /// `elo0` is accepted at this ratio or below.
    pub lower: f64,
    /// `elo1` is accepted at this ratio or above.
    pub upper: f64,
    /// The accepted hypothesis, `elo0` or `elo1`, if there is one.
    pub accepted: Option<&'static str>,
}

impl Sprt {
    /// Reads words such as `elo0=0` and `beta=0.05`.
    ///
    /// # Errors
    ///
    /// The first unknown word or invalid value, or values that do not form a test.
    pub fn parse<W: AsRef<str>>(words: &[W]) -> Result<Self, Error> {
        let mut sprt = Self { elo0: 0.0, elo1: 0.0, alpha: 0.05, beta: 0.05 };
        for word in words {
            let word = word.as_ref();
            let unknown = || Error::argument("sprt", "elo0=, elo1=, alpha= or beta=", word);
            let (key, value) = word.split_once('=').ok_or_else(unknown)?;
            let field = match key {
                "elo0" => &mut sprt.elo0,
                "elo1" => &mut sprt.elo1,
                "alpha" => &mut sprt.alpha,
                "beta" => &mut sprt.beta,
                _ => return Err(unknown()),
            };
            let expected = || format!("a number from -{MAX_ELO} to {MAX_ELO}");
            let number = value.parse().ok().filter(|number: &f64| number.abs() <= MAX_ELO);
            *field = number.ok_or_else(|| Error::argument(key, expected(), value))?;
        }
        let is_chance = |chance: f64| chance > 0.0 && chance < 0.5;
        if sprt.elo0 >= sprt.elo1 {
            return Err(Error::refused("sprt: elo0 must be less than elo1"));
        }
        let Self { alpha, beta, .. } = sprt;
        if !is_chance(alpha) || !is_chance(beta) {
            let chances = format!("alpha {alpha} and beta {beta}");
            return Err(Error::refused(format!("sprt: {chances} must be between 0 and 0.5")));
        }
        Ok(sprt)
    }

    /// The log-likelihood ratio, given the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points.
    fn log_likelihood_ratio(&self, pentanomial: &[u64; 5]) -> f64 {
        if pentanomial.iter().sum::<u64>() == 0 {
            return 0.0;
        }
        let counts = pentanomial.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [first, second] = [self.elo0, self.elo1].map(|elo| tilt(&counts, expected_share(elo)));
        (0..5).map(|at| counts[at] * libm::log(first[at] / second[at])).sum()
    }

    /// The bounds at which `elo0` and `elo1` are accepted.
    fn bounds(&self) -> (f64, f64) {
        let Self { alpha, beta, .. } = *self;
        (libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha))
    }

    /// The state of the test, given the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub fn state(&self, pentanomial: &[u64; 5]) -> SprtState {
        let log_likelihood_ratio = self.log_likelihood_ratio(pentanomial);
        let (lower, upper) = self.bounds();
        let accepted = match log_likelihood_ratio {
            ratio if ratio <= lower => Some("elo0"),
            ratio if ratio >= upper => Some("elo1"),
            _ => None,
        };
        SprtState { test: *self, log_likelihood_ratio, lower, upper, accepted }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}")
    }
}

/// The divisors `1 + x (score - expected)` that turn the observed frequencies into the most likely
/// distribution with the expected score.
///
/// `x` is the only root of a decreasing function between two poles.
fn tilt(counts: &[f64; 5], expected: f64) -> [f64; 5] {
    let distances: [f64; 5] = std::array::from_fn(|at| at as f64 / 4.0 - expected);
    let slope = |x: f64| -> f64 {
        let terms = counts.iter().zip(distances);
        terms.map(|(count, distance)| count * distance / (1.0 + x * distance)).sum()
    };
    let (mut low, mut high) = (-1.0 / distances[4], -1.0 / distances[0]);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    distances.map(|distance| 1.0 + f64::midpoint(low, high) * distance)
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

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The bounds that the Stockfish testing framework prints for these error probabilities.
    #[test]
    fn bounds_are_those_of_wald() {
        let (low, high) = sprt(0.0, 2.0).bounds();
        assert_eq!((format!("{low:.2}"), format!("{high:.2}")), ("-2.94".into(), "2.94".into()));
    }

    #[test]
    fn results_between_the_hypotheses_favour_neither() {
        let ratio = sprt(-5.0, 5.0).log_likelihood_ratio(&[10, 60, 200, 60, 10]);
        assert!(ratio.abs() < 1e-9, "{ratio}");
        assert!(sprt(0.0, 5.0).log_likelihood_ratio(&[0; 5]).abs() < 1e-9);
    }

    /// Besides its form, two conditions determine the most likely distribution: its sum and its mean.
    #[test]
    fn each_hypothesis_has_a_distribution_with_its_share() {
        let counts = [3.0, 40.0, 100.0, 55.0, UNSEEN];
        let pairs: f64 = counts.iter().sum();
        for expected in [0.2, 0.5, 0.514, 0.9] {
            let tilts = tilt(&counts, expected);
            let chances: Vec<f64> = (0..5).map(|at| counts[at] / pairs / tilts[at]).collect();
            let mean: f64 = (0..5).map(|at| chances[at] * at as f64 / 4.0).sum();
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{chances:?}");
            assert!((mean - expected).abs() < 1e-9, "{mean} {expected}");
        }
    }

    /// If one side wins both games of each pair, this is Wald's test of a probability, with the ratio
    /// `w ln(p1 / p0) + l ln((1 - p1) / (1 - p0))`.
    #[test]
    fn two_kinds_of_results_are_compared_as_by_wald() {
        let ratio = sprt(0.0, 100.0).log_likelihood_ratio(&[40, 0, 0, 0, 60]);
        let p1 = expected_share(100.0);
        let expected = 60.0 * (p1 / 0.5).ln() + 40.0 * ((1.0 - p1) / 0.5).ln();
        assert!((ratio - expected).abs() < 0.01, "{ratio} {expected}");
    }

    /// For hypotheses near each other, normal distributions have almost the same ratio; Van den Bergh gives
    /// it as the first approximation: `N (s1 - s0) (2 s - s0 - s1) / (2 variance)`.
    #[test]
    fn near_hypotheses_are_compared_as_normal_distributions() {
        let counts = [100, 900, 2000, 1100, 120];
        let pairs: f64 = 4220.0;
        let share = (900.0 / 4.0 + 2000.0 / 2.0 + 1100.0 * 0.75 + 120.0) / pairs;
        let squares = 100.0 * share * share
            + 900.0 * (0.25_f64 - share).powi(2)
            + 2000.0 * (0.5_f64 - share).powi(2)
            + 1100.0 * (0.75_f64 - share).powi(2)
            + 120.0 * (1.0_f64 - share).powi(2);
        let (s0, s1) = (expected_share(0.0), expected_share(5.0));
        let normal = pairs * (s1 - s0) * (2.0 * share - s0 - s1) / (2.0 * squares / pairs);
        let exact = sprt(0.0, 5.0).log_likelihood_ratio(&counts);
        assert!((exact - normal).abs() < 0.03 * normal.abs(), "{exact} {normal}");
    }

    #[test]
    fn a_clear_lead_decides() {
        let accepted = |pairs| sprt(0.0, 50.0).state(pairs).accepted;
        assert_eq!(accepted(&[0, 5, 20, 40, 30]), Some("elo1"));
        assert_eq!(accepted(&[30, 40, 20, 5, 0]), Some("elo0"));
        assert_eq!(accepted(&[1, 1, 1, 1, 1]), None);
    }

    #[test]
    fn words_make_a_test() {
        let words = ["elo0=0", "elo1=10", "alpha=0.1"];
        assert_eq!(Sprt::parse(&words).unwrap().to_string(), "elo0=0 elo1=10 alpha=0.1 beta=0.05");
        for (words, message) in [
            (vec!["elo0=5", "elo1=1"], "elo0 must be less than elo1"),
            (vec!["elo1=5", "alpha=1"], "must be between 0 and 0.5"),
            (vec!["elo1=many"], "elo1: expected a number from -2000 to 2000, found 'many'"),
            (vec!["elo1=100000"], "elo1: expected a number from -2000 to 2000"),
            (vec!["elo2=1"], "sprt: expected elo0=, elo1="),
        ] {
            let error = Sprt::parse(&words).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
