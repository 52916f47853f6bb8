//! Training the model of a sector on a part of its positions.
//!
//! Each position is one step of gradient descent on the bits that its value costs. What else may be stored for a
//! position is what the model thinks likeliest, as when it is written. All numbers are computed in the same order
//! wherever and whenever a sector is written, so that the same model comes out.

use super::model::{
    Before, HIDDEN, LANES, LOGIT_ONE, Model, ONE, OUTPUTS, Opponent, ROWS, Row, WEIGHT_ONE,
    probability,
};
use super::wdl::{Choice, HALF};
use crate::board::SquareSet;
use crate::evaluate::PATTERNS;
use crate::tablebase::sector::Sector;
use crate::tablebase::value::Wdl;

/// The most positions that a model is trained on.
const MOST_POSITIONS: usize = 12 << 20;

/// It is trained on one position of twelve and 262 144 more, each of these twice at most.
const ONE_OF: usize = 12;
const MORE_POSITIONS: usize = 1 << 18;

/// Halves of chunks that are walked through together, so that neighbours do not follow one another.
const TOGETHER: usize = 16;

/// The rate of learning in the beginning and at the end, and what of it the weights of the hidden units get.
const RATES: [f32; 2] = [0.025, 0.002];
const RATE_OF_WEIGHTS: f32 = 0.3;

/// What a number of a row stays within, so that it fits into a byte when it is rounded.
const MOST_OF_ROW: f32 = i8::MAX as f32 / ONE as f32;

/// The network in floating point.
struct Network {
    rows: Vec<[f32; LANES]>,
    /// Whether a position had the feature of a row; no other one is kept.
    is_seen: Vec<bool>,
    weights: [[f32; HIDDEN]; OUTPUTS],
}

/// A model for a sector, given what may be stored for each position. Without patterns it is small.
pub fn train(sector: Sector, has_patterns: bool, choice: impl Fn(usize) -> Choice) -> Model {
    let halves = sector.len().div_ceil(HALF);
    let wanted =
        (MOST_POSITIONS / HALF).min(halves / ONE_OF + (MORE_POSITIONS / HALF).min(2 * halves));
    let mut network = Network::new();
    let (rounds, stride) = (wanted.div_ceil(TOGETHER), stride(halves));
    for round in 0..rounds {
        let done = round as f32 / rounds as f32;
        let rate = RATES[0] + (RATES[1] - RATES[0]) * done;
        let first = |place: usize| {
            let step = (round * TOGETHER + place) as u64 * stride as u64;
            (step % halves as u64) as usize * HALF
        };
        let mut walks: [_; TOGETHER] = std::array::from_fn(|place| {
            let first = first(place);
            let opponent = Opponent::new(sector, SquareSet::EMPTY);
            (first.., sector.positions_from(first), opponent, Before::NONE)
        });
        for _ in 0..HALF {
            for (indices, positions, opponent, before) in &mut walks {
                let (Some(index), Some((own, men))) = (indices.next(), positions.next()) else {
                    continue;
                };
                if men != opponent.men {
                    *opponent = Opponent::new(sector, men);
                }
                let features = opponent.features(own);
                let features = &features[if has_patterns { 0 } else { PATTERNS }..];
                let stored = network.learn(features, *before, choice(index), rate);
                *before = before.and(stored);
            }
        }
    }
    network.rounded()
}

/// A step through all halves that comes to each of them once.
fn stride(halves: usize) -> usize {
    let is_coprime = |&step: &usize| {
        let (mut a, mut b) = (step, halves);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    (halves / 7 * 3 + 1..=halves).find(is_coprime).unwrap_or(1)
}

impl Network {
    /// A network whose hidden units differ, and whose outputs are even.
    fn new() -> Self {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let row = |_| std::array::from_fn(|lane| if lane < HIDDEN { next() * 0.2 } else { 0.0 });
        let rows = (0..ROWS).map(row).collect();
        let weights = std::array::from_fn(|_| std::array::from_fn(|_| next()));
        Self { rows, is_seen: vec![false; ROWS], weights }
    }

    /// One step. Returns what would be stored.
    fn learn(&mut self, features: &[u16], before: Before, choice: Choice, rate: f32) -> Wdl {
        let mut sum = self.rows[before.row()];
        for &feature in features {
            let row = &self.rows[usize::from(feature)];
            (0..LANES).for_each(|lane| sum[lane] += row[lane]);
        }
        let hidden: [f32; HIDDEN] = std::array::from_fn(|unit| sum[unit].max(0.0));
        let probabilities: [u16; OUTPUTS] = std::array::from_fn(|output| {
            let terms = hidden.iter().zip(&self.weights[output]);
            let logit =
                terms.fold(sum[HIDDEN + output], |logit, (unit, weight)| logit + weight * unit);
            probability((logit * LOGIT_ONE as f32) as i32)
        });
        let stored = choice.likeliest(|output| probabilities[output]);
        let is_yes = [stored == Wdl::Win, stored == Wdl::Loss];
        let mut errors = [0.0; OUTPUTS];
        for output in 0..if stored == Wdl::Win { 1 } else { OUTPUTS } {
            let probability = f32::from(probabilities[output]) / 65536.0;
            errors[output] = f32::from(u8::from(is_yes[output])) - probability;
        }
        // Free of branches and over whole rows, so that all lanes are computed at once.
        let mut slope = [0.0; LANES];
        for (weights, error) in self.weights.iter_mut().zip(errors) {
            (0..HIDDEN).for_each(|unit| {
                slope[unit] += error * weights[unit];
                weights[unit] += rate * RATE_OF_WEIGHTS * error * hidden[unit];
            });
        }
        for (slope, hidden) in slope.iter_mut().zip(hidden) {
            *slope = if hidden > 0.0 { *slope } else { 0.0 };
        }
        slope[HIDDEN..].copy_from_slice(&errors);
        let steps = slope.map(|slope| rate * slope);
        let mut change = |row: usize| {
            self.is_seen[row] = true;
            let mut numbers = self.rows[row];
            for (number, step) in numbers.iter_mut().zip(steps) {
                *number = (*number + step).clamp(-MOST_OF_ROW, MOST_OF_ROW);
            }
            self.rows[row] = numbers;
        };
        for &feature in features {
            change(feature.into());
        }
        change(before.row());
        stored
    }

    /// The model with rounded numbers.
    fn rounded(&self) -> Model {
        let mut model = Model::blank();
        let round = |number: f32, one: i32| libm::roundf(number * one as f32);
        let seen = self.rows.iter().zip(&self.is_seen).zip(model.rows.iter_mut());
        for ((row, _), to) in seen.filter(|((_, is_seen), _)| **is_seen) {
            *to = Row::from(row.map(|number| round(number, ONE) as i16));
        }
        for (to, weights) in model.weights.iter_mut().zip(&self.weights) {
            for (to, &weight) in to.iter_mut().zip(weights) {
                *to = round(weight, WEIGHT_ONE) as i16;
            }
        }
        model
    }
}
