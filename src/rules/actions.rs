//! The actions that some rules choose from, each with its name and what it means in words.

use bytemuck::{CheckedBitPattern, NoUninit};

use super::rule::Choice;

/// Declares the actions of a rule in the order of their numbers, each with help, summary and sentence of its
/// [`Choice`].
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
            /// What each of them means, in the order of their numbers.
            pub(super) const CHOICES: &'static [Choice] =
                &[$(Choice {
                    name: stringify!($action),
                    help: $help,
                    summary: $summary,
                    sentence: $sentence,
                }),*];

            /// What the action means.
            pub(super) const fn choice(self) -> &'static Choice {
                &Self::CHOICES[self as usize]
            }
        }
    };
}

actions! {
    /// What a mill closed by a placement earns; one closed by a slide always earns a removal.
    MillAction {
        /// The removal of a man of the opponent.
        RemoveFromBoard => "a man on the board", "mills take from the board",
            "A side that closes a mill removes one of the opponent's men.";
        /// A man out of the opponent's hand; the turn passes.
        RemoveFromHand => "a man in hand", "mills take from the hand",
            "A mill closed by placing removes a man from the opponent's hand or, if that is \
             empty, from the board.";
        /// A man out of the opponent's hand, and another turn.
        RemoveFromHandAndGoOn => "a man in hand, and another turn",
            "mills take from the hand and place again",
            "A mill closed by placing removes a man from the opponent's hand or, if that is \
             empty, from the board, and the same side places again.";
        /// The opponent removes one of its own men.
        OpponentRemovesOwn => "the opponent removes one of its own",
            "the opponent chooses what it loses",
            "A mill closed by placing makes the opponent remove one of its own men.";
        /// A removal that marks the point; neither side may use it until all men are placed.
        RemoveAndMark => "a man, and its point is marked", "removed men leave marks",
            "A mill closed by placing removes one of the opponent's men and marks its point, \
             which nobody may use until all men are placed.";
        /// Nothing; when all men are placed, each side removes men by the numbers of mills.
        CountAtTheEnd => "a count at the end", "mills count when all are placed",
            "A mill closed by placing removes nothing at once. Once all men are placed, each side \
             removes as many men as the side with fewer mills has mills, and the side with more \
             mills removes one more. If only one side has mills, it removes two men and the other \
             side one; if neither has any, each removes one of its own.";
    }
}

actions! {
    /// What happens when the last man fills the board and closes no mill. The sentence of each goes on from that.
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

impl BoardFullAction {
    /// Whether a full board ends the game.
    pub const fn ends(self) -> bool {
        matches!(self, Self::WhiteLoses | Self::Draw)
    }
}

actions! {
    /// What happens to a side that cannot move.
    StalemateAction {
        /// It loses.
        Loses => "loses", "blocked sides lose", "A side that cannot move loses.";
        /// Its turn passes.
        Passes => "passes", BLOCKED,
            "A side that cannot move passes its turn; if both cannot, the game is drawn.";
        /// It removes a man next to one of its own, and moves.
        RemovesAndMoves => "removes and moves", BLOCKED,
            "A side that cannot move removes an opposing man next to one of its own, then moves.";
        /// It removes a man next to one of its own; the opponent moves.
        RemovesAndPasses => "removes and passes", BLOCKED,
            "A side that cannot move removes an opposing man next to one of its own, then the \
             opponent moves.";
        /// The game is drawn.
        Draw => "draws", BLOCKED, "If a side cannot move, the game is drawn.";
        /// It removes a man next to one of its own, then the opponent does, then it moves.
        BothRemove => "both remove a man", BLOCKED,
            "A side that cannot move removes an opposing man next to one of its own; then the \
             opponent does the same, and the side moves.";
    }
}

const BLOCKED: &str = "blocked sides do not lose";

impl StalemateAction {
    /// Whether a side that cannot move removes a man.
    #[inline]
    pub const fn removes(self) -> bool {
        matches!(self, Self::RemovesAndMoves | Self::RemovesAndPasses | Self::BothRemove)
    }

    /// The number by which texts and keys tell why removals are owed; 0 if what follows them does not depend on it.
    pub const fn code(self) -> u8 {
        match self {
            Self::RemovesAndMoves => 1,
            Self::BothRemove => 2,
            _ => 0,
        }
    }
}
