//! Moves that refuted a sibling are likely to refute this position too.
//!
//! See: Selim Akl and Monroe Newborn, "The Principal Continuation and the Killer Heuristic", 1977.

use crate::position::Move;
use crate::search::parameters::{KILLERS, MAX_PLY};

/// The last moves that caused a cut-off, for each ply.
#[derive(Clone, Debug)]
pub struct Killers([[Option<Move>; KILLERS]; MAX_PLY]);

impl Default for Killers {
    fn default() -> Self {
        Self([[None; KILLERS]; MAX_PLY])
    }
}

impl Killers {
    /// The killers of a ply, the last one first.
    #[inline]
    #[must_use]
    pub fn at(&self, ply: usize) -> [Option<Move>; KILLERS] {
        self.0[ply]
    }

    /// Remembers a move that caused a cut-off.
    #[inline]
    pub fn insert(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.0[ply];
        if killers[0] != Some(mv) {
            killers.rotate_right(1);
            killers[0] = Some(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_killer_comes_first_and_none_twice() {
        let [a, b, c] = ["a1", "a4", "a7"].map(|text| text.parse::<Move>().unwrap());
        let mut killers = Killers::default();
        for mv in [a, b, b, c] {
            killers.insert(3, mv);
        }
        assert_eq!(killers.at(3), [Some(c), Some(b)]);
        assert_eq!(killers.at(4), [None, None]);
    }
}
