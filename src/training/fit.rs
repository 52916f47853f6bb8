//! Weights that explain examples: logistic regression, one example at a time.
//!
//! Each weight has a rate of its own that falls with what it has learned.
//!
//! See: John Duchi, Elad Hazan and Yoram Singer, "Adaptive Subgradient Methods for Online Learning
//! and Stochastic Optimization", 2011.

use super::example::{Example, FEATURES, WEIGHTS, expectation};

const RATE: f32 = 0.05;
/// How strongly a weight is drawn to zero each time it is used.
const DECAY: f32 = 1e-6;
const PASSES: usize = 6;
const FIRST_SQUARES: f32 = 1e-2;

/// The sum of the weights of some features.
pub fn sum(weights: &[f32], features: &[u16; FEATURES]) -> f32 {
    features.iter().map(|&feature| weights[usize::from(feature)]).sum()
}

/// Fits a set of weights to examples, which should be in no order.
pub fn fit(examples: &[Example]) -> Vec<f32> {
    let mut weights = vec![0_f32; WEIGHTS];
    let mut squares = vec![FIRST_SQUARES; WEIGHTS];
    for _ in 0..PASSES {
        for example in examples {
            let error = expectation(sum(&weights, &example.features)) - example.target;
            for feature in example.features.map(usize::from) {
                let slope = error + DECAY * weights[feature];
                squares[feature] += slope * slope;
                weights[feature] -= RATE * slope / squares[feature].sqrt();
            }
        }
    }
    weights
}
