//! Mills and captures: which ones a move makes, what they earn, and what some games remember of mills.
//!
//! A capture needs no mill. A man that arrives at one end of a line captures as *custodian* the opponent's
//! man in the middle if its own side holds the other end. A man that arrives in the middle captures by
//! *intervention* the opponent's men at both ends. A man that *leaps* from one end to the other captures
//! the man in the middle, and nothing else. Mills protect men from captures as from ordinary removals.

use super::{Move, Phase, Position};
use crate::board::{Side, Span, Square, SquareSet, lines, spans};
use crate::rules::{CaptureRule, Extras, MillAction, Rules};

impl<R: Rules> Position<R> {
    /// The number of mills that a man of the side closes on the point `to`, with the side's other men in `men`.
    ///
    /// In games where mills count once, a line whose points have all been used does not count.
    pub fn count_closed(&self, to: Square, side: Side, men: SquareSet) -> u32 {
        let rules = self.rules();
        if !rules.uses_mills_once {
            return lines::count_closed(to, men, rules.diagonals);
        }
        self.closed_lines(to, side, men).count() as u32
    }

    /// The lines that a legal move of the side to move closes, as far as they count: up to three.
    pub fn mills_closed_by(&self, mv: Move) -> Vec<SquareSet> {
        if mv.is_removal() || self.is_leap(mv) {
            return Vec::new();
        }
        let men = mv.origin().map_or(self.own_men(), |from| self.own_men().without(from));
        self.closed_lines(mv.target(), self.to_move(), men).collect()
    }

    /// The lines through a point that are complete once it holds a man of the side, as far as they count.
    fn closed_lines(
        &self,
        to: Square,
        side: Side,
        men: SquareSet,
    ) -> impl Iterator<Item = SquareSet> {
        let used = self.extras().used[side];
        let partners = lines::partners(to, self.rules().diagonals).iter();
        let complete = partners.filter(move |partners| men.contains_all(**partners));
        complete
            .map(move |partners| partners.with(to))
            .filter(move |line| !used.contains_all(*line))
    }

    /// Remembers a move that closed `closed` mills, in games whose rules depend on it.
    pub(super) fn record_mills(&mut self, from: Option<Square>, to: Square, closed: u32) {
        let side = self.to_move();
        if self.rules().uses_mills_once && closed > 0 {
            let lines = self.closed_lines(to, side, self.own_men());
            let points = lines.fold(SquareSet::EMPTY, |points, line| points | line);
            self.keyed.remember(|extras| extras.used[side] |= points);
        }
        if self.rules().restricts_repeated_mills {
            self.keyed.remember(|extras| {
                let last = &mut extras.last_mills[side];
                if closed > 0 {
                    *last = Some(from.map_or(Move::place(to), |from| Move::slide(from, to)));
                } else if from.is_some() || last.is_some_and(|mv| mv.origin().is_some()) {
                    // A placement that closes no mill does not overwrite another.
                    *last = None;
                }
            });
        }
    }

    /// The point, if any, to which the man on `from` may not move straight back, since it would
    /// close another mill there.
    pub(super) fn forbidden_return(&self, from: Square) -> SquareSet {
        let side = self.to_move();
        let men = self.men(side);
        let last = self.extras().last_mills[side].filter(|mv| mv.target() == from);
        let closes = |to, men| self.count_closed(to, side, men) > 0;
        let closes_again = |to: &Square| closes(from, men) && closes(*to, men.without(from));
        last.and_then(Move::origin).filter(closes_again).into_iter().collect()
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

    /// The number of removals that a move earns by closing `closed` mills.
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

    /// The lines along which a rule lets the side to move capture, given its phase and number of men.
    fn spans_of(&self, rule: CaptureRule) -> impl Iterator<Item = Span> {
        let is_few = self.own_men().len() <= CaptureRule::FEW_MEN;
        let is_allowed = rule.is_on
            && match self.phase {
                Phase::Placing => rule.in_placing,
                Phase::Moving => rule.in_moving && (is_few || !rule.only_with_few_men),
            };
        let spans = spans(self.rules().diagonals).iter().copied();
        spans.filter(move |span| is_allowed && rule.is_along(span.kind))
    }

    /// The man that a slide leaps over and captures, if any.
    pub(super) fn leapt(&self, from: Square, to: Square) -> Option<Square> {
        let mut spans = self.spans_of(self.rules().leap).filter(|_| self.own_hand() == 0);
        let span = spans.find(|span| span.other_end(from) == Some(to))?;
        self.unprotected(self.opponent_men()).contains(span.middle).then_some(span.middle)
    }

    /// Whether a legal move of the side to move is a leap.
    pub fn is_leap(&self, mv: Move) -> bool {
        let leaps = |from| self.leapt(from, mv.target()).is_some();
        self.rules().leap.is_on && mv.origin().is_some_and(leaps)
    }

    /// The empty points to which a man of the side to move leaps.
    pub(super) fn leaps(&self, from: Square) -> SquareSet {
        self.empty().into_iter().filter(|&to| self.leapt(from, to).is_some()).collect()
    }

    /// Records what an arriving man captures, except by a leap, and returns the number of captured men.
    pub(super) fn find_captures(&mut self, arrived: Square) -> u32 {
        let (own, men) = (self.own_men(), self.opponent_men());
        let targets = self.unprotected(men);
        let holds_other_end =
            |span: &Span| span.other_end(arrived).is_some_and(|end| own.contains(end));
        let between = self.spans_of(self.rules().custodian).filter(holds_other_end);
        let custodian = between.map(|span| span.middle).collect::<SquareSet>() & targets;
        // Of several lines with men at both ends, the one that the position text prefers, else the first.
        let captures = |span: &Span| {
            span.middle == arrived
                && men.contains_all(span.ends)
                && !(span.ends & targets).is_empty()
        };
        let preferred = self.extras().preferred;
        let rank = |span: &Span| ((span.ends & preferred).is_empty(), span.kind);
        let around = self.spans_of(self.rules().intervention).filter(captures).min_by_key(rank);
        let intervention = around.map_or(SquareSet::EMPTY, |span| span.ends & targets);
        self.keyed.remember(|extras| {
            *extras = Extras { custodian, intervention, preferred: SquareSet::EMPTY, ..*extras };
        });
        self.extras().count_captures()
    }

    /// Owes the removal of a man that was leapt over.
    pub(super) fn owe_leapt(&mut self, man: Square) {
        self.keyed.remember(|extras| {
            *extras = Extras { leapt: SquareSet::of(man), preferred: SquareSet::EMPTY, ..*extras };
        });
        self.set_pending(1);
    }

    /// The removals still owed after one that may have chosen between captures and a mill.
    pub(super) fn owed_after_choice(&mut self, removed: Square) -> u8 {
        let extras = *self.extras();
        let rest = extras.intervention.without(removed);
        let is_intervention = extras.intervention.contains(removed);
        let intervention = if is_intervention { rest } else { SquareSet::EMPTY };
        self.keyed.remember(|extras| {
            *extras = Extras { intervention, ..extras.without_captures() };
        });
        if is_intervention {
            rest.len() as u8
        } else if extras.custodian.contains(removed) {
            0
        } else {
            self.pending() - 1
        }
    }

    /// Whether men of the side to move could have made the pending captures along lines: as
    /// custodian from both ends, by intervention from the middle, or by a leap.
    pub(super) fn are_captures_on_lines(&self) -> bool {
        let own = self.own_men();
        let extras = self.extras();
        let is_on_line =
            |is_such: &dyn Fn(&Span) -> bool| spans(self.rules().diagonals).iter().any(is_such);
        let is_custodian =
            |man: Square| is_on_line(&|span| span.middle == man && own.contains_all(span.ends));
        let is_leapt = |man: Square| {
            is_on_line(&|span| {
                let ends = [span.ends & own, span.ends & self.empty()];
                span.middle == man && ends.iter().all(|ends| ends.len() == 1)
            })
        };
        let men = extras.intervention;
        let intervenes =
            is_on_line(&|span| own.contains(span.middle) && span.ends.contains_all(men));
        extras.custodian.into_iter().all(is_custodian)
            && (men.is_empty() || intervenes)
            && extras.leapt.into_iter().all(is_leapt)
    }

    /// The men among a side's `men` that no mill protects, or all if all are in mills.
    pub(super) fn unprotected(&self, men: SquareSet) -> SquareSet {
        let rules = self.rules();
        let free = men - lines::in_mills(men, rules.diagonals);
        if free.is_empty() || rules.may_remove_from_mills { men } else { free }
    }
}
