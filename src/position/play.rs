//! Making and unmaking moves, and which men may be removed.
//!
//! ```text
//! place, slide -> reward --owed--> remove --owed--> remove ...
//!                   |                 |
//!                   +---- paid -------+--> end_turn --hands empty--> end_placing
//!                                             |                         |
//!                                             +--> pass_turn --> start_turn <--+
//!                                                      |             |
//!                                          pay_debt <--+             +--> meet_stalemate
//! ```
//!
//! Nine Men's Morris always takes the straight path: reward, one removal if a mill was closed, the
//! other side's turn. In other games, mills earn something else (`mills`), either side owes removals
//! when all men are placed (`placing_end`), or a side that cannot move removes a man (`stalemate`).

use super::{Move, MoveKind, Phase, Position};
use crate::board::{Side, Square, SquareSet, lines};
use crate::rules::{Extras, MillAction, Rules, StalemateAction};

/// What [`Position::undo_move`] needs to take back a move.
///
/// This is the whole position before the move, for Nine Men's Morris half a cache line.
#[derive(Clone, Copy, Debug)]
#[must_use = "pass this to `undo_move` to take the move back"]
pub struct Undo<R: Rules>(Position<R>);

impl<R: Rules> Position<R> {
    /// The position after a legal move.
    #[inline(always)]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut after = *self;
        let _ = after.do_move(mv);
        after
    }

    /// Plays a legal move.
    ///
    /// A placement or slide that closes a mill usually leaves the same side to move, with a removal owed.
    ///
    /// The search, and perft above its last two plies, modify one position with this and
    /// [`undo_move`](Self::undo_move). A new position in memory for each move would be written field by
    /// field and then copied whole, which stalls on the writes: perft took 1.8 times as long.
    ///
    /// ```
    /// use millstone::{position::Position, rules::RuleSet};
    ///
    /// let start = Position::start(RuleSet::NINE_MENS_MORRIS);
    /// let mut position = start;
    /// let undo = position.do_move("d6".parse()?);
    /// assert_eq!(position.count_moves(), 23);
    /// position.undo_move(undo);
    /// assert_eq!(position, start);
    /// # Ok::<(), millstone::Error>(())
    /// ```
    #[inline(always)]
    pub fn do_move(&mut self, mv: Move) -> Undo<R> {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        let undo = Undo(*self);
        match mv.kind() {
            MoveKind::Place(to) => self.place(to),
            MoveKind::Slide { from, to } => self.slide(from, to),
            MoveKind::Remove(man) => self.remove(man),
        }
        undo
    }

    /// Takes back the last move, given what [`do_move`](Self::do_move) returned.
    pub fn undo_move(&mut self, undo: Undo<R>) {
        *self = undo.0;
    }

    #[inline(always)]
    fn place(&mut self, to: Square) {
        self.keyed.take_from_own();
        self.keyed.flip_own(to);
        self.quiet_plies = 0;
        self.turns += 1;
        let (closed, captures) = self.arrive(None, to);
        self.reward_placement(closed, captures);
    }

    #[inline(always)]
    fn slide(&mut self, from: Square, to: Square) {
        let leapt = if self.rules().leap.is_on { self.leapt(from, to) } else { None };
        self.keyed.flip_own(from);
        self.keyed.flip_own(to);
        self.quiet_plies = self.quiet_plies.saturating_add(1);
        self.turns += 1;
        if let Some(man) = leapt {
            self.record_mills(Some(from), to, 0);
            return self.owe_leapt(man);
        }
        let (closed, captures) = self.arrive(Some(from), to);
        self.reward_slide(closed, captures);
    }

    /// Records the mills and captures of the man that has just moved, and returns their numbers.
    #[inline(always)]
    fn arrive(&mut self, from: Option<Square>, to: Square) -> (u32, u32) {
        let closed = self.count_closed(to, self.to_move(), self.own_men());
        self.record_mills(from, to, closed);
        let captures = if self.rules().has_captures() { self.find_captures(to) } else { 0 };
        (closed, captures)
    }

    /// Sets how many removals the side to move owes.
    #[inline(always)]
    pub(super) fn set_pending(&mut self, pending: u8) {
        let has_placed_last = self.phase == Phase::Placing && self.own_hand() == 0 && pending > 0;
        self.keyed.set_pending(pending, has_placed_last);
    }

    /// Ends the turn of the side to move, which owes nothing.
    #[inline(always)]
    pub(super) fn end_turn(&mut self) {
        let may_be_last = self.phase == Phase::Placing && self.extras().opponent_owes == 0;
        if may_be_last {
            self.stop_placing_early();
        }
        if may_be_last && self.are_hands_empty() {
            *self = self.after_placing();
            return;
        }
        self.pass_turn();
    }

    /// Gives the turn to the other side, which first removes what it owes.
    #[inline(always)]
    pub(super) fn pass_turn(&mut self) {
        self.keyed.pass_turn();
        if self.extras().opponent_owes != 0 {
            return self.pay_debt();
        }
        self.start_turn();
    }

    /// Gives the turn to a side.
    pub(super) fn set_turn(&mut self, side: Side) {
        if self.to_move() != side {
            self.keyed.pass_turn();
        }
    }

    /// Starts the turn of the side to move, which owes nothing.
    #[inline(always)]
    pub(super) fn start_turn(&mut self) {
        self.phase = self.phase_by_hand();
        if self.rules().stalemate_action != StalemateAction::Loses && self.is_stalemated() {
            self.meet_stalemate();
        }
    }

    pub(super) fn phase_by_hand(&self) -> Phase {
        if self.own_hand() > 0 { Phase::Placing } else { Phase::Moving }
    }

    pub(super) fn are_hands_empty(&self) -> bool {
        self.own_hand() == 0 && self.opponent_hand() == 0
    }

    /// The men that the side to move may remove if it owes a removal.
    ///
    /// Usually these are the opponent's men outside mills, or all of them if none is outside.
    pub fn removable(&self) -> SquareSet {
        let rules = self.rules();
        let extras = self.extras();
        if !extras.leapt.is_empty() {
            return extras.leapt;
        }
        let men = if extras.removes_own { self.own_men() } else { self.opponent_men() };
        if rules.has_captures() && extras.count_captures() > 0 {
            let targets = extras.custodian | extras.intervention;
            let has_choice = u32::from(self.pending()) > extras.count_captures();
            return if has_choice { self.unprotected(men) | targets } else { targets };
        }
        // What a stalemate earns must be next to one of the remover's men, if any is. So must every man
        // removed by a side that cannot move in the moving phase.
        if rules.stalemate_action.removes()
            && !extras.removes_own
            && self.phase == Phase::Moving
            && (extras.stalemate.is_some() || !self.can_slide())
        {
            let beside = men & lines::reach(self.own_men(), rules.diagonals);
            return if beside.is_empty() { men } else { beside };
        }
        self.unprotected(men)
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
        let has_captures = self.rules().has_captures();
        let owed = if has_captures { self.owed_after_choice(man) } else { self.pending() - 1 };
        self.set_pending(owed);
        if removes_own && self.has_too_few_men() {
            self.lose(self.to_move());
        } else if !removes_own && self.has_opponent_too_few_men() {
            self.lose(!self.to_move());
        } else if owed == 0 {
            self.finish_removals(removes_own);
        }
    }

    /// Ends the game with a loss for a side with too few men, and makes it the side to move.
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
