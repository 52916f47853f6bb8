//! Mills: which ones a man closes, what they and captures earn the side that moved, and what some
//! games remember about them.

use super::{Move, MoveKind, Position};
use crate::board::{Side, Square, SquareSet, lines};
use crate::rules::{MillAction, Rules};

impl<R: Rules> Position<R> {
    /// How many mills a man of the side closes on a point, with the others of its men in `men`.
    ///
    /// Where mills are used once, a line whose points were all used is none.
    #[inline]
    pub fn count_closed(&self, to: Square, side: Side, men: SquareSet) -> u32 {
        let rules = self.rules();
        if !rules.uses_mills_once {
            return lines::count_closed(to, men, rules.diagonals);
        }
        let used = self.extras().used[side];
        self.closed_lines(to, men).filter(|line| !used.contains_all(*line)).count() as u32
    }

    /// The complete lines through a point that holds a man of the side, or is about to.
    fn closed_lines(&self, to: Square, men: SquareSet) -> impl Iterator<Item = SquareSet> {
        let lines = lines::lines(self.rules().diagonals).iter().copied();
        lines.filter(move |line| line.contains(to) && men.contains_all(line.without(to)))
    }

    /// Remembers a move that closed `closed` mills, in games whose rules depend on it.
    #[inline]
    pub(super) fn record_mills(&mut self, from: Option<Square>, to: Square, closed: u32) {
        if self.rules().uses_mills_once && closed > 0 {
            self.record_used(to);
        }
        if self.rules().restricts_repeated_mills {
            let mv = from.map_or(Move::place(to), |from| Move::slide(from, to));
            self.record_last_mill(mv, closed > 0);
        }
    }

    fn record_used(&mut self, to: Square) {
        let side = self.to_move();
        let closed = self.closed_lines(to, self.men(side));
        let points = closed.fold(SquareSet::EMPTY, |points, line| points | line);
        self.keyed.remember(|extras| extras.used[side] |= points);
    }

    /// A placement that closes no mill does not overwrite the remembered placement.
    fn record_last_mill(&mut self, mv: Move, closes: bool) {
        let side = self.to_move();
        self.keyed.remember(|extras| {
            let last = &mut extras.last_mills[side];
            let slid = |mv: Move| mv.origin().is_some();
            if closes {
                *last = Some(mv);
            } else if slid(mv) || last.is_some_and(slid) {
                *last = None;
            }
        });
    }

    /// The point to which a man of the side to move may not go back at once, to close a mill again
    /// where it came from.
    pub(super) fn forbidden_return(&self, from: Square) -> SquareSet {
        let side = self.to_move();
        let men = self.men(side);
        match self.extras().last_mills[side].map(Move::kind) {
            Some(MoveKind::Slide { from: origin, to })
                if to == from
                    && self.count_closed(from, side, men) > 0
                    && self.count_closed(origin, side, men.without(from)) > 0 =>
            {
                SquareSet::of(origin)
            }
            _ => SquareSet::EMPTY,
        }
    }

    /// Owes the removals that a slide earns by mills or captures, or ends the turn.
    #[inline(always)]
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

    /// Applies the reward of the rules to a placement that closed mills or made captures.
    #[inline(always)]
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
                let debt = earned.min(self.opponent_men().len()) as i8;
                self.keyed.remember(|extras| extras.opponent_owes = -debt);
                self.owe_or_end(captures);
            }
            MillAction::CountAtTheEnd => self.owe_or_end(captures),
        }
    }

    /// How many removals `closed` mills earn that one move closed.
    #[inline]
    fn earned(&self, closed: u32) -> u32 {
        if self.rules().may_remove_multiple { closed } else { closed.min(1) }
    }

    /// Owes removals for a mill, for captures, or for both if the rules add them up.
    #[inline(always)]
    fn owe_for_placement(&mut self, earned: u32, captures: u32) {
        let adds_up = earned == 0 || self.rules().may_remove_multiple;
        self.owe_or_end(if adds_up { earned + captures } else { earned });
    }

    /// Owes removals, or ends the turn if there are none.
    #[inline(always)]
    fn owe_or_end(&mut self, owed: u32) {
        if owed > 0 { self.owe(owed) } else { self.end_turn() }
    }

    /// Owes removals, but no more than the opponent has men on the board.
    #[inline(always)]
    fn owe(&mut self, owed: u32) {
        let men = self.opponent_men();
        if men.is_empty() {
            *self = self.without_reward();
        } else {
            self.set_pending(owed.min(men.len()) as u8);
        }
    }

    #[cold]
    #[inline(never)]
    fn without_reward(mut self) -> Self {
        self.end_turn();
        self
    }

    /// Takes men out of the opponent's hand; men missing from the hand are removed from the board
    /// instead.
    fn take_from_opponent(&mut self, earned: u32, captures: u32, goes_on: bool) {
        let taken = earned.min(self.opponent_hand().into());
        for _ in 0..taken {
            self.keyed.take_from_opponent();
            if self.has_opponent_too_few_men() {
                return self.lose(!self.to_move());
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
