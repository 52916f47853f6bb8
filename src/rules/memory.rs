//! The state of a position beyond men, hands and turn.
//!
//! Nine Men's Morris has none; every other game has [`Extras`].

use super::rule_set::StalemateAction;
use crate::board::{BySide, Move, Square, SquareSet, Symmetry};

/// The extra state of any game. A field stays empty unless a rule uses it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Points that neither side may use until all men are placed.
    pub marked: SquareSet,
    /// The points of each side that were part of its mills.
    pub used: BySide<SquareSet>,
    /// The last move of each side, if it closed a mill.
    pub last_mills: BySide<Option<Move>>,
    /// Whether the side to move removes its own men.
    pub removes_own: bool,
    /// How many men the opponent has to remove at the start of its next turn; its own men if
    /// negative.
    pub opponent_owes: i8,
    /// What happens to the side that could not move and for which removals are owed, if what follows depends on it.
    pub stalemate: Option<StalemateAction>,
    /// The men of which the last move may capture one, by custodian capture.
    pub custodian: SquareSet,
    /// The men that the last move may capture together, by intervention.
    pub intervention: SquareSet,
    /// The man that the last move leapt over, which has to be removed.
    pub leapt: SquareSet,
    /// The man that a client wants captured by intervention, if there is a choice.
    pub preferred: SquareSet,
}

impl Extras {
    /// No extra state.
    pub const NONE: Self = Self {
        marked: SquareSet::EMPTY,
        used: BySide([SquareSet::EMPTY; 2]),
        last_mills: BySide([None; 2]),
        removes_own: false,
        opponent_owes: 0,
        stalemate: None,
        custodian: SquareSet::EMPTY,
        intervention: SquareSet::EMPTY,
        leapt: SquareSet::EMPTY,
        preferred: SquareSet::EMPTY,
    };

    /// How many men the captures of the last move remove.
    #[inline]
    pub fn count_captures(&self) -> u32 {
        u32::from(!self.custodian.is_empty()) + self.intervention.len()
    }

    /// These extras without captures.
    #[must_use]
    pub fn without_captures(self) -> Self {
        let none = SquareSet::EMPTY;
        Self { custodian: none, intervention: none, leapt: none, ..self }
    }

    /// These extras without captures and without owed removals.
    #[must_use]
    pub fn without_debts(self) -> Self {
        let rest = self.without_captures();
        Self { removes_own: false, opponent_owes: 0, stalemate: None, ..rest }
    }

    /// The image under a symmetry of the board.
    #[must_use]
    pub fn image(self, symmetry: Symmetry) -> Self {
        Self {
            marked: symmetry.set(self.marked),
            used: BySide(self.used.0.map(|set| symmetry.set(set))),
            last_mills: BySide(self.last_mills.0.map(|mill| mill.map(|mv| mv.image(symmetry)))),
            custodian: symmetry.set(self.custodian),
            intervention: symmetry.set(self.intervention),
            leapt: symmetry.set(self.leapt),
            preferred: symmetry.set(self.preferred),
            ..self
        }
    }

    /// The state as machine words: different for different states, zero for none.
    pub fn words(&self) -> [u64; 4] {
        let point = |square: Option<Square>| square.map_or(0, |square| square as u64 + 1);
        let mill = |mill: Option<Move>| {
            point(mill.and_then(Move::origin)) << 5 | point(mill.map(Move::target))
        };
        let [white, black] = self.used.0.map(|set| u64::from(set.bits()));
        let [white_mill, black_mill] = self.last_mills.0.map(mill);
        [
            white << 24 | black,
            u64::from(self.marked.bits()) << 24 | white_mill << 10 | black_mill,
            u64::from(self.custodian.bits()) << 24 | u64::from(self.intervention.bits()),
            point(self.leapt.first()) << 24
                | point(self.preferred.first()) << 16
                | u64::from(self.opponent_owes.cast_unsigned()) << 8
                | u64::from(self.removes_own) << 7
                | u64::from(self.stalemate.map_or(0, StalemateAction::code)),
        ]
    }
}
