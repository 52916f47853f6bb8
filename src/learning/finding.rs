//! What a search found out about a position.

use crate::position::Move;
use crate::score::{Bound, Score};

/// What a search found out about a position, for the side to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A judgement of ours, or a win or loss with its number of turns from the position.
    pub score: Score,
    /// How the score relates to the value.
    pub bound: Bound,
    /// The depth of the search in placements and slides, at least 1.
    pub depth: u8,
    /// The best move, if one stood out.
    pub best: Option<Move>,
}

impl Finding {
    /// Whether this is the one to keep of two about the same position: what is proven beats what is
    /// estimated, then deeper beats shallower, then an exact score beats a bound.
    ///
    /// Of two that differ one is always better, so that the order in which they come does not matter.
    #[must_use]
    pub fn is_better_than(&self, other: &Self) -> bool {
        let rank = |finding: &Self| {
            let Self { score, bound, depth, best } = *finding;
            (score.is_mate(), depth, bound as u8, score, best.map(Move::bits))
        };
        rank(self) > rank(other)
    }

    /// What is more for findings that are more useful to keep: proven ones, those that take longer
    /// to find again, those in which one side is far ahead.
    #[must_use]
    pub fn use_to_keep(&self) -> (bool, u16, u16) {
        match self.score.turns() {
            Some(turns) => (true, turns, self.depth.into()),
            None => (false, self.depth.into(), self.score.hundredths().unsigned_abs()),
        }
    }

    /// How deep a search has to look to find it again.
    #[must_use]
    pub fn effort(&self) -> u16 {
        self.score.turns().unwrap_or(u16::MAX).min(self.depth.into())
    }
}
