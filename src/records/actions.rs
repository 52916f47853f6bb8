//! Moves as the numbers of actions that `OpenSpiel` and the mill of Kaggle use.
//!
//! Points are numbered row by row from the upper left, from 0. A number below 24 places a man on a point or
//! removes the man there; 24 + 24 × from + to slides or flies. A removal is an action of its own. A game is
//! drawn after [`MOST_TURNS`], and neither repetition nor quiet moves draw it before.
//!
//! See: Marc Lanctot and others, "`OpenSpiel`: A Framework for Reinforcement Learning in Games", 2019.

use super::notation::POINTS;
use crate::board::Square;
use crate::position::{Move, MoveKind, Position};
use crate::rules::Rules;

/// The turns after which a game is drawn; removals are part of a turn.
pub const MOST_TURNS: usize = 200;

/// The word before the actions of a game in a line.
pub(super) const ACTIONS_WORD: &str = "actions";

/// The number of a move.
///
/// ```
/// use millstone::records::action_of;
///
/// assert_eq!(action_of("d6-d5".parse()?), 24 + 24 * 4 + 7);
/// # Ok::<(), millstone::position::MoveTextError>(())
/// ```
#[must_use]
pub fn action_of(mv: Move) -> usize {
    match mv.kind() {
        MoveKind::Place(point) | MoveKind::Remove(point) => number(point),
        MoveKind::Slide { from, to } => Square::COUNT * (1 + number(from)) + number(to),
    }
}

/// The legal move of a position that an action stands for.
#[must_use]
pub fn move_of_action<R: Rules>(position: &Position<R>, action: usize) -> Option<Move> {
    position.moves().iter().copied().find(|&mv| action_of(mv) == action)
}

fn number(square: Square) -> usize {
    POINTS.iter().take_while(|point| **point != square).count()
}
