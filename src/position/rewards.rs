//! What a mill or a capture earns the side that moved.

use super::Position;
use crate::rules::{MillAction, Rules};

impl<R: Rules> Position<R> {
    /// Lets a slide that closed mills or made captures earn its removals.
    #[inline]
    pub(super) fn reward_slide(&mut self, closed: u32, captures: u32) {
        let earned = self.earned(closed);
        let owed = if earned > 0 { earned } else { captures };
        if owed > 0 {
            self.owe(owed);
        } else if self.rules().may_move_in_placing {
            self.end_turn();
        } else {
            self.pass_turn();
        }
    }

    /// Lets a placement that closed mills or made captures earn what the rules give.
    #[inline]
    pub(super) fn reward_placement(&mut self, closed: u32, captures: u32) {
        let earned = self.earned(closed);
        match self.rules().mill_action {
            MillAction::RemoveFromBoard | MillAction::RemoveAndMark => {
                self.owe_for_placement(earned, captures);
            }
            MillAction::RemoveFromHand => self.take_from_opponent(earned, captures, false),
            MillAction::RemoveFromHandAndGoOn => {
                self.take_from_opponent(earned, captures, earned > 0);
            }
            MillAction::OpponentRemovesOwn => {
                let debt = earned.min(self.men(!self.to_move()).len()) as i8;
                self.keyed.remember(|extras| extras.opponent_owes = -debt);
                self.owe_or_end(captures);
            }
            MillAction::CountAtTheEnd => self.owe_or_end(captures),
        }
    }

    /// How many men a number of mills closed at once is worth.
    #[inline]
    fn earned(&self, closed: u32) -> u32 {
        if self.rules().may_remove_multiple { closed } else { closed.min(1) }
    }

    /// Owes removals for a mill, for captures, or for both if the rules add them up.
    #[inline]
    fn owe_for_placement(&mut self, earned: u32, captures: u32) {
        let adds_up = earned == 0 || self.rules().may_remove_multiple;
        self.owe_or_end(if adds_up { earned + captures } else { earned });
    }

    /// Owes removals, or ends the turn if there are none.
    #[inline]
    fn owe_or_end(&mut self, owed: u32) {
        if owed > 0 { self.owe(owed) } else { self.end_turn() }
    }

    /// Owes removals, but no more than the opponent has men on the board.
    #[inline]
    fn owe(&mut self, owed: u32) {
        let men = self.men(!self.to_move());
        if men.is_empty() {
            self.end_turn_without_reward();
        } else {
            self.set_pending(owed.min(men.len()) as u8);
        }
    }

    #[cold]
    fn end_turn_without_reward(&mut self) {
        self.end_turn();
    }

    /// Takes men out of the opponent's hand; what the hand has not is owed from the board.
    fn take_from_opponent(&mut self, earned: u32, captures: u32, goes_on: bool) {
        let opponent = !self.to_move();
        let taken = earned.min(self.in_hand(opponent).into());
        for _ in 0..taken {
            self.keyed.take_from_hand(opponent);
            if self.has_fewer_men_than_needed(opponent) {
                return self.lose(opponent);
            }
        }
        let is_paid = earned == taken && captures == 0;
        if goes_on && is_paid {
            self.go_on_placing();
        } else {
            self.owe_for_placement(earned - taken, captures);
        }
    }
}
