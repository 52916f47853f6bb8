//! A side that must move and can not.

use super::position::Phase;
use super::{Mailbox, Outcome};

impl Mailbox {
    /// Must the side to act move, and can not?
    fn is_blocked(&self) -> bool {
        let must_move = self.position.phase == Phase::Moving && self.position.nothing_is_owed();
        must_move && self.ways_of_men().is_empty()
    }

    /// Where a blocked side passes, the turn goes to the opponent, unless that is blocked too.
    pub(super) fn pass_if_blocked(&mut self) {
        let side = self.position.side;
        if self.rules.number("StalemateAction") == 1 && self.is_blocked() {
            self.position.turn_to(side.other());
            if self.is_blocked() {
                self.position.turn_to(side);
            }
        }
    }

    /// A blocked side loses, or it removes a man, or the game is drawn.
    pub(super) fn face_stalemate(&mut self) {
        if self.is_blocked() {
            match self.rules.number("StalemateAction") {
                0 => self.end(Outcome::Win(self.position.side.other(), "loseNoLegalMoves")),
                1 | 4 => self.end(Outcome::Draw("drawStalemateCondition")),
                _ => self.owe_for_stalemate(),
            }
        }
    }

    /// The blocked side removes a man and then moves (2) or passes (3), or both sides remove one
    /// and then it moves (5).
    fn owe_for_stalemate(&mut self) {
        self.position.owed[self.position.side as usize] = 1;
        match self.rules.number("StalemateAction") {
            2 => self.position.stalemate = 1,
            5 => {
                self.position.owed = [1, 1];
                self.position.stalemate = 2;
            }
            _ => {}
        }
    }

    /// After its removal the blocked side begins its turn again; if both remove, first the
    /// opponent does.
    pub(super) fn finish_removal_of_blocked(&mut self) {
        let side = self.position.side;
        let next = if self.position.stalemate == 1 { side } else { side.other() };
        if self.position.nothing_is_owed() {
            self.position.stalemate = 0;
        }
        self.begin_turn(next);
    }
}
