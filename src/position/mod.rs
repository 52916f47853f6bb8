//! One turn: the men, whose turn it is and what may be played now.
//!
//! A position knows nothing of the moves before it, except the count that the n-move rule needs;
//! repetition and the end of a game by history belong to [`game`](crate::game).

mod draw;
mod generate;
mod moves;
mod play;
mod text;
mod validate;
mod zobrist;

pub use moves::{MAX_MOVES, Move, MoveKind, MoveLine, MoveList, MoveTextError};
pub use play::Undo;
pub use text::{PositionText, TextError};
pub use validate::Inconsistency;
pub use zobrist::PENDING_SHIFT;

use crate::board::{BySide, Side, SquareSet, Symmetry};
use crate::rules::{Rules, Standard};
use zobrist::Keyed;

/// Whether the side to move still places men; fixed when its turn begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// It had men in hand when its turn began.
    Placing,
    /// It had none.
    Moving,
}

/// Why the side to move has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loss {
    /// It has too few men left, on the board and in hand.
    TooFewMen,
    /// None of its men can move.
    Blocked,
}

/// The men on the board and in hand, the side to move, what it owes, and the move counters.
///
/// Copied freely: it fills half a cache line.
///
/// ```
/// use millstone::{position::Position, rules::Standard};
///
/// let mut position = Position::start(Standard);
/// let undo = position.do_move("d6".parse()?);
/// assert_eq!(position.count_moves(), 23);
/// position.undo_move(undo);
/// assert_eq!(position, Position::start(Standard));
/// # Ok::<(), millstone::position::MoveTextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<R: Rules = Standard> {
    keyed: Keyed,
    plies: u32,
    quiet_plies: u16,
    phase: Phase,
    rules: R,
}

const _: () = assert!(size_of::<Position<Standard>>() == 32);

impl<R: Rules> Position<R> {
    /// The empty board with all men in hand and White to move.
    #[must_use]
    pub fn start(rules: R) -> Self {
        let keyed = Keyed::empty(BySide::both(rules.men()));
        Self { keyed, plies: 0, quiet_plies: 0, phase: Phase::Placing, rules }
    }

    /// The position as a symmetry of the board shows it.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Self {
        Self { keyed: self.keyed.image(symmetry), ..*self }
    }

    /// The rules that this position is played by.
    #[inline]
    #[must_use]
    pub const fn rules(&self) -> R {
        self.rules
    }

    /// The men of a side on the board.
    #[inline]
    #[must_use]
    pub fn men(&self, side: Side) -> SquareSet {
        self.keyed.men(side)
    }

    /// The points without a man.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> SquareSet {
        !(self.men(Side::White) | self.men(Side::Black))
    }

    /// How many men a side has still to place.
    #[inline]
    #[must_use]
    pub fn in_hand(&self, side: Side) -> u8 {
        self.keyed.in_hand(side)
    }

    /// The side whose turn it is.
    #[inline]
    #[must_use]
    pub const fn to_move(&self) -> Side {
        self.keyed.turn()
    }

    /// How many men of the opponent the side to move has to remove before anything else.
    #[inline]
    #[must_use]
    pub const fn pending(&self) -> u8 {
        self.keyed.pending()
    }

    /// Whether the turn of the side to move is one of placing or of moving.
    #[inline]
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The slides of both sides since the last placement or removal.
    #[inline]
    #[must_use]
    pub const fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// The number of the move in the game, from 1; removals do not count as moves.
    #[must_use]
    pub fn move_number(&self) -> u32 {
        1 + self.plies.saturating_sub(self.to_move() as u32) / 2
    }

    /// The Zobrist key: men, hands, side to move, and in the two highest bits the removals owed.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.keyed.key()
    }

    /// All men of a side, on the board and in hand.
    #[inline]
    #[must_use]
    pub fn count_men(&self, side: Side) -> u8 {
        self.men(side).len() as u8 + self.in_hand(side)
    }

    /// Whether the men of a side may go to any empty point.
    #[inline]
    #[must_use]
    pub fn may_fly(&self, side: Side) -> bool {
        self.in_hand(side) == 0 && self.men(side).len() <= u32::from(self.rules.flying_men())
    }

    /// Why the side to move has lost, if it has.
    #[inline]
    #[must_use]
    pub fn loss(&self) -> Option<Loss> {
        if self.has_too_few_men() {
            Some(Loss::TooFewMen)
        } else if self.is_blocked() {
            Some(Loss::Blocked)
        } else {
            None
        }
    }

    #[inline]
    fn has_too_few_men(&self) -> bool {
        self.count_men(self.to_move()) < self.rules.least_men()
    }
}
