//! The rules of a game as values. The [module](super) says how one is added.

use super::actions::{BoardFullAction, MillAction, StalemateAction};
use crate::board::{Diagonals, SpanKind};

/// The rules of one mill game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools, reason = "each rule is one of its own")]
pub struct RuleSet {
    /// The men that each side has in hand at the start.
    pub men: u8,
    /// A side with fewer men than this, on the board and in hand, has lost.
    pub least_men: u8,
    /// Whether a side with few men may go to any empty point.
    pub may_fly: bool,
    /// The most men on the board with which a side flies.
    pub flying_men: u8,
    /// Whether those in hand count among them, so that a side with men in hand may fly too, where it may slide.
    pub flying_counts_hand: bool,
    /// Whether the corners of the rings are joined by diagonals.
    pub diagonals: Diagonals,
    /// What a mill closed by a placement earns.
    pub mill_action: MillAction,
    /// Whether a side with men in hand may slide instead of placing.
    pub may_move_in_placing: bool,
    /// Whether Black begins when all men are placed.
    pub defender_moves_first: bool,
    /// Whether mills closed at once earn a removal each instead of one together.
    pub may_remove_multiple: bool,
    /// Whether men in mills may be removed while others are outside mills.
    pub may_remove_from_mills: bool,
    /// Whether a man that closed a mill may not go straight back to close one again.
    pub restricts_repeated_mills: bool,
    /// Whether a line whose points were all used in mills is no mill any more.
    pub uses_mills_once: bool,
    /// What happens when the last man fills the board.
    pub board_full_action: BoardFullAction,
    /// Whether placing ends when two points are left.
    pub stops_placing_at_two_empty: bool,
    /// What happens to a side that cannot move.
    pub stalemate_action: StalemateAction,
    /// Capture of a man between two men of the mover.
    pub custodian: CaptureRule,
    /// Capture of the two men beside a man of the mover.
    pub intervention: CaptureRule,
    /// Capture of a man that is leapt over.
    pub leap: CaptureRule,
}

/// A way of capturing men without a mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools, reason = "each switch is one of its own")]
pub struct CaptureRule {
    /// Whether the game has this capture.
    pub is_on: bool,
    /// Along the sides of the rings.
    pub on_square_edges: bool,
    /// Along the spokes.
    pub on_cross_lines: bool,
    /// Along the diagonals, if the board has them.
    pub on_diagonals: bool,
    /// By a side that places.
    pub in_placing: bool,
    /// By a side that moves.
    pub in_moving: bool,
    /// Only by a side with three men or fewer on the board, if it moves.
    pub only_with_few_men: bool,
}

impl CaptureRule {
    /// Not in the game. Switched on, it applies to all lines and phases.
    pub const OFF: Self = Self {
        is_on: false,
        on_square_edges: true,
        on_cross_lines: true,
        on_diagonals: true,
        in_placing: true,
        in_moving: true,
        only_with_few_men: false,
    };

    /// The most men on the board with which [`only_with_few_men`](Self::only_with_few_men) allows
    /// the capture.
    pub const FEW_MEN: u32 = 3;

    /// Whether it applies to lines of a kind.
    #[inline]
    pub const fn is_along(self, kind: SpanKind) -> bool {
        match kind {
            SpanKind::SquareEdge => self.on_square_edges,
            SpanKind::CrossLine => self.on_cross_lines,
            SpanKind::Diagonal => self.on_diagonals,
        }
    }
}

impl RuleSet {
    /// The number of men of each side with which both sides together can fill the board.
    pub const MEN_TO_FILL_BOARD: u8 = 12;

    /// The fewest men with which a side has not lost in any game.
    pub const FEWEST_MEN: u8 = 3;

    /// The rules of [`Standard`](super::Standard).
    pub const NINE_MENS_MORRIS: Self = Self {
        men: 9,
        least_men: 3,
        may_fly: true,
        flying_men: 3,
        flying_counts_hand: false,
        diagonals: Diagonals::Without,
        mill_action: MillAction::RemoveFromBoard,
        may_move_in_placing: false,
        defender_moves_first: false,
        may_remove_multiple: false,
        may_remove_from_mills: false,
        restricts_repeated_mills: false,
        uses_mills_once: false,
        board_full_action: BoardFullAction::WhiteLoses,
        stops_placing_at_two_empty: false,
        stalemate_action: StalemateAction::Loses,
        custodian: CaptureRule::OFF,
        intervention: CaptureRule::OFF,
        leap: CaptureRule::OFF,
    };

    /// The rules of Twelve Men's Morris.
    pub const TWELVE_MENS_MORRIS: Self =
        Self { men: 12, diagonals: Diagonals::With, ..Self::NINE_MENS_MORRIS };

    /// Whether a side with these men on the board and in hand may go to any empty point.
    #[inline]
    pub const fn flies(&self, men: u32, hand: u32) -> bool {
        let most = self.flying_men as u32;
        self.may_fly
            && if self.flying_counts_hand { men + hand <= most } else { hand == 0 && men <= most }
    }

    /// Whether the game has any capture without a mill.
    #[inline]
    pub const fn has_captures(&self) -> bool {
        self.custodian.is_on || self.intervention.is_on || self.leap.is_on
    }

    /// Whether a side may have to remove men of its own.
    #[inline]
    pub const fn removes_own(&self) -> bool {
        matches!(self.mill_action, MillAction::OpponentRemovesOwn | MillAction::CountAtTheEnd)
    }

    /// Whether a side that cannot move passes, so that the other has two turns in a row.
    #[inline]
    pub const fn may_pass(&self) -> bool {
        matches!(self.stalemate_action, StalemateAction::Passes)
    }

    /// Whether the side whose turn it is begins the moving phase, instead of a fixed one.
    #[inline]
    pub const fn alternates_after_placing(&self) -> bool {
        let goes_on = matches!(self.mill_action, MillAction::RemoveFromHandAndGoOn);
        self.may_move_in_placing
            || matches!(self.mill_action, MillAction::RemoveFromHand)
            || goes_on && self.may_remove_multiple
    }
}

impl Default for RuleSet {
    fn default() -> Self {
        Self::NINE_MENS_MORRIS
    }
}
