//! Sets of weights: the features of a position, fitting to examples, measuring on others, rounding for the file.
//!
//! A set is fitted by logistic regression, one example at a time. Each weight has its own learning rate,
//! which falls with the gradients it has seen.
//!
//! See: John Duchi, Elad Hazan and Yoram Singer, "Adaptive Subgradient Methods for Online Learning
//! and Stochastic Optimization", 2011.

use bytemuck::Zeroable;

use crate::board::SquareSet;
use crate::evaluate::{CLASSES, LOSSES, PATTERNS, Patterns, SCALE_BITS, Set};
use crate::score::{Score, expectation};
use crate::tablebase::Wdl;

/// The number of weights in a set: of the classes of patterns, then constants.
const WEIGHTS: usize = CLASSES + LOSSES;

/// The number of features of a position: its patterns and a constant.
const FEATURES: usize = PATTERNS + 1;

/// The learning rate before the first example.
const RATE: f32 = 0.05;
/// The weight decay each time a weight is used.
const DECAY: f32 = 1e-6;
/// The number of passes over the examples.
const PASSES: usize = 6;
/// The initial sum of squared gradients of each weight.
const FIRST_SQUARES: f32 = 1e-2;

/// The numbers of the weights that a position adds up.
pub type Features = [u16; FEATURES];

/// A position to fit weights to, for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The features of the position.
    pub features: Features,
    /// The expected score, from 0 for a loss to 1 for a win.
    pub target: f32,
    /// The result with perfect play.
    pub wdl: Wdl,
}

/// Returns the features of a position, given its constant from 0 to [`LOSSES`] - 1.
pub fn features(own: SquareSet, opponent: SquareSet, constant: usize) -> Features {
    let patterns = Patterns::of(own, opponent).numbered();
    let [inner, middle, outer, s0, s1, s2, s3, c0, c1, c2, c3] = patterns;
    [inner, outer, middle, s0, s1, s2, s3, c0, c1, c2, c3, (CLASSES + constant) as u16]
}

/// Returns the sum of the weights of features: the log-odds of the side to move.
pub fn sum(weights: &[f32], features: &Features) -> f32 {
    features.iter().map(|&feature| weights[usize::from(feature)]).sum()
}

/// Fits a set of weights to examples, which should be in random order.
pub fn fit(examples: &[Example]) -> Vec<f32> {
    let mut weights = vec![0_f32; WEIGHTS];
    let mut squares = vec![FIRST_SQUARES; WEIGHTS];
    for _ in 0..PASSES {
        for example in examples {
            let error = expectation(sum(&weights, &example.features)) - example.target;
            for feature in example.features.map(usize::from) {
                let gradient = error + DECAY * weights[feature];
                squares[feature] += gradient * gradient;
                weights[feature] -= RATE * gradient / squares[feature].sqrt();
            }
        }
    }
    weights
}

/// Rounds a set of weights to the integers of the evaluation, the largest to the largest one.
pub fn quantise(weights: &[f32]) -> Set {
    let (patterns, constants) = weights.split_at(CLASSES);
    let largest = patterns.iter().fold(1e-6_f32, |largest, weight| largest.max(weight.abs()));
    let unit = largest / f32::from(i8::MAX);
    let man = f32::from(Score::MAN);
    let fixed = man * (1_u32 << SCALE_BITS) as f32;
    let mut set = Set::zeroed();
    set.scale = ((unit * fixed).round() as i16).to_le();
    for (rounded, weight) in set.constants.iter_mut().zip(constants) {
        *rounded = ((weight * man).round() as i16).to_le();
    }
    let kinds = [&mut set.rings[..], &mut set.middle, &mut set.spokes, &mut set.corners];
    for (rounded, weight) in kinds.into_iter().flatten().zip(patterns) {
        *rounded = (weight / unit).round() as i8;
    }
    set
}

/// How well weights predict held-out examples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Metrics {
    /// The number of examples.
    pub examples: usize,
    /// The mean log loss of the weights.
    pub log_loss: f64,
    /// The mean log loss of the best constant.
    pub constant_log_loss: f64,
    /// How often a won position gets a greater sum than a drawn one (the area under the ROC curve);
    /// `None` without both.
    pub wins_over_draws: Option<f64>,
    /// How often a drawn position gets a greater sum than a lost one; `None` without both.
    pub draws_over_losses: Option<f64>,
}

impl Metrics {
    /// Measures the sums of at least one example.
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
        let sums =
            |wdl: Wdl| -> Vec<f32> { examples.iter().filter(|e| e.wdl == wdl).map(&sum).collect() };
        let (losses, draws, wins) = (sums(Wdl::Loss), sums(Wdl::Draw), sums(Wdl::Win));
        Self {
            examples: examples.len(),
            log_loss: total / count,
            constant_log_loss: constant / count,
            wins_over_draws: ordered_pairs(&draws, &wins),
            draws_over_losses: ordered_pairs(&losses, &draws),
        }
    }
}

/// Returns the share of pairs of a lower and an upper sum that are in order; equal sums count half.
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
