//! What is owed for mills and captures, which men may be removed, and what a removal settles.

use super::Mailbox;
use super::board::{POINTS, point_named, ways};
use super::position::{Phase, Side};

impl Mailbox {
    /// What the man that has just arrived earns.
    pub(super) fn earn(&mut self, from: Option<&'static str>, to: &'static str) {
        let is_placement = from.is_none();
        let closed = self.record_mills(from, to);
        self.position.claims = self.claims_of(to);
        self.position.preferred = None;
        let earned = if self.rules.is("MayRemoveMultiple") { closed } else { closed.min(1) };
        let from_board = if is_placement { self.pay_for_placement(earned) } else { earned };
        if self.outcome.is_none() {
            self.owe(from_board, is_placement);
            self.finish_arrival(is_placement && earned > 0);
        }
    }

    /// Keeps what is to be kept of the mills that a move closed, or did not; tells their number.
    fn record_mills(&mut self, from: Option<&'static str>, to: &'static str) -> usize {
        let mills = self.position.mills_at(to, &self.rules);
        if mills.is_empty() {
            self.forget_mill(from.is_none());
        } else {
            self.write_down(&mills);
            self.remember_mill(from, to);
        }
        mills.len()
    }

    /// A mill closed by a placement may have a price of its own. Tells what is left to be removed
    /// from the board.
    fn pay_for_placement(&mut self, earned: usize) -> usize {
        match self.rules.number("MillFormationActionInPlacingPhase") {
            1 | 2 => earned - self.take_from_hand(earned),
            3 => {
                self.position.owed[self.position.side.other() as usize] = -(earned as i32);
                0
            }
            5 => 0,
            _ => earned,
        }
    }

    /// Takes so many men out of the opponent's hand, or as many as there are, one after the other.
    fn take_from_hand(&mut self, number: usize) -> usize {
        let victim = self.position.side.other();
        let mut taken = 0;
        while taken < number && self.position.in_hand[victim as usize] > 0 && !self.is_over() {
            self.position.in_hand[victim as usize] -= 1;
            taken += 1;
            self.end_if_too_few(victim);
        }
        taken
    }

    /// The removals of the side to act: for mills, or for captures, or, if a placement may remove
    /// several men, for both together.
    fn owe(&mut self, for_mills: usize, is_placement: bool) {
        let for_captures = self.position.claims.count();
        let number = match for_mills {
            0 => for_captures,
            _ if is_placement && self.rules.is("MayRemoveMultiple") => for_mills + for_captures,
            _ => for_mills,
        };
        self.position.owed[self.position.side as usize] = number as i32;
        self.limit_debts();
    }

    /// Nobody owes more removals than there are men to remove.
    pub(super) fn limit_debts(&mut self) {
        for side in Side::BOTH {
            let own = self.position.on_board(side) as i32;
            let foreign = self.position.on_board(side.other()) as i32;
            let debt = &mut self.position.owed[side as usize];
            *debt = (*debt).clamp(-own, foreign);
        }
    }

    /// Every man that may be removed now.
    pub(super) fn removals(&self) -> Vec<String> {
        self.targets().iter().map(|point| format!("x{point}")).collect()
    }

    fn targets(&self) -> Vec<&'static str> {
        let (debt, claims) = (self.position.debt(), &self.position.claims);
        if debt < 0 {
            self.position.unprotected(self.position.side, &self.rules)
        } else if let Some(leapt) = claims.leapt {
            vec![leapt]
        } else if claims.count() > 0 {
            self.targets_with_captures()
        } else if self.removes_neighbours() {
            self.neighbours_to_remove()
        } else {
            self.unprotected_men()
        }
    }

    /// The men that can be captured; with them all others, if more is owed than captures take.
    fn targets_with_captures(&self) -> Vec<&'static str> {
        let claims = &self.position.claims;
        let captured = [&claims.custodian[..], &claims.intervention].concat();
        if self.position.debt() as usize <= claims.count() {
            return captured;
        }
        let unprotected = self.unprotected_men();
        let mut targets = POINTS.to_vec();
        targets.retain(|point| captured.contains(point) || unprotected.contains(point));
        targets
    }

    /// Where a blocked side removes men, whoever has no move must make room for itself.
    fn removes_neighbours(&self) -> bool {
        let makes_room = matches!(self.rules.number("StalemateAction"), 2 | 3 | 5);
        let is_moving = self.position.phase == Phase::Moving;
        let is_in_need = self.position.stalemate > 0 || self.ways_of_men().is_empty();
        makes_room && is_moving && is_in_need
    }

    /// The opponent's men next to own men, in mills or not; all if there are none.
    fn neighbours_to_remove(&self) -> Vec<&'static str> {
        let ways = ways(&self.rules);
        let is_near =
            |man: &&str| ways.iter().any(|(from, to)| to == man && self.position.is_own(from));
        let men = self.position.points_of(self.position.side.other());
        let near: Vec<_> = men.iter().copied().filter(is_near).collect();
        if near.is_empty() { men } else { near }
    }

    /// Takes a man out of the game. Its side loses at once if it has too few left.
    pub(super) fn remove(&mut self, target: &str) {
        let point = point_named(target);
        let victim = self.position.men.remove(point).expect("there is a man to remove");
        let is_own = victim == self.position.side;
        self.forget_slides();
        self.leave_mark(point, victim);
        self.end_if_too_few(victim);
        if !self.is_over() {
            self.pay_off(point);
            self.finish_removal(is_own);
        }
    }

    /// The opponent's men that are removed while men are placed may leave marks.
    fn leave_mark(&mut self, point: &'static str, victim: Side) {
        let leaves_marks = self.rules.number("MillFormationActionInPlacingPhase") == 4;
        let is_foreign = victim != self.position.side;
        if leaves_marks && is_foreign && self.position.phase == Phase::Placing {
            self.position.marks.insert(point);
        }
    }

    /// The first removal decides between captures and mills: of two men between which one has
    /// come the other must follow, a man between two is all, any other man is for a mill.
    fn pay_off(&mut self, point: &'static str) {
        let debt = self.position.debt();
        let mut claims = std::mem::take(&mut self.position.claims);
        let left = if claims.intervention.contains(&point) {
            claims.intervention.retain(|other| *other != point);
            self.position.claims.intervention = claims.intervention;
            self.position.claims.intervention.len() as i32
        } else if claims.custodian.contains(&point) {
            0
        } else {
            debt - debt.signum()
        };
        self.position.owed[self.position.side as usize] = left;
        self.limit_debts();
    }

    /// Goes on after a removal, as it came about.
    fn finish_removal(&mut self, is_own: bool) {
        let (side, other) = (self.position.side, self.position.side.other());
        if self.position.debt() != 0 {
            // there is more to remove
        } else if self.position.stalemate > 0 {
            self.finish_removal_of_blocked();
        } else if is_own && self.rules.number("MillFormationActionInPlacingPhase") == 3 {
            self.end_placing_turn(other, side); // it was the turn of whoever closed the mill
        } else {
            self.finish_turn();
        }
    }

    /// Has this side too few men left, on the board and in hand?
    pub(super) fn has_too_few(&self, side: Side) -> bool {
        let men = self.position.on_board(side) + self.position.in_hand[side as usize];
        men < self.rules.number("PiecesAtLeastCount")
    }
}
