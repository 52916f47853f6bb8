//! The end of a turn, and what becomes of the game when the last man has been placed.

use super::board::POINTS;
use super::position::{Phase, Side};
use super::{Mailbox, Outcome};

/// The rules for a full board, or one nearly full, are for games with so many men.
const MEN_TO_FILL_BOARD: usize = 12;

impl Mailbox {
    /// Ends the turn of a man that has arrived if it earns nothing to remove. A placement that
    /// takes from the hand may be followed by another.
    pub(super) fn finish_arrival(&mut self, is_mill_of_placement: bool) {
        let side = self.position.side;
        let goes_on = self.rules.number("MillFormationActionInPlacingPhase") == 2;
        if self.position.debt() != 0 {
            // the removals come first
        } else if is_mill_of_placement && goes_on {
            self.end_placing_turn(side, side);
        } else {
            self.finish_turn();
        }
    }

    /// Ends the turn of the side to act, which has removed all that it had to.
    pub(super) fn finish_turn(&mut self) {
        let (side, other) = (self.position.side, self.position.side.other());
        let removes_own = self.rules.number("MillFormationActionInPlacingPhase") == 3;
        if removes_own && self.position.owed[other as usize] < 0 {
            self.turn_to_own_removal(other);
        } else if self.position.phase == Phase::Placing {
            self.end_placing_turn(side, other);
        } else {
            self.begin_turn(other);
        }
    }

    /// A side whose opponent has closed a mill must remove its own men before it goes on. The
    /// placing phase does not end before.
    fn turn_to_own_removal(&mut self, side: Side) {
        self.position.turn_to(side);
        if self.position.hands_are_empty() {
            self.position.phase = Phase::Placing;
        }
    }

    /// Ends a turn of the placing phase, and with it the phase if that was the last one.
    pub(super) fn end_placing_turn(&mut self, mover: Side, next: Side) {
        self.stop_placing_on_two_points();
        if self.position.hands_are_empty() {
            self.end_placing(mover);
        } else {
            self.begin_turn(next);
        }
    }

    /// With two points left, the men still in hand may be out of the game.
    fn stop_placing_on_two_points(&mut self) {
        let may_stop = self.rules.is("StopPlacingWhenTwoEmptySquares")
            && self.rules.number("PiecesCount") == MEN_TO_FILL_BOARD;
        if may_stop && self.position.empty_points().len() <= 2 {
            self.position.in_hand = [0, 0];
        }
    }

    /// Begins the moving phase, for some games with removals.
    fn end_placing(&mut self, mover: Side) {
        self.position.marks.clear();
        for side in Side::BOTH {
            self.end_if_too_few(side);
        }
        if self.is_over() {
            return;
        }
        let mut first = self.first_to_move(mover);
        if self.rules.number("MillFormationActionInPlacingPhase") == 5 {
            self.position.owed = self.removals_by_mill_counts();
            self.limit_debts();
        } else if self.is_full() {
            first = self.owe_for_full_board(first);
        }
        self.begin_turn(first);
    }

    /// White moves first, or Black if it is so called for; in some games whoever is next.
    fn first_to_move(&self, mover: Side) -> Side {
        let alternates = match self.rules.number("MillFormationActionInPlacingPhase") {
            1 => true,
            2 => self.rules.is("MayRemoveMultiple"),
            _ => false,
        };
        if self.rules.is("IsDefenderMoveFirst") {
            Side::Black
        } else if alternates || self.rules.is("MayMoveInPlacingPhase") {
            mover.other()
        } else {
            Side::White
        }
    }

    /// What White and Black remove for the mills that they have closed while placing.
    fn removals_by_mill_counts(&self) -> [i32; 2] {
        let counts = Side::BOTH.map(|side| self.position.count_lines(side, &self.rules) as i32);
        match counts {
            [0, 0] => [-1, -1],
            [_, 0] => [2, 1],
            [0, _] => [1, 2],
            [white, black] if white > black => [black + 1, black],
            [white, black] if white < black => [white, white + 1],
            [white, black] => [white, black],
        }
    }

    /// Does every point hold a man?
    fn is_full(&self) -> bool {
        self.position.men.len() == POINTS.len()
    }

    /// What is to be removed from a full board, and who acts first.
    fn owe_for_full_board(&mut self, first: Side) -> Side {
        let defender = if self.rules.is("IsDefenderMoveFirst") { Side::Black } else { Side::White };
        let (owed, first) = match self.rules.number("BoardFullAction") {
            1 => ([1, 1], Side::White),
            2 => ([1, 1], Side::Black),
            3 if defender == Side::White => ([1, 0], defender),
            3 => ([0, 1], defender),
            _ => ([0, 0], first),
        };
        self.position.owed = owed;
        first
    }

    /// A full board from which nothing is to be removed may be White's loss, or a draw.
    pub(super) fn end_on_full_board(&mut self) {
        let is_at_rest = self.position.hands_are_empty() && self.position.nothing_is_owed();
        let outcome = match self.rules.number("BoardFullAction") {
            0 => Outcome::Win(Side::Black, "loseFullBoard"),
            4 => Outcome::Draw("drawFullBoard"),
            _ => return,
        };
        if self.is_full() && is_at_rest {
            self.position.side = Side::White;
            self.end(outcome);
        }
    }
}
