//! Which men may be removed, and what a removal leads to.

use super::{Phase, Position};
use crate::board::{Side, Square, SquareSet, lines};
use crate::rules::{Extras, MillAction, Rules, Stalemate};

impl<R: Rules> Position<R> {
    /// The men that the side to move may remove if it owes a removal.
    ///
    /// Usually those of the opponent outside mills, or all if none is outside.
    #[inline]
    #[must_use]
    pub fn removable(&self) -> SquareSet {
        let rules = self.rules();
        let extras = self.extras();
        if let Some(man) = extras.leapt {
            return SquareSet::of(man);
        }
        let owner = if extras.removes_own { self.to_move() } else { !self.to_move() };
        if rules.has_captures() && extras.count_captures() > 0 {
            let targets = extras.custodian | extras.intervention;
            let has_choice = u32::from(self.pending()) > extras.count_captures();
            return if has_choice { self.unprotected(owner) | targets } else { targets };
        }
        if rules.stalemate_action.removes() && !extras.removes_own && self.removes_beside() {
            return self.beside_own();
        }
        self.unprotected(owner)
    }

    /// Whether a removal is one of those that a stalemate earns: beside the remover's men.
    ///
    /// Also true of every removal by a side that cannot move in the moving phase.
    fn removes_beside(&self) -> bool {
        let is_stalemate = self.extras().stalemate != Stalemate::None;
        self.phase == Phase::Moving && (is_stalemate || !self.can_slide())
    }

    /// The men of the opponent beside those of the side to move; all if there are none.
    fn beside_own(&self) -> SquareSet {
        let men = self.men(!self.to_move());
        let beside = men & lines::reach(self.men(self.to_move()), self.rules().diagonals);
        if beside.is_empty() { men } else { beside }
    }

    /// Removes a man and continues with what is owed, or with the next turn.
    #[inline]
    pub(super) fn remove(&mut self, man: Square) {
        let removes_own = self.extras().removes_own;
        let owner = if removes_own { self.to_move() } else { !self.to_move() };
        self.keyed.flip_man(owner, man);
        self.quiet_plies = 0;
        if self.rules().mill_action == MillAction::RemoveAndMark && self.phase == Phase::Placing {
            self.keyed.remember(|extras| extras.marked = extras.marked.with(man));
        }
        let owed = self.owed_after_removal(man);
        self.set_pending(owed);
        if self.has_fewer_men_than_needed(owner) {
            self.lose(owner);
        } else if owed == 0 {
            self.finish_removals(removes_own);
        }
    }

    #[inline]
    fn owed_after_removal(&mut self, man: Square) -> u8 {
        if self.rules().has_captures() { self.owed_after_choice(man) } else { self.pending() - 1 }
    }

    /// Ends the game for a side with too few men, which is put to move.
    #[inline]
    pub(super) fn lose(&mut self, side: Side) {
        self.set_pending(0);
        if *self.extras() != Extras::NONE {
            self.keyed.remember(|extras| *extras = extras.without_debts());
        }
        self.set_turn(side);
        self.phase = self.phase_by_hand();
    }

    /// Continues after the last removal of a side.
    #[inline]
    fn finish_removals(&mut self, removed_own: bool) {
        if removed_own {
            self.keyed.remember(|extras| extras.removes_own = false);
            if self.rules().mill_action == MillAction::OpponentRemovesOwn {
                return self.go_on_after_own();
            }
        }
        match self.extras().stalemate {
            Stalemate::None => self.end_turn(),
            stalemate => self.finish_stalemate(stalemate),
        }
    }
}
