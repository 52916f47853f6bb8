//! Plain minimax: no window, no table, no order of moves; nothing that could be wrong but the idea.

use millstone::evaluate::evaluate;
use millstone::perft::Perft;
use millstone::position::{Move, Outcome, Position};
use millstone::rules::Rules;
use millstone::score::Score;
use rayon::prelude::*;

/// The greatest depth up to `most` at which the tree has no more leaves than `leaves`, at least 1.
pub fn affordable_depth<R: Rules>(position: &Position<R>, most: u32, leaves: u64) -> u32 {
    let is_affordable = |depth: &u32| Perft::default().count(position, *depth) <= leaves;
    (1..=most).take_while(is_affordable).last().unwrap_or(1)
}

/// The definition of the value that a search to a depth has to find.
#[derive(Clone, Copy)]
pub struct Minimax {
    /// Whether a position with a single move is searched one deeper.
    pub extends_forced: bool,
}

impl Minimax {
    /// Each move of the root with its value for the side that plays it.
    pub fn root<R: Rules>(self, root: &Position<R>, depth: u32) -> Vec<(Move, Score)> {
        let value = |mv| (mv, self.after(root, mv, depth, 0));
        root.moves().par_iter().copied().map(value).collect()
    }

    /// The value for the side to move of a position so many turns below the root.
    fn value<R: Rules>(self, position: &Position<R>, depth: u32, turns: u16) -> Score {
        match position.ending() {
            Some(Outcome::Win { .. }) => return Score::mated_in(turns),
            Some(Outcome::Draw(_)) => return Score::DRAW,
            None => {}
        }
        if depth == 0 && position.pending() == 0 {
            return evaluate(position);
        }
        let moves = position.moves();
        let is_forced = self.extends_forced && moves.len() == 1 && position.pending() == 0;
        let depth = depth + u32::from(is_forced);
        let values = moves.into_iter().map(|mv| self.after(position, mv, depth, turns));
        values.max().expect("there are moves")
    }

    /// The value of a move for the side that plays it; only removals cost no depth.
    fn after<R: Rules>(self, position: &Position<R>, mv: Move, depth: u32, turns: u16) -> Score {
        let next = position.after(mv);
        let depth = if mv.is_removal() { depth } else { depth - 1 };
        if next.to_move() == position.to_move() {
            self.value(&next, depth, turns + u16::from(next.ending().is_some()))
        } else {
            -self.value(&next, depth, turns + 1)
        }
    }
}
