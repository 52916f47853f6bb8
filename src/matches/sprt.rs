//! The sequential probability ratio test, which stops a match as soon as the result is significant.
//!
//! The test weighs a rating difference of `elo0` against `elo1`. Each hypothesis is represented by the
//! distribution of pair results that has its expected score and maximizes the likelihood of the
//! observed results.
//!
//! See: Abraham Wald, "Sequential Tests of Statistical Hypotheses", 1945; Michel Van den Bergh, "The
//! Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution", 2019.

use serde::Serialize;

use super::tally::expected_share;
use crate::Error;

/// The count assumed for pair results that have not occurred, so that no ratio is infinite.
const UNSEEN: f64 = 1e-3;
/// The largest rating difference that can be tested.
const MAX_ELO: f64 = 2000.0;
/// The number of bisection steps.
const HALVINGS: u32 = 100;

/// The hypotheses and error probabilities of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, derive_more::Display)]
#[display("elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}")]
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
        for word in words.iter().map(W::as_ref) {
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
        if sprt.elo0 >= sprt.elo1 {
            return Err(Error::refused("sprt: elo0 must be less than elo1"));
        }
        let Self { alpha, beta, .. } = sprt;
        if alpha.min(beta) <= 0.0 || alpha.max(beta) >= 0.5 {
            let chances = format!("alpha {alpha} and beta {beta}");
            return Err(Error::refused(format!("sprt: {chances} must be between 0 and 0.5")));
        }
        Ok(sprt)
    }

    /// The state of the test, given the numbers of pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub fn state(&self, pentanomial: &[u64; 5]) -> SprtState {
        let Self { elo0, elo1, alpha, beta } = *self;
        let counts = pentanomial.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let [first, second] = [elo0, elo1].map(|elo| tilt(&counts, expected_share(elo)));
        let has_pairs = pentanomial.iter().any(|&count| count > 0);
        let ratio = |at: usize| counts[at] * libm::log(first[at] / second[at]);
        let log_likelihood_ratio = if has_pairs { (0..5).map(ratio).sum() } else { 0.0 };
        let (lower, upper) = (libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha));
        let accepted = match log_likelihood_ratio {
            ratio if ratio <= lower => Some("elo0"),
            ratio if ratio >= upper => Some("elo1"),
            _ => None,
        };
        SprtState { test: *self, log_likelihood_ratio, lower, upper, accepted }
    }
}

/// The divisors `1 + x (score - expected)` that turn the observed frequencies into the most likely
/// distribution with the expected score.
///
/// `x` is the only root of a decreasing function between two poles.
fn tilt(counts: &[f64; 5], expected: f64) -> [f64; 5] {
    let distances: [f64; 5] = std::array::from_fn(|at| at as f64 / 4.0 - expected);
    let (mut low, mut high) = (-1.0 / distances[4], -1.0 / distances[0]);
    for _ in 0..HALVINGS {
        let x = f64::midpoint(low, high);
        let terms = counts.iter().zip(distances);
        let slope: f64 =
            terms.map(|(count, distance)| count * distance / (1.0 + x * distance)).sum();
        if slope > 0.0 { low = x } else { high = x }
    }
    distances.map(|distance| 1.0 + f64::midpoint(low, high) * distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The bounds that the Stockfish testing framework prints for these error probabilities.
    #[test]
    fn bounds_are_those_of_wald() {
        let SprtState { lower, upper, .. } = sprt(0.0, 2.0).state(&[0; 5]);
        assert_eq!((format!("{lower:.2}"), format!("{upper:.2}")), ("-2.94".into(), "2.94".into()));
    }

    #[test]
    fn results_between_the_hypotheses_favour_neither() {
        let ratio = sprt(-5.0, 5.0).state(&[10, 60, 200, 60, 10]).log_likelihood_ratio;
        assert!(ratio.abs() < 1e-9, "{ratio}");
        assert!(sprt(0.0, 5.0).state(&[0; 5]).log_likelihood_ratio.abs() < 1e-9);
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
        let ratio = sprt(0.0, 100.0).state(&[40, 0, 0, 0, 60]).log_likelihood_ratio;
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
        let exact = sprt(0.0, 5.0).state(&counts).log_likelihood_ratio;
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
