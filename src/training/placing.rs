//! A set of weights for each stage of placing, from searches that end in later stages.
//!
//! Near the end of placing the searches reach the databases and so tell the truth; before that they
//! end in positions judged by the weights learned just before.

use rayon::prelude::*;

use super::example::{Example, FEATURES, expectation, features, odds, target};
use super::fit::sum;
use crate::evaluate::{STAGES, losses, stage};
use crate::position::{Ending, Position};
use crate::rules::Standard;
use crate::tablebase::Tablebase;

/// How many placements a search looks ahead.
const DEPTH: u32 = 3;

/// The logarithm of the odds of a side that has won, the greatest that is told apart.
const WON: f32 = 7.0;

/// What is known while the sets are learned, the last stage first.
pub struct Placing<'a> {
    pub tablebase: &'a Tablebase,
    pub learned: Vec<Vec<f32>>,
}

/// The positions of games in which the side to move places, by the stages.
pub fn by_stage(played: &[Position<Standard>]) -> Vec<Vec<Position<Standard>>> {
    let mut by_stage = vec![Vec::new(); STAGES];
    for position in played {
        let hands = hands(position);
        if hands != [0, 0] {
            by_stage[stage(hands)].push(*position);
        }
    }
    by_stage
}

impl Placing<'_> {
    /// Examples of the next stage; none if the databases do not know how placing ends.
    pub fn examples(&self, positions: &[Position<Standard>]) -> Option<Vec<Example>> {
        let example = |position: &Position<Standard>| {
            let odds = self.search(*position, DEPTH, -f32::INFINITY, f32::INFINITY)?;
            let target = expectation(odds);
            Some(Example { features: of(position), target, wdl: None })
        };
        positions.par_iter().map(example).collect()
    }

    /// The logarithm of the odds of the side to move.
    fn search(
        &self,
        position: Position<Standard>,
        depth: u32,
        alpha: f32,
        beta: f32,
    ) -> Option<f32> {
        if let Some(Ending::Loss(_)) = position.ending() {
            return Some(-WON);
        }
        if position.pending() == 0 {
            let hands = hands(&position);
            if hands == [0, 0] {
                let value = self.tablebase.value_of(&position)?;
                return Some(odds(target(value)).clamp(-WON, WON));
            }
            if depth == 0 {
                let weights = &self.learned[stage(hands)];
                return Some(sum(weights, &of(&position)).clamp(-WON, WON));
            }
        }
        let below = depth - u32::from(position.pending() == 0);
        let mut best = -f32::INFINITY;
        for &mv in &position.moves() {
            let after = position.after(mv);
            let open = alpha.max(best);
            let odds = if after.plays_on(position.to_move()) {
                self.search(after, below, open, beta)?
            } else {
                -self.search(after, below, -beta, -open)?
            };
            best = best.max(odds);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }
}

fn hands(position: &Position<Standard>) -> [u8; 2] {
    let side = position.to_move();
    [position.in_hand(side), position.in_hand(!side)]
}

fn of(position: &Position<Standard>) -> [u16; FEATURES] {
    let side = position.to_move();
    let (own, opponent) = (position.men(side), position.men(!side));
    features(own, opponent, losses([own.len(), opponent.len()], hands(position)))
}
