//! Turns: who moves next, whether a turn goes on, and a whole turn in one word.
//!
//! A turn is all that a side does until the other side moves: usually a placement or slide and the
//! removals that it earns, each a move of its own. Where a stalemate passes the turn, or a mill
//! earns another placement, a side begins a new turn right after its last. Distances count a turn that is
//! passed, and count as one what a side plays without any turn of the other between, as where the side
//! that places the last man also slides first.

use std::fmt;
use std::str::FromStr;

use super::Position;
use crate::board::{Move, MoveTextError, Side};
use crate::rules::Rules;

impl<R: Rules> Position<R> {
    /// Whether a side that has just moved is to move again.
    ///
    /// Values for the side to move are then values for the side that moved; otherwise they change
    /// sign.
    ///
    /// ```
    /// use millstone::{board::Side, position::Position, rules::Standard};
    ///
    /// let text = "********/**O*****/**O@@*** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3";
    /// let after_mill = Position::from_text(text, Standard)?.after("e4".parse()?);
    /// assert!(after_mill.plays_on(Side::White) && after_mill.pending() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn plays_on(&self, mover: Side) -> bool {
        self.to_move() == mover
    }

    /// The turns that are over after a move of a side: none where it plays on, as after a mill or before the
    /// first slide of a side that has also placed the last man; its own; or its own and that of an
    /// opponent who cannot move and passes.
    ///
    /// A turn may be over although the side plays on: a side that has lost by removing its own men is
    /// put to move.
    #[inline]
    pub fn turns_over(&self, mover: Side) -> u16 {
        if self.is_passed_back(mover) {
            return 2;
        }
        (!self.plays_on(mover) || self.rules().removes_own() && self.has_too_few_men()).into()
    }
}

/// The moves of a side until the other side moves: a placement or slide and the removals that it earns, or
/// removals alone.
///
/// ```
/// use millstone::position::Turn;
///
/// let turn: Turn = "d6-f6xa1".parse()?;
/// assert_eq!(turn.moves(), ["d6-f6".parse()?, "xa1".parse()?]);
/// assert_eq!(turn.to_string(), "d6-f6xa1");
/// # Ok::<(), millstone::position::MoveTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn(Vec<Move>);

impl Turn {
    /// The moves, at least one.
    pub fn moves(&self) -> &[Move] {
        &self.0
    }

    /// The turn with another removal that it earned.
    #[must_use]
    pub(crate) fn with(&self, removal: Move) -> Self {
        Self([&self.0[..], &[removal]].concat())
    }

    /// Whether a move of a side belongs to the turn of the move before it, which `last` played: a
    /// removal by the same side does.
    pub fn is_continued(last: Option<Side>, (side, mv): (Side, Move)) -> bool {
        mv.is_removal() && last == Some(side)
    }
}

impl From<Move> for Turn {
    fn from(mv: Move) -> Self {
        Self(vec![mv])
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|mv| write!(f, "{mv}"))
    }
}

impl FromStr for Turn {
    type Err = MoveTextError;

    /// Reads moves without blanks between them; all but the first must be removals.
    fn from_str(text: &str) -> Result<Self, MoveTextError> {
        let later = text.match_indices(['x', 'X']).map(|(at, _)| at).filter(|&at| at > 0);
        let starts = [0].into_iter().chain(later.clone());
        let moves = starts.zip(later.chain([text.len()])).map(|(from, to)| text[from..to].parse());
        moves.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_read_as_they_are_written() {
        for text in ["a7", "e4xg7", "c4-c3", "d6-f6xa1", "d6-f6xa1xb2", "xa1", "xa1xb2"] {
            assert_eq!(text.parse::<Turn>().unwrap().to_string(), text);
        }
        assert_eq!("E4Xg7".parse::<Turn>(), "e4xg7".parse());
        for text in ["", "x", "a7x", "a7xx", "a7xb2-b4", "a7a4", "xé", "éxa1", "a1xé"] {
            assert!(text.parse::<Turn>().is_err(), "{text}");
        }
    }

    #[test]
    fn removals_join_the_move_before_of_the_same_side() {
        let (white, removal) = (Side::White, "xa1".parse().unwrap());
        assert!(Turn::is_continued(Some(white), (white, removal)));
        assert!(!Turn::is_continued(Some(!white), (white, removal)));
        assert!(!Turn::is_continued(None, (white, removal)));
        assert!(!Turn::is_continued(Some(white), (white, "b2".parse().unwrap())));
    }
}
