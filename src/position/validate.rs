//! Recomputing everything that a position keeps up to date, for tests and the checked perft.

use std::fmt;

use super::{Phase, Position};
use crate::board::Side;
use crate::rules::Rules;

/// A part of a position that contradicts another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inconsistency {
    /// A point holds a man of each side.
    TwoMenOnOnePoint,
    /// A side has more men than the game gives it.
    TooManyMen(Side),
    /// The phase says placing although the hand is empty and nothing is owed, or the reverse.
    Phase,
    /// A removal is owed but no man is there to be removed.
    NothingToRemove,
    /// The key kept by the moves differs from the key computed anew.
    Key,
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TwoMenOnOnePoint => f.write_str("a point holds a man of each side"),
            Self::TooManyMen(side) => write!(f, "{side} has more men than the game gives"),
            Self::Phase => f.write_str("the phase contradicts the men in hand"),
            Self::NothingToRemove => f.write_str("a removal is owed but there is no man to remove"),
            Self::Key => f.write_str("the key is not the key of the men"),
        }
    }
}

impl std::error::Error for Inconsistency {}

impl<R: Rules> Position<R> {
    /// Checks that all parts of the position agree.
    ///
    /// # Errors
    ///
    /// The first contradiction found.
    pub fn validate(&self) -> Result<(), Inconsistency> {
        if !(self.men(Side::White) & self.men(Side::Black)).is_empty() {
            return Err(Inconsistency::TwoMenOnOnePoint);
        }
        for side in Side::ALL {
            if self.count_men(side) > self.rules.men() {
                return Err(Inconsistency::TooManyMen(side));
            }
        }
        let has_men_in_hand = self.in_hand(self.to_move()) > 0;
        let may_place_last = self.pending() > 0 || self.has_too_few_men();
        match self.phase {
            Phase::Placing if !has_men_in_hand && !may_place_last => Err(Inconsistency::Phase),
            Phase::Moving if has_men_in_hand => Err(Inconsistency::Phase),
            _ if self.pending() > 0 && self.men(!self.to_move()).is_empty() => {
                Err(Inconsistency::NothingToRemove)
            }
            _ if self.keyed.rebuilt_key() != self.key() => Err(Inconsistency::Key),
            _ => Ok(()),
        }
    }
}
