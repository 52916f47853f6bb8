//! Captures without a mill: custodian, intervention and leap.
//!
//! A man that arrives at one end of a line captures as *custodian* the opponent's man in the middle
//! if its own side holds the other end. A man that arrives in the middle captures by *intervention*
//! the opponent's men at both ends. A man that *leaps* from one end to the other captures the man
//! in the middle, and nothing else. Mills protect men as they do from ordinary removals.

use super::{Phase, Position};
use crate::board::{Span, Square, SquareSet, lines, spans};
use crate::rules::{CaptureRule, Extras, Rules};

impl<R: Rules> Position<R> {
    /// The lines along which a rule allows captures to the side to move, in its phase and with its number of men.
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

    /// The man that a slide leaps over and captures, if it does.
    pub(super) fn leapt(&self, from: Square, to: Square) -> Option<Square> {
        let rule = self.rules().leap;
        let may_leap = self.own_hand() == 0;
        let mut spans = self.spans_of(rule).filter(|_| may_leap);
        let span = spans.find(|span| span.other_end(from) == Some(to))?;
        self.unprotected(self.opponent_men()).contains(span.middle).then_some(span.middle)
    }

    /// The empty points to which a man of the side to move leaps.
    pub(super) fn leaps(&self, from: Square) -> SquareSet {
        self.empty().into_iter().filter(|&to| self.leapt(from, to).is_some()).collect()
    }

    /// Records what an arriving man captures, except by a leap; returns the number.
    pub(super) fn find_captures(&mut self, arrived: Square) -> u32 {
        let custodian = self.custodian_targets(arrived);
        let intervention = self.intervention_targets(arrived);
        self.keyed.remember(|extras| {
            *extras = Extras { custodian, intervention, preferred: SquareSet::EMPTY, ..*extras };
        });
        self.extras().count_captures()
    }

    fn custodian_targets(&self, arrived: Square) -> SquareSet {
        let (own, targets) = (self.own_men(), self.unprotected(self.opponent_men()));
        let holds_other_end =
            |span: &Span| span.other_end(arrived).is_some_and(|end| own.contains(end));
        let spans = self.spans_of(self.rules().custodian).filter(holds_other_end);
        spans.map(|span| span.middle).filter(|&man| targets.contains(man)).collect()
    }

    /// The ends of one line; of several the one that the position text prefers, else the first.
    fn intervention_targets(&self, arrived: Square) -> SquareSet {
        let men = self.opponent_men();
        let targets = self.unprotected(men);
        let captures = |span: &Span| {
            span.middle == arrived
                && men.contains_all(span.ends)
                && !(span.ends & targets).is_empty()
        };
        let preferred = self.extras().preferred;
        let is_preferred = |span: &Span| !(span.ends & preferred).is_empty();
        let rank = |span: &Span| (!is_preferred(span), span.kind);
        let spans = self.spans_of(self.rules().intervention).filter(captures);
        spans.min_by_key(rank).map_or(SquareSet::EMPTY, |span| span.ends & targets)
    }

    /// Owes the removal of a man that was leapt over.
    pub(super) fn owe_leapt(&mut self, man: Square) {
        self.keyed.remember(|extras| {
            *extras = Extras { leapt: SquareSet::of(man), preferred: SquareSet::EMPTY, ..*extras };
        });
        self.set_pending(1);
    }

    /// What is still owed after a removal, which chose between captures and mill.
    pub(super) fn owed_after_choice(&mut self, removed: Square) -> u8 {
        let extras = *self.extras();
        let rest = extras.intervention.without(removed);
        let is_intervention = extras.intervention.contains(removed);
        self.keyed.remember(|extras| {
            *extras = extras.without_captures();
            if is_intervention {
                extras.intervention = rest;
            }
        });
        if is_intervention {
            rest.len() as u8
        } else if extras.custodian.contains(removed) {
            0
        } else {
            self.pending() - 1
        }
    }

    /// Whether men of the side to move could have made the captures that are pending: along a line, as
    /// custodian from end to end, by intervention in the middle, or by a leap.
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

    /// The men of a side, given all of them, that no mill protects, or all if all are in mills.
    #[inline]
    pub(super) fn unprotected(&self, men: SquareSet) -> SquareSet {
        let rules = self.rules();
        let free = men - lines::in_mills(men, rules.diagonals);
        if free.is_empty() || rules.may_remove_from_mills { men } else { free }
    }
}
