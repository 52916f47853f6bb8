//! Sets of weights: the features of a position, fitting to examples, rounding for the file.
//!
//! A set is fitted by logistic regression, one example at a time. Each weight has a learning rate
//! of its own that falls with the gradients it has seen.
//!
//! See: John Duchi, Elad Hazan and Yoram Singer, "Adaptive Subgradient Methods for Online Learning
//! and Stochastic Optimization", 2011.

use bytemuck::Zeroable;

use crate::board::SquareSet;
use crate::evaluate::{GROUPS, LOSSES, Patterns, RINGS, SCALE_BITS, Set};
use crate::score::{Score, expectation};
use crate::tablebase::Wdl;

// Where the weights of each kind of pattern begin in a fitted set, after those of the inner and the
// outer ring.
const MIDDLE_RING: usize = RINGS;
const SPOKES: usize = MIDDLE_RING + RINGS;
const CORNERS: usize = SPOKES + GROUPS;
const CONSTANTS: usize = CORNERS + GROUPS;
/// How many weights a set has.
const WEIGHTS: usize = CONSTANTS + LOSSES;

/// How many features a position has: its patterns and a constant.
const FEATURES: usize = 12;

/// The learning rate before the first example.
const RATE: f32 = 0.05;
/// The pull of a weight to zero each time it is used.
const DECAY: f32 = 1e-6;
/// How often all examples are used.
const PASSES: usize = 6;
/// The sum of squared gradients that each weight begins with.
const FIRST_SQUARES: f32 = 1e-2;

/// The numbers of the weights whose sum a position gets.
pub type Features = [u16; FEATURES];

/// A position to fit weights to, for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The features of the position.
    pub features: Features,
    /// The share of a point expected, from 0 for a loss to 1 for a win.
    pub target: f32,
    /// The result with perfect play, where it is known.
    pub wdl: Option<Wdl>,
}

/// The features of a position, given its constant from 0 to [`LOSSES`] - 1.
pub fn features(own: SquareSet, opponent: SquareSet, constant: usize) -> Features {
    let patterns = Patterns::of(own, opponent);
    let [inner, middle, outer] = patterns.rings;
    let shifted = |first: usize| move |class: u16| first as u16 + class;
    let [s0, s1, s2, s3] = patterns.spokes.map(shifted(SPOKES));
    let [c0, c1, c2, c3] = patterns.corners.map(shifted(CORNERS));
    let constant = shifted(CONSTANTS)(constant as u16);
    [inner, outer, shifted(MIDDLE_RING)(middle), s0, s1, s2, s3, c0, c1, c2, c3, constant]
}

/// The sum of the weights of features: the log-odds of the side to move.
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

/// Rounds a set of weights as the evaluation keeps them, the largest to the largest number there.
pub fn quantise(weights: &[f32]) -> Set {
    let (patterns, constants) = weights.split_at(CONSTANTS);
    let largest = patterns.iter().fold(1e-6_f32, |largest, weight| largest.max(weight.abs()));
    let unit = largest / f32::from(i8::MAX);
    let man = f32::from(Score::MAN);
    let fixed = man * (1_u32 << SCALE_BITS) as f32;
    let mut set = Set::zeroed();
    set.scale = ((unit * fixed).round() as i16).to_le();
    for (rounded, weight) in set.constants.iter_mut().zip(constants) {
        *rounded = ((weight * man).round() as i16).to_le();
    }
    let kinds = [
        (&mut set.rings[..], 0),
        (&mut set.middle[..], MIDDLE_RING),
        (&mut set.spokes[..], SPOKES),
        (&mut set.corners[..], CORNERS),
    ];
    for (rounded, first) in kinds {
        for (rounded, weight) in rounded.iter_mut().zip(&patterns[first..]) {
            *rounded = (weight / unit).round() as i8;
        }
    }
    set
}
