//! A position's features and what it is worth.

use crate::board::SquareSet;
use crate::evaluate::{LOSSES, Patterns, RINGS, SECTORS};
use crate::tablebase::{Value, Wdl};

/// Where the weights of each family begin in a fitted set.
pub const MIDDLE: usize = RINGS;
/// The spokes.
pub const SPOKES: usize = MIDDLE + RINGS;
/// The corners.
pub const CORNERS: usize = SPOKES + SECTORS;
/// The constants.
pub const CONSTANTS: usize = CORNERS + SECTORS;
/// How many weights a set has.
pub const WEIGHTS: usize = CONSTANTS + LOSSES;

/// How many features a position has: its patterns and a constant.
pub const FEATURES: usize = 12;

/// How much of a win is left with each ply that it takes.
///
/// Where every position is won, this tells the way; it is so little that the farthest win still
/// counts far more than a draw.
const PATIENCE: f32 = 0.998;

/// A position to learn from, for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The weights whose sum it is given.
    pub features: [u16; FEATURES],
    /// What the position counts, from 0 to 1.
    pub target: f32,
    /// The value without the distance, where it is known.
    pub wdl: Option<Wdl>,
}

/// The weights of a position, which has the constant with a number.
pub fn features(own: SquareSet, opponent: SquareSet, constant: usize) -> [u16; FEATURES] {
    let patterns = Patterns::of(own, opponent);
    let [inner, middle, outer] = patterns.rings;
    let shifted = |first: usize| move |class: u16| first as u16 + class;
    let [s0, s1, s2, s3] = patterns.spokes.map(shifted(SPOKES));
    let [c0, c1, c2, c3] = patterns.corners.map(shifted(CORNERS));
    [
        inner,
        outer,
        shifted(MIDDLE)(middle),
        s0,
        s1,
        s2,
        s3,
        c0,
        c1,
        c2,
        c3,
        (CONSTANTS + constant) as u16,
    ]
}

/// What a value counts, from 0 for a loss at once to 1 for a win at once.
pub fn target(value: Value) -> f32 {
    match (Wdl::from(value), value.plies()) {
        (Wdl::Win, Some(plies)) => 0.5 + 0.5 * PATIENCE.powi(plies.into()),
        (Wdl::Loss, Some(plies)) => 0.5 - 0.5 * PATIENCE.powi(plies.into()),
        _ => 0.5,
    }
}

/// The share of the game that goes with a sum of weights.
pub fn expectation(sum: f32) -> f32 {
    1.0 / (1.0 + (-sum).exp())
}

/// The logarithm of the odds that go with a share of the game.
pub fn odds(share: f32) -> f32 {
    (share / (1.0 - share)).ln()
}
