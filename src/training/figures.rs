//! How well weights explain examples kept apart.

use std::fmt;

use super::example::{Example, expectation};
use crate::tablebase::Wdl;

/// What is measured on examples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// How many there are.
    pub examples: usize,
    /// The log loss of the weights.
    pub loss: f64,
    /// The log loss of the best constant.
    pub constant_loss: f64,
    /// How often a won position has the greater sum than a drawn one, if there are both.
    pub wins_from_draws: Option<f64>,
    /// The same of a drawn position and a lost one.
    pub draws_from_losses: Option<f64>,
}

impl Figures {
    /// What stands above the columns of figures.
    pub const HEADINGS: &str = " apart  log loss  constant  win>draw  draw>loss";

    /// Measures the sums that examples are given.
    #[must_use]
    pub fn of(examples: &[Example], sum: impl Fn(&Example) -> f32) -> Self {
        let count = examples.len() as f64;
        let loss = |example: &Example, share: f64| {
            let target = f64::from(example.target);
            let share = share.clamp(1e-6, 1.0 - 1e-6);
            -target * share.ln() - (1.0 - target) * (1.0 - share).ln()
        };
        let mean = examples.iter().map(|example| f64::from(example.target)).sum::<f64>() / count;
        let total: f64 = examples.iter().map(|e| loss(e, f64::from(expectation(sum(e))))).sum();
        let constant: f64 = examples.iter().map(|example| loss(example, mean)).sum();
        let sums = |wdl: Wdl| -> Vec<f32> {
            examples.iter().filter(|e| e.wdl == Some(wdl)).map(&sum).collect()
        };
        let (losses, draws, wins) = (sums(Wdl::Loss), sums(Wdl::Draw), sums(Wdl::Win));
        Self {
            examples: examples.len(),
            loss: total / count,
            constant_loss: constant / count,
            wins_from_draws: told_apart(&draws, &wins),
            draws_from_losses: told_apart(&losses, &draws),
        }
    }
}

impl Figures {
    /// The figures of several sets of examples together, each of which counts the same.
    #[must_use]
    pub fn mean(all: &[Self]) -> Self {
        let over = |get: fn(&Self) -> Option<f64>| {
            let known: Vec<f64> = all.iter().filter_map(get).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        Self {
            examples: all.iter().map(|figures| figures.examples).sum(),
            loss: over(|figures| Some(figures.loss)).unwrap_or_default(),
            constant_loss: over(|figures| Some(figures.constant_loss)).unwrap_or_default(),
            wins_from_draws: over(|figures| figures.wins_from_draws),
            draws_from_losses: over(|figures| figures.draws_from_losses),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: Option<f64>| match share {
            Some(share) => format!("{:.1} %", 100.0 * share),
            None => "-".to_owned(),
        };
        write!(f, "{:>6}  {:>8.4}  {:>8.4}", self.examples, self.loss, self.constant_loss)?;
        let [wins, losses] = [self.wins_from_draws, self.draws_from_losses].map(percent);
        write!(f, "  {wins:>8}  {losses:>9}")
    }
}

/// How many pairs are in order; equal sums count half.
fn told_apart(lower: &[f32], upper: &[f32]) -> Option<f64> {
    let below = lower.iter().map(|&sum| (sum, false));
    let mut all: Vec<(f32, bool)> = below.chain(upper.iter().map(|&sum| (sum, true))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut seen, mut ordered) = (0.0, 0.0);
    for equal in all.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let uppers = equal.iter().filter(|(_, is_upper)| *is_upper).count() as f64;
        let lowers = equal.len() as f64 - uppers;
        ordered += uppers * (seen + lowers / 2.0);
        seen += lowers;
    }
    let pairs = lower.len() as f64 * upper.len() as f64;
    (pairs > 0.0).then(|| ordered / pairs)
}
