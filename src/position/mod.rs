//! One position: the men, the side to move and the legal moves.
//!
//! A position holds no earlier moves, only the count that the n-move rule needs; repetition and the
//! end of a game by history belong to [`game`](crate::game).

#![expect(
    clippy::inline_always,
    reason = "temporary positions stay in registers: perft takes a quarter less time"
)]

mod generate;
mod mills;
mod outcome;
mod placing_end;
mod play;
mod stalemate;
pub mod text;
mod validate;
mod zobrist;

pub use crate::board::{MAX_MOVES, Move, MoveKind, MoveLine, MoveList, Turn};
pub use outcome::{Draw, Loss, Outcome};
pub use play::Undo;
pub use text::{FEN_WORD, MOVES_WORD, POSITION_WORD, PositionText, START_WORD, is_position_text};
pub use validate::{Inconsistency, Part};
pub use zobrist::PENDING_SHIFT;
#[cfg(feature = "program")]
pub(crate) use zobrist::mix;
pub(crate) use zobrist::spread;

use crate::board::{BySide, Side, SquareSet, Symmetry};
use crate::rules::{Extras, RuleSet, Rules, Standard};
use zobrist::Keyed;

/// Whether the side to move still places men; fixed when its turn begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The side had men in hand when its turn began.
    Placing,
    /// The side had no men in hand.
    Moving,
}

/// The men on the board and in hand, the side to move, what it owes, and the move counters.
///
/// Cheap to copy: compiled for Nine Men's Morris, it fills half a cache line.
///
/// ```
/// use millstone::{position::Position, rules::RuleSet};
///
/// let start = Position::start(RuleSet::NINE_MENS_MORRIS);
/// let after = start.after("d6".parse()?);
/// assert_eq!((start.count_moves(), after.count_moves()), (24, 23));
/// # Ok::<(), millstone::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, derive_more::Display)]
#[display("{}", PositionText::from(*self))]
pub struct Position<R: Rules = RuleSet> {
    keyed: Keyed<R::Memory>,
    /// The turns of both sides so far, each begun by a placement or slide.
    turns: u32,
    quiet_plies: u16,
    phase: Phase,
    rules: R::Reference,
}

const _: () = assert!(size_of::<Position<Standard>>() == 32);

impl Position {
    /// The same position in the type compiled for Nine Men's Morris, if it belongs to that game.
    pub fn to_standard(&self) -> Option<Position<Standard>> {
        let Self { turns, quiet_plies, phase, .. } = *self;
        let is_standard = self.rules.is_standard() && *self.extras() == Extras::NONE;
        let keyed = is_standard.then(|| self.rebuilt(Symmetry::IDENTITY))?;
        Some(Position { keyed, turns, quiet_plies, phase, rules: Standard })
    }
}

impl<R: Rules> Position<R> {
    /// The empty board with all men in hand and White to move.
    pub fn start(rules: R) -> Self {
        let rules = R::Reference::from(rules);
        let (men, in_hand) = (BySide::both(SquareSet::EMPTY), BySide::both(rules.men));
        let keyed = Keyed::of(men, in_hand, Side::White);
        Self { keyed, turns: 0, quiet_plies: 0, phase: Phase::Placing, rules }
    }

    /// A position with these men on the board and in hand at the beginning of a turn. The stalemate rule is
    /// already applied: a side that cannot move has passed or owes a removal, if the rules say so.
    ///
    /// # Panics
    ///
    /// If a point has men of both sides.
    pub fn with_men(rules: R, men: BySide<SquareSet>, in_hand: BySide<u8>, to_move: Side) -> Self {
        Self::start(rules).rearranged(men, in_hand, to_move)
    }

    /// A position of the same game with these men on the board and in hand; see [`with_men`](Self::with_men).
    ///
    /// # Panics
    ///
    /// If a point has men of both sides.
    #[must_use]
    pub fn rearranged(&self, men: BySide<SquareSet>, in_hand: BySide<u8>, to_move: Side) -> Self {
        assert!((men[Side::White] & men[Side::Black]).is_empty(), "a point has two men");
        let rules = self.rules;
        let keyed = Keyed::of(men, in_hand, to_move);
        let hands: u32 = Side::ALL.into_iter().map(|side| u32::from(in_hand[side])).sum();
        let turns = (2 * u32::from(rules.men)).saturating_sub(hands);
        let mut position = Self { keyed, turns, quiet_plies: 0, phase: Phase::Moving, rules };
        position.start_turn();
        position
    }

    /// The image of the position under a symmetry of the board.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Self {
        Self { keyed: self.rebuilt(symmetry), ..*self }
    }

    /// The position with its move counters set to 0.
    #[must_use]
    pub fn without_counters(&self) -> Self {
        Self { turns: 0, quiet_plies: 0, ..*self }
    }

    /// The values of all rules.
    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The points without a man or a mark.
    pub fn empty(&self) -> SquareSet {
        !(self.own_men() | self.opponent_men() | self.extras().marked)
    }

    /// The phase of the side to move.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The slides of both sides since the last placement or removal.
    pub const fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

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
    pub fn plays_on(&self, mover: Side) -> bool {
        self.to_move() == mover
    }

    /// The number of turns that a move of a side completes: 0 if the side plays on, as after a mill, or between
    /// placing the last man and sliding first; 1 if its turn ends; 2 if the opponent then cannot move and passes.
    ///
    /// A turn may also end with the same side to move: a side that loses by removing its own men
    /// remains the side to move.
    pub fn turns_over(&self, mover: Side) -> u16 {
        if self.is_passed_back(mover) {
            return 2;
        }
        (!self.plays_on(mover) || self.rules().removes_own() && self.has_too_few_men()).into()
    }

    /// The number of the move in the game, from 1; removals do not count as moves.
    pub fn move_number(&self) -> u32 {
        self.move_number_before(self.to_move())
    }

    /// The number of the next move of a side.
    fn move_number_before(&self, side: Side) -> u32 {
        1 + self.turns.saturating_sub(side as u32) / 2
    }

    /// All men of a side, on the board and in hand.
    pub fn count_men(&self, side: Side) -> u8 {
        self.men(side).len() as u8 + self.in_hand(side)
    }

    /// Whether the men of a side may go to any empty point.
    pub fn may_fly(&self, side: Side) -> bool {
        self.rules().flies(self.men(side).len(), self.in_hand(side).into())
    }

    /// How the position ends the game, if it does.
    pub fn ending(&self) -> Option<Outcome> {
        if self.has_too_few_men() {
            return Some(self.lost_by(Loss::TooFewMen));
        }
        self.is_blocked().then(|| self.ending_of_blocked())
    }

    /// The outcome if the side to move has lost.
    fn lost_by(&self, loss: Loss) -> Outcome {
        Outcome::Win { winner: !self.to_move(), loss }
    }

    /// Whether the side to move has lost because it has too few men.
    pub fn has_too_few_men(&self) -> bool {
        self.own_men().len() as u8 + self.own_hand() < self.rules().least_men
    }

    /// Whether the opponent of the side to move has too few men.
    fn has_opponent_too_few_men(&self) -> bool {
        self.opponent_men().len() as u8 + self.opponent_hand() < self.rules().least_men
    }

    /// Whether the side to move has so few men that they may fly.
    fn flies(&self) -> bool {
        self.rules().flies(self.own_men().len(), self.own_hand().into())
    }
}
