//! Moves that caused cut-offs anywhere in the tree are tried before moves that did not.
//!
//! See: Jonathan Schaeffer, "The History Heuristic and Alpha-Beta Search Enhancements in
//! Practice", 1989. Weights approach their limit ever more slowly instead of overflowing.

use crate::board::Side;
use crate::position::Move;
use crate::search::parameters::MAX_HISTORY;

const MOVES: usize = 1 << 12;

/// A weight for each move of each side.
#[derive(Clone, Debug)]
pub struct History(Box<[[i16; MOVES]; 2]>);

impl Default for History {
    fn default() -> Self {
        Self(Box::new([[0; MOVES]; 2]))
    }
}

impl History {
    /// The weight of a move, at most `MAX_HISTORY` either way.
    #[inline]
    #[must_use]
    pub fn get(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.0[side as usize][usize::from(mv.bits()) % MOVES])
    }

    /// Rewards a move that caused a cut-off at a depth.
    #[inline]
    pub fn reward(&mut self, side: Side, mv: Move, depth: u32) {
        self.shift(side, mv, bonus(depth));
    }

    /// Punishes a move that was tried in vain at a depth.
    #[inline]
    pub fn punish(&mut self, side: Side, mv: Move, depth: u32) {
        self.shift(side, mv, -bonus(depth));
    }

    #[inline]
    fn shift(&mut self, side: Side, mv: Move, by: i32) {
        let weight = &mut self.0[side as usize][usize::from(mv.bits()) % MOVES];
        let old = i32::from(*weight);
        *weight = (old + by - old * by.abs() / MAX_HISTORY) as i16;
    }
}

fn bonus(depth: u32) -> i32 {
    (16 * depth * depth).min(MAX_HISTORY as u32 / 8) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_stay_within_their_limit() {
        let mv = "a1-a4".parse().unwrap();
        let mut history = History::default();
        (0..10_000).for_each(|_| history.reward(Side::White, mv, 100));
        assert!((1..=MAX_HISTORY).contains(&history.get(Side::White, mv)));
        (0..10_000).for_each(|_| history.punish(Side::White, mv, 100));
        assert!((-MAX_HISTORY..0).contains(&history.get(Side::White, mv)));
        assert_eq!(history.get(Side::Black, mv), 0);
    }
}
