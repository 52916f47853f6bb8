//! The evaluation by weights that are trained from a tablebase.
//!
//! Each pair of men counts and each stage of placing has a set of weights, one for each class of
//! patterns. Their sum is the logarithm of the odds of the side to move: it predicts the result of
//! the game rather than the balance of men.
//!
//! Not kept: sets of their own for placing with fewer, as many and more men than the opponent. They predict better at
//! no cost (log loss with three men in hand 0.394 instead of 0.398, with five 0.357 instead of 0.366): -2.3 Elo, error
//! 12.1, in 600 games of 30 000 nodes a move; of 2 000 positions of plies 3 to 8 they keep as many.
//!
//! Not kept: a network of eight hidden units over the same patterns, points that close a mill and slides, added to
//! the sum while men are placed. It predicts better (log loss with three men in hand 0.344 instead of 0.359) but
//! costs 12 % of the speed: -1.7 Elo, error 12.7, in 400 games at equal time.

use super::patterns::Patterns;
use super::weights::{SCALE_BITS, Weights, losses};
use super::{Term, hands};
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;

/// The kinds of patterns.
const KINDS: [&str; 4] = ["outer and inner ring", "middle ring", "around spokes", "around corners"];

/// Estimates a position for the side to move.
#[inline]
pub fn evaluate<R: Rules>(weights: Weights, position: &Position<R>) -> Score {
    let (constant, scale, sums) = sums(weights, position);
    Score::estimate(constant + ((sums.into_iter().sum::<i32>() * scale) >> SCALE_BITS))
}

/// The terms of the estimate.
pub fn terms<R: Rules>(weights: Weights, position: &Position<R>) -> Vec<Term> {
    let (constant, scale, sums) = sums(weights, position);
    let scaled = |sum: i32| f64::from(sum * scale) / f64::from(1 << SCALE_BITS);
    let mut terms = vec![Term { name: "men and turn", value: constant.into() }];
    terms.extend(KINDS.into_iter().zip(sums.map(scaled)).map(|(name, value)| Term { name, value }));
    terms
}

/// The constant, the factor, in 256ths, that turns sums of weights into hundredths of a man, and the sum of the weights
/// of each kind of pattern.
#[inline]
fn sums<R: Rules>(weights: Weights, position: &Position<R>) -> (i32, i32, [i32; KINDS.len()]) {
    let (own, opponent) = (position.own_men(), position.opponent_men());
    let (on_board, hands) = ([own.len(), opponent.len()], hands(position));
    let set = &weights.sets[weights.number(on_board, hands)];
    let patterns = Patterns::of(own, opponent);
    let weight = |weights: &[i8], class: u16| i32::from(weights[usize::from(class)]);
    let [inner, middle, outer] = patterns.rings;
    let sums = [
        weight(&set.rings, inner) + weight(&set.rings, outer),
        weight(&set.middle, middle),
        patterns.spokes.iter().map(|&class| weight(&set.spokes, class)).sum(),
        patterns.corners.iter().map(|&class| weight(&set.corners, class)).sum(),
    ];
    let constant = set.constants[losses(position.rules().men, on_board, hands)];
    (i16::from_le(constant).into(), i16::from_le(set.scale).into(), sums)
}
