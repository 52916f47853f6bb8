//! Which men may be removed, and what a removal leads to.

use super::{Phase, Position};
use crate::board::{Side, Square, SquareSet, lines};
use crate::rules::{Extras, MillAction, Rules};

impl<R: Rules> Position<R> {
    /// The men that the side to move may remove if it owes a removal.
    ///
    /// Usually those of the opponent outside mills, or all if none is outside.
    #[inline]
    pub fn removable(&self) -> SquareSet {
        let rules = self.rules();
        let extras = self.extras();
        if let Some(man) = extras.leapt {
            return SquareSet::of(man);
        }
        let men = if extras.removes_own { self.own_men() } else { self.opponent_men() };
        if rules.has_captures() && extras.count_captures() > 0 {
            let targets = extras.custodian | extras.intervention;
            let has_choice = u32::from(self.pending()) > extras.count_captures();
            return if has_choice { self.unprotected(men) | targets } else { targets };
        }
        if rules.stalemate_action.removes() && !extras.removes_own && self.removes_beside() {
            return self.beside_own();
        }
        self.unprotected(men)
    }

    /// Whether a removal is one of those that a stalemate earns: beside the remover's men.
    ///
    /// Also true of every removal by a side that cannot move in the moving phase.
    fn removes_beside(&self) -> bool {
        let is_stalemate = self.extras().stalemate.is_some();
        self.phase == Phase::Moving && (is_stalemate || !self.can_slide())
    }

    /// The men of the opponent beside those of the side to move; all if there are none.
    fn beside_own(&self) -> SquareSet {
        let men = self.opponent_men();
        let beside = men & lines::reach(self.own_men(), self.rules().diagonals);
        if beside.is_empty() { men } else { beside }
    }

    /// Removes a man and continues with what is owed, or with the next turn.
    #[inline(always)]
    pub(super) fn remove(&mut self, man: Square) {
        let removes_own = self.extras().removes_own;
        if removes_own {
            self.keyed.flip_own(man);
        } else {
            self.keyed.flip_opponent(man);
        }
        self.quiet_plies = 0;
        if self.rules().mill_action == MillAction::RemoveAndMark && self.phase == Phase::Placing {
            self.keyed.remember(|extras| extras.marked = extras.marked.with(man));
        }
        let owed = self.owed_after_removal(man);
        self.set_pending(owed);
        if removes_own && self.has_too_few_men() {
            self.lose(self.to_move());
        } else if !removes_own && self.has_opponent_too_few_men() {
            self.lose(!self.to_move());
        } else if owed == 0 {
            self.finish_removals(removes_own);
        }
    }

    #[inline]
    fn owed_after_removal(&mut self, man: Square) -> u8 {
        if self.rules().has_captures() { self.owed_after_choice(man) } else { self.pending() - 1 }
    }

    /// Ends the game for a side with too few men, which is put to move.
    #[inline(always)]
    pub(super) fn lose(&mut self, side: Side) {
        self.set_pending(0);
        if *self.extras() != Extras::NONE {
            self.keyed.remember(|extras| *extras = extras.without_debts());
        }
        self.set_turn(side);
        self.phase = self.phase_by_hand();
    }

    /// Continues after the last removal of a side.
    #[inline(always)]
    fn finish_removals(&mut self, removed_own: bool) {
        if removed_own {
            self.keyed.remember(|extras| extras.removes_own = false);
            if self.rules().mill_action == MillAction::OpponentRemovesOwn {
                return self.go_on_after_own();
            }
        }
        match self.extras().stalemate {
            None => self.end_turn(),
            Some(action) => self.finish_stalemate(action),
        }
    }
}
