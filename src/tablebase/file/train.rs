//! Training the model of a sector on a part of its positions.
//!
//! Each position is one step of gradient descent on the number of bits that its value costs. Where several values may
//! be stored, the one that the model considers most probable is taken, as when the sector is written. All numbers are
//! computed in a fixed order, so that every build trains the same model.

use std::array;

use super::model::{
    Before, HIDDEN, LANES, LOGIT_ONE, Model, ONE, OUTPUTS, Opponent, ROWS, Row, WEIGHT_ONE,
    probability,
};
use super::wdl::{Choice, HALF};
use crate::board::SquareSet;
use crate::evaluate::PATTERNS;
use crate::tablebase::sector::Sector;
use crate::tablebase::value::Wdl;

/// The maximum number of positions that a model is trained on.
const MOST_POSITIONS: usize = 12 << 20;

/// A model is trained on one position in 12, plus 262 144 or twice the positions of the sector, whichever is less.
const ONE_OF: usize = 12;
const MORE_POSITIONS: usize = 1 << 18;

/// The number of half chunks that training interleaves, so that neighbours are not consecutive steps.
const TOGETHER: usize = 16;

/// The learning rate at the beginning and at the end, and the factor for the weights of the hidden units.
const RATES: [f32; 2] = [0.025, 0.002];
const RATE_OF_WEIGHTS: f32 = 0.3;

/// The limit of the numbers in a row, which fit into a byte after rounding.
const MOST_OF_ROW: f32 = i8::MAX as f32 / ONE as f32;

/// The network in floating point.
struct Network {
    rows: Vec<[f32; LANES]>,
    /// Whether any position had the feature of a row. Other rows become zeros.
    is_seen: Vec<bool>,
    weights: [[f32; HIDDEN]; OUTPUTS],
}

/// Trains a model for a sector. `choice` returns what may be stored for an index. Without patterns the model is small.
pub fn train(sector: Sector, has_patterns: bool, choice: impl Fn(usize) -> Choice) -> Model {
    let halves = sector.len().div_ceil(HALF);
    let wanted =
        (MOST_POSITIONS / HALF).min(halves / ONE_OF + (MORE_POSITIONS / HALF).min(2 * halves));
    let mut network = Network::new();
    let (rounds, stride) = (wanted.div_ceil(TOGETHER), stride(halves));
    for round in 0..rounds {
        let done = round as f32 / rounds as f32;
        let rate = RATES[0] + (RATES[1] - RATES[0]) * done;
        let mut walks: [_; TOGETHER] = array::from_fn(|place| {
            let step = (round * TOGETHER + place) as u64 * stride as u64;
            let first = (step % halves as u64) as usize * HALF;
            let opponent = Opponent::new(sector, SquareSet::EMPTY);
            ((first..).zip(sector.positions_from(first)), opponent, Before::NONE)
        });
        for _ in 0..HALF {
            for (positions, opponent, before) in &mut walks {
                let Some((index, [own, men])) = positions.next() else { continue };
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

/// A stride that visits every half chunk once.
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
    /// A network with pseudo-random hidden units and weights, and zero outputs in all rows.
    fn new() -> Self {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let row = |_| array::from_fn(|lane| if lane < HIDDEN { next() * 0.2 } else { 0.0 });
        let rows = (0..ROWS).map(row).collect();
        let weights = array::from_fn(|_| array::from_fn(|_| next()));
        Self { rows, is_seen: vec![false; ROWS], weights }
    }

    /// Trains on one position. Returns the value that would be stored for it.
    fn learn(&mut self, features: &[u16], before: Before, choice: Choice, rate: f32) -> Wdl {
        let mut sum = self.rows[before.row()];
        for &feature in features {
            let row = &self.rows[usize::from(feature)];
            (0..LANES).for_each(|lane| sum[lane] += row[lane]);
        }
        let hidden: [f32; HIDDEN] = array::from_fn(|unit| sum[unit].max(0.0));
        let probabilities: [u16; OUTPUTS] = array::from_fn(|output| {
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
        // Without branches and over whole rows, so that vector instructions compute all lanes at once.
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

    /// Rounds the network to a model.
    fn rounded(&self) -> Model {
        let round = |number: f32, one: i32| libm::roundf(number * one as f32) as i16;
        let rows = self.rows.iter().zip(&self.is_seen).map(|(row, &is_seen)| {
            if is_seen { row.map(|number| round(number, ONE)) } else { Row::default() }
        });
        let weights = self.weights.map(|weights| {
            array::from_fn(|lane| weights.get(lane).map_or(0, |&weight| round(weight, WEIGHT_ONE)))
        });
        Model { rows: rows.collect(), weights }
    }
}
