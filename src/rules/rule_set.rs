//! The rules of a game as values, and its rules for draws by history. The [module](super) explains
//! how to add a rule of the game.
//!
//! # Adding a rule for draws by history
//!
//! 1. A field of [`DrawRules`], with its range, its usual value, and a value for [`DrawRules::OFF`].
//! 2. `position/outcome.rs`: a kind of draw with its name; its sentence is in `game/sentences.rs`, and every
//!    `texts_*.js` of the page except the English one translates both. `game/mod.rs` detects the draw.
//!    `position/text/mfen/mod.rs` has its MFEN name, and `position/text/fields.rs` the draw to assume for a text
//!    that says only that the game is over.
//! 3. `protocol/options.rs`: the option.
//! 4. `search/draw.rs` and `search/tt.rs`: how the search detects it. `search/tablebase.rs` and
//!    `tablebase/best_play.rs`: what happens to wins that take too long. `search/engine.rs` and
//!    `learning/position.rs`: which results hold under other draw rules.
//! 5. The rule in `tests/common/mailbox/draws.rs`.
//!
//! A draw by the position alone needs no field here. It is detected in `position/stalemate.rs`; steps 2 and 5 apply
//! as well.

use bytemuck::{CheckedBitPattern, NoUninit};

use super::declarations::Choice;
use crate::board::{Diagonals, Side, SpanKind};

/// The rules of one mill game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools, reason = "the rules are independent")]
pub struct RuleSet {
    /// The men that each side has in hand at the start.
    pub men: u8,
    /// A side with fewer men than this, on the board and in hand, has lost.
    pub least_men: u8,
    /// Whether a side with few men may go to any empty point.
    pub may_fly: bool,
    /// The most men on the board with which a side flies.
    pub flying_men: u8,
    /// Whether men in hand count towards `flying_men`, so that a side with men in hand may fly too, if it may slide.
    pub flying_counts_hand: bool,
    /// Whether the corners of the rings are joined by diagonals.
    pub diagonals: Diagonals,
    /// What a mill closed by a placement earns.
    pub mill_action: MillAction,
    /// Whether a side with men in hand may slide instead of placing.
    pub may_move_in_placing: bool,
    /// Whether Black moves first once all men are placed.
    pub defender_moves_first: bool,
    /// Whether each of several mills closed at once earns a removal, instead of one for all.
    pub may_remove_multiple: bool,
    /// Whether men in mills may be removed while others are outside mills.
    pub may_remove_from_mills: bool,
    /// Whether a man that closed a mill may not go straight back to close one again.
    pub restricts_repeated_mills: bool,
    /// Whether a line stops counting as a mill once all its points have been in mills.
    pub uses_mills_once: bool,
    /// What happens when the last man fills the board.
    pub board_full_action: BoardFullAction,
    /// Whether placing ends when two points are left.
    pub stops_placing_at_two_empty: bool,
    /// What happens to a side that cannot move.
    pub stalemate_action: StalemateAction,
    /// Capture of a man between two men of the mover.
    pub custodian: CaptureRule,
    /// Capture of the two men on both sides of a man of the mover.
    pub intervention: CaptureRule,
    /// Capture of a man that is leapt over.
    pub leap: CaptureRule,
}

/// A way of capturing men without a mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools, reason = "the switches are independent")]
pub struct CaptureRule {
    /// Whether the game has this capture.
    pub is_on: bool,
    /// Whether it applies along the sides of the rings.
    pub on_square_edges: bool,
    /// Whether it applies along the spokes.
    pub on_cross_lines: bool,
    /// Whether it applies along the diagonals, if the board has them.
    pub on_diagonals: bool,
    /// Whether a side in the placing phase may capture.
    pub in_placing: bool,
    /// Whether a side in the moving phase may capture.
    pub in_moving: bool,
    /// Whether a side in the moving phase needs three men or fewer on the board to capture.
    pub only_with_few_men: bool,
}

impl CaptureRule {
    /// No capture. Switched on by `is_on` alone, it applies to all lines and phases.
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

    /// Whether the capture applies to lines of a kind.
    pub const fn is_along(self, kind: SpanKind) -> bool {
        match kind {
            SpanKind::SquareEdge => self.on_square_edges,
            SpanKind::CrossLine => self.on_cross_lines,
            SpanKind::Diagonal => self.on_diagonals,
        }
    }
}

impl RuleSet {
    /// The number of men of each side with which the two sides can fill the board.
    pub const MEN_TO_FILL_BOARD: u8 = 12;

    /// The fewest men with which a side may play on in any game.
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
    pub const fn flies(&self, men: u32, hand: u32) -> bool {
        let most = self.flying_men as u32;
        self.may_fly
            && if self.flying_counts_hand { men + hand <= most } else { hand == 0 && men <= most }
    }

    /// Whether the game has any capture without a mill.
    pub const fn has_captures(&self) -> bool {
        self.custodian.is_on || self.intervention.is_on || self.leap.is_on
    }

    /// Whether a side may have to remove men of its own.
    pub const fn removes_own(&self) -> bool {
        matches!(self.mill_action, MillAction::OpponentRemovesOwn | MillAction::CountAtTheEnd)
    }

    /// Whether a side that cannot move passes, so that the other has two turns in a row.
    pub const fn may_pass(&self) -> bool {
        matches!(self.stalemate_action, StalemateAction::Passes)
    }

    /// Whether the sides keep taking turns when the moving phase begins, instead of a fixed side moving first.
    pub const fn alternates_after_placing(&self) -> bool {
        let goes_on = matches!(self.mill_action, MillAction::RemoveFromHandAndGoOn);
        self.may_move_in_placing
            || matches!(self.mill_action, MillAction::RemoveFromHand)
            || goes_on && self.may_remove_multiple
    }

    /// Returns the side that begins the moving phase if a side has placed last.
    pub(crate) fn first_to_move(&self, last: Side) -> Side {
        if self.defender_moves_first {
            Side::Black
        } else if self.alternates_after_placing() {
            !last
        } else {
            Side::White
        }
    }

    /// Returns the side that removes a man first when placing has filled the board, and whether the other one then
    /// removes one too, or `None` if a full board ends the game.
    pub(crate) const fn removes_when_full(&self) -> Option<(Side, bool)> {
        let first = if self.defender_moves_first { Side::Black } else { Side::White };
        match self.board_full_action {
            BoardFullAction::WhiteLoses | BoardFullAction::Draw => None,
            BoardFullAction::BothRemoveWhiteFirst => Some((Side::White, true)),
            BoardFullAction::BothRemoveBlackFirst => Some((Side::Black, true)),
            BoardFullAction::FirstRemoves => Some((first, false)),
        }
    }
}

impl Default for RuleSet {
    fn default() -> Self {
        Self::NINE_MENS_MORRIS
    }
}

/// Declares the actions of a rule in numerical order, each with the help, summary and sentence of its [`Choice`].
macro_rules! actions {
    ($(#[$about:meta])* $rule:ident {
        $($(#[$doc:meta])* $action:ident => $help:literal, $summary:expr, $sentence:literal;)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, CheckedBitPattern, NoUninit)]
        #[repr(u8)]
        pub enum $rule {
            $($(#[$doc])* $action,)*
        }

        impl $rule {
            /// The descriptions of the actions, in numerical order.
            pub(super) const CHOICES: &'static [Choice] =
                &[$(Choice {
                    name: stringify!($action),
                    help: $help,
                    summary: $summary,
                    sentence: $sentence,
                }),*];

            /// The description of the action.
            pub(super) const fn choice(self) -> &'static Choice {
                &Self::CHOICES[self as usize]
            }
        }
    };
}

actions! {
    /// What a mill closed by a placement earns; one closed by a slide always earns a removal.
    MillAction {
        /// Remove one of the opponent's men.
        RemoveFromBoard => "a man on the board", "mills take from the board",
            "A side that closes a mill removes one of the opponent's men.";
        /// Take a man out of the opponent's hand; the turn passes.
        RemoveFromHand => "a man in hand", "mills take from the hand",
            "A mill closed by placing removes a man from the opponent's hand or, if that is \
             empty, from the board.";
        /// Take a man out of the opponent's hand, and play another turn.
        RemoveFromHandAndGoOn => "a man in hand, and another turn",
            "mills take from the hand and place again",
            "A mill closed by placing removes a man from the opponent's hand or, if that is \
             empty, from the board, and the same side places again.";
        /// The opponent removes one of its own men.
        OpponentRemovesOwn => "the opponent removes one of its own",
            "the opponent chooses what it loses",
            "A mill closed by placing makes the opponent remove one of its own men.";
        /// Remove a man and mark its point; neither side may use the point until all men are placed.
        RemoveAndMark => "a man, and its point is marked", "removed men leave marks",
            "A mill closed by placing removes one of the opponent's men and marks its point, \
             which nobody may use until all men are placed.";
        /// Nothing at once; when all men are placed, the numbers of mills decide how many men each side removes.
        CountAtTheEnd => "a count at the end", "mills count when all are placed",
            "A mill closed by placing removes nothing at once. Once all men are placed, each side \
             removes as many men as the side with fewer mills has mills, and the side with more \
             mills removes one more. If only one side has mills, it removes two men and the other \
             side one; if neither has any, each removes one of its own.";
    }
}

actions! {
    /// What happens when the last man fills the board and closes no mill. The sentences continue from there.
    BoardFullAction {
        /// White loses.
        WhiteLoses => "White loses", "a full board is lost for White", "White loses";
        /// Each side removes a man, White first; White moves first.
        BothRemoveWhiteFirst => "each removes, White first", "each removes on a full board",
            "each side removes a man, White first, and White moves";
        /// Each side removes a man, Black first; Black moves first.
        BothRemoveBlackFirst => "each removes, Black first", "each removes on a full board",
            "each side removes a man, Black first, and Black moves";
        /// The side that would move first removes a man, and the other moves first.
        FirstRemoves => "one removes", "one removes on a full board",
            "the side that would move removes a man and the other moves";
        /// The game is drawn.
        Draw => "a draw", "a full board is drawn", "it is a draw";
    }
}

impl MillAction {
    /// Whether a mill takes a man out of the opponent's hand.
    pub(crate) const fn takes_from_hand(self) -> bool {
        matches!(self, Self::RemoveFromHand | Self::RemoveFromHandAndGoOn)
    }
}

impl BoardFullAction {
    /// Whether a full board ends the game.
    pub const fn ends(self) -> bool {
        matches!(self, Self::WhiteLoses | Self::Draw)
    }
}

actions! {
    /// What happens to a side that cannot move.
    StalemateAction {
        /// The side loses.
        Loses => "loses", "blocked sides lose", "A side that cannot move loses.";
        /// The turn passes.
        Passes => "passes", BLOCKED,
            "A side that cannot move passes its turn; if both cannot, the game is drawn.";
        /// The side removes an opposing man next to one of its own, then moves.
        RemovesAndMoves => "removes and moves", BLOCKED,
            "A side that cannot move removes an opposing man next to one of its own, then moves.";
        /// The side removes an opposing man next to one of its own; the opponent moves.
        RemovesAndPasses => "removes and passes", BLOCKED,
            "A side that cannot move removes an opposing man next to one of its own, then the \
             opponent moves.";
        /// The game is drawn.
        Draw => "draws", BLOCKED, "If a side cannot move, the game is drawn.";
        /// The side removes an opposing man next to one of its own, then the opponent does, then the side moves.
        BothRemove => "both remove a man", BLOCKED,
            "A side that cannot move removes an opposing man next to one of its own; then the \
             opponent does the same, and the side moves.";
    }
}

const BLOCKED: &str = "blocked sides do not lose";

impl StalemateAction {
    /// Whether a side that cannot move removes a man.
    pub const fn removes(self) -> bool {
        matches!(self, Self::RemovesAndMoves | Self::RemovesAndPasses | Self::BothRemove)
    }

    /// The code of the action in texts and keys while removals are owed for it; 0 if what follows
    /// does not depend on the action.
    pub const fn code(self) -> u8 {
        match self {
            Self::RemovesAndMoves => 1,
            Self::BothRemove => 2,
            _ => 0,
        }
    }
}

/// When a game without progress is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRules {
    /// The number of slides by both sides, without a placement or removal, that draws the game.
    pub n_move: u16,
    /// The limit in the moving phase while a side has exactly three men on the board, effective
    /// only if smaller than `n_move`.
    pub endgame_n_move: u16,
    /// Whether the third occurrence of a position draws the game.
    pub threefold_repetition: bool,
}

impl DrawRules {
    /// The least and the greatest value of [`n_move`](Self::n_move).
    pub const N_MOVE_RANGE: [u32; 2] = [10, 200];
    /// The least and the greatest value of [`endgame_n_move`](Self::endgame_n_move).
    pub const ENDGAME_N_MOVE_RANGE: [u32; 2] = [5, 200];

    /// No draws by history, for example to count moves or compare searches.
    pub const OFF: Self =
        Self { n_move: u16::MAX, endgame_n_move: u16::MAX, threefold_repetition: false };

    /// The smaller of the two limits, before which neither form of the n-move rule draws.
    pub fn first_limit(self) -> u16 {
        self.n_move.min(self.endgame_n_move)
    }
}

impl Default for DrawRules {
    fn default() -> Self {
        Self { n_move: 100, endgame_n_move: 100, threefold_repetition: true }
    }
}
