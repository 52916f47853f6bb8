//! How well weights predict examples that they were not fitted to.

use super::regression::Example;
use crate::score::expectation;
use crate::tablebase::Wdl;

/// What is measured on held-out examples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Metrics {
    /// How many examples there are.
    pub examples: usize,
    /// The mean log loss of the weights.
    pub log_loss: f64,
    /// The mean log loss of the best constant.
    pub constant_log_loss: f64,
    /// How often a won position gets a greater sum than a drawn one (the area under the ROC curve);
    /// `None` without both.
    pub wins_over_draws: Option<f64>,
    /// The same for a drawn position and a lost one.
    pub draws_over_losses: Option<f64>,
}

impl Metrics {
    /// Measures the sums of examples, of which there is at least one.
    pub fn of(examples: &[Example], sum: impl Fn(&Example) -> f32) -> Self {
        let count = examples.len() as f64;
        let loss = |example: &Example, expected: f64| {
            let target = f64::from(example.target);
            let expected = expected.clamp(1e-6, 1.0 - 1e-6);
            -target * libm::log(expected) - (1.0 - target) * libm::log(1.0 - expected)
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
            log_loss: total / count,
            constant_log_loss: constant / count,
            wins_over_draws: ordered_pairs(&draws, &wins),
            draws_over_losses: ordered_pairs(&losses, &draws),
        }
    }

    /// The means over several sets of examples, each of which counts the same.
    pub fn mean(all: &[Self]) -> Self {
        let over = |get: fn(&Self) -> Option<f64>| {
            let known: Vec<f64> = all.iter().filter_map(get).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        Self {
            examples: all.iter().map(|metrics| metrics.examples).sum(),
            log_loss: over(|metrics| Some(metrics.log_loss)).unwrap_or_default(),
            constant_log_loss: over(|metrics| Some(metrics.constant_log_loss)).unwrap_or_default(),
            wins_over_draws: over(|metrics| metrics.wins_over_draws),
            draws_over_losses: over(|metrics| metrics.draws_over_losses),
        }
    }
}

/// The share of pairs of a lower and an upper sum that are in order; equal sums count half.
fn ordered_pairs(lower: &[f32], upper: &[f32]) -> Option<f64> {
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
