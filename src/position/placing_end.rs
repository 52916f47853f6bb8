//! The end of the placing phase, and the removals that follow it in some games.

use super::{Phase, Position};
use crate::board::{BySide, Side, SquareSet, lines};
use crate::rules::{MillAction, RuleSet, Rules};

/// The number of empty points at which placing stops early.
const POINTS_LEFT: u32 = 2;

impl<R: Rules> Position<R> {
    /// Empties both hands where the rules end placing when two points are left.
    pub(super) fn stop_placing_early(&mut self) {
        let rules = self.rules();
        if rules.stops_placing_at_two_empty
            && rules.men == RuleSet::MEN_TO_FILL_BOARD
            && self.empty().len() <= POINTS_LEFT
        {
            (0..self.own_hand()).for_each(|_| self.keyed.take_from_own());
            (0..self.opponent_hand()).for_each(|_| self.keyed.take_from_opponent());
        }
    }

    /// Gives the side to move another turn, for a mill that took a man out of the opponent's hand.
    pub(super) fn go_on_placing(&mut self) {
        self.stop_placing_early();
        if self.are_hands_empty() { self.end_placing() } else { self.start_turn() }
    }

    /// Continues after a side has removed its own men. Its turn comes next, unless placing ends.
    pub(super) fn go_on_after_own(&mut self) {
        let is_last = self.phase == Phase::Placing || !self.are_hands_empty();
        self.stop_placing_early();
        if is_last && self.are_hands_empty() {
            // The side that closed the mill ends the placing phase with its turn.
            self.keyed.pass_turn();
            self.end_placing();
        } else {
            self.start_turn();
        }
    }

    /// Begins the moving phase after the turn of the side to move.
    ///
    /// Takes and returns the position by value, so that callers that keep it in registers need not
    /// spill it to memory for this rare case.
    #[cold]
    #[inline(never)]
    pub(super) fn after_placing(mut self) -> Self {
        self.end_placing();
        self
    }

    /// Begins the moving phase, once the turn of the side to move has ended.
    fn end_placing(&mut self) {
        let rules = *self.rules();
        if rules.mill_action == MillAction::RemoveAndMark {
            self.keyed.remember(|extras| extras.marked = SquareSet::EMPTY);
        }
        let is_short = |side: &Side| self.count_men(*side) < rules.least_men;
        if rules.stops_placing_at_two_empty
            && let Some(loser) = Side::ALL.into_iter().find(is_short)
        {
            return self.lose(loser);
        }
        self.set_turn(rules.first_to_move(self.to_move()));
        self.phase = Phase::Moving;
        if rules.mill_action == MillAction::CountAtTheEnd {
            self.owe_by_mills();
        } else if rules.men == RuleSet::MEN_TO_FILL_BOARD && self.empty().is_empty() {
            self.meet_full_board();
        } else {
            self.start_turn();
        }
    }

    /// Sets both debts from the numbers of mills on the board; the side to move removes first.
    fn owe_by_mills(&mut self) {
        let count = |side| lines::count_mills(self.men(side), self.rules().diagonals) as i8;
        let (white, black) = match (count(Side::White), count(Side::Black)) {
            (0, 0) => (-1, -1),
            (_, 0) => (2, 1),
            (0, _) => (1, 2),
            (white, black) if white == black => (white, black),
            (white, black) if white > black => (black + 1, black),
            (white, _) => (white, white + 1),
        };
        let debts = BySide([white, black]);
        self.owe_each(debts[self.to_move()], debts[!self.to_move()]);
    }

    /// Applies the full-board rule.
    fn meet_full_board(&mut self) {
        let Some((first, do_both)) = self.rules().removes_when_full() else {
            return self.set_turn(Side::White);
        };
        self.set_turn(first);
        self.owe_each(1, do_both.into());
    }

    /// Makes both sides owe removals; of their own men if negative.
    fn owe_each(&mut self, own: i8, opponent: i8) {
        self.owe_now(own);
        let debt = self.payable(opponent, !self.to_move());
        self.keyed.remember(|extras| extras.opponent_owes = debt);
    }

    /// Turns the debt of the side to move into removals that it has to make now.
    pub(super) fn pay_debt(&mut self) {
        let debt = self.extras().opponent_owes;
        self.keyed.remember(|extras| extras.opponent_owes = 0);
        let is_end_of_placing = self.phase == Phase::Placing && self.are_hands_empty();
        if !is_end_of_placing {
            self.phase = self.phase_by_hand();
        }
        self.owe_now(debt);
    }

    fn owe_now(&mut self, debt: i8) {
        let debt = self.payable(debt, self.to_move());
        self.keyed.remember(|extras| extras.removes_own = debt < 0);
        self.set_pending(debt.unsigned_abs());
    }

    /// A debt of a side, limited to the men that there are to remove.
    fn payable(&self, debt: i8, side: Side) -> i8 {
        let victim = if debt < 0 { side } else { !side };
        let most = self.men(victim).len() as i8;
        debt.clamp(-most, most)
    }
}
