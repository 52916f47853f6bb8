//! Validation of positions, for reading texts and for tests: whether their parts agree.

use std::fmt;

use thiserror::Error;

use super::{Phase, Position};
use crate::board::{Side, Square, SquareSet, Symmetry};
use crate::rules::{MillAction, RuleSet, Rules, StalemateAction};

/// A part of a position that contradicts another.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{part:?}: expected {expected}, found {found}")]
pub struct Inconsistency {
    /// The inconsistent part.
    pub part: Part,
    /// What the part should be.
    pub expected: String,
    /// What the part is.
    pub found: String,
}

/// The parts of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The men and marks on the board.
    Board,
    /// The phase of the side to move.
    Phase,
    /// The removals that a side owes.
    Owed(Side),
    /// The captures that the last move made possible, or the removal for a stalemate.
    Captures,
    /// What a side remembers of its mills: points or the last move.
    Mills(Side),
    /// The incrementally updated key.
    Key,
}

impl Inconsistency {
    pub(super) fn new(part: Part, expected: impl Into<String>, found: impl fmt::Display) -> Self {
        Self { part, expected: expected.into(), found: found.to_string() }
    }
}

impl<R: Rules> Position<R> {
    /// Checks that all parts of the position agree.
    ///
    /// # Errors
    ///
    /// Returns the first contradiction found.
    pub fn validate(&self) -> Result<(), Inconsistency> {
        self.validate_board()?;
        self.validate_mills()?;
        let least = self.rules().least_men;
        if Side::ALL.into_iter().all(|side| self.count_men(side) >= least) {
            self.validate_phase()?;
            self.validate_debts()?;
            self.validate_captures()?;
        }
        let (rebuilt, key) = (self.image(Symmetry::IDENTITY).key(), self.key());
        let inconsistency = || Inconsistency::new(Part::Key, rebuilt.to_string(), key);
        if rebuilt == key { Ok(()) } else { Err(inconsistency()) }
    }

    fn validate_board(&self) -> Result<(), Inconsistency> {
        let board = |expected, found| Err(Inconsistency::new(Part::Board, expected, found));
        let [white, black] = Side::ALL.map(|side| self.men(side));
        if !(white & black).is_empty() {
            return board("one man on a point".to_owned(), (white & black).len());
        }
        let men = self.rules().men;
        if let Some(side) = Side::ALL.into_iter().find(|side| self.count_men(*side) > men) {
            let expected = format!("at most {men} men of {side}");
            return board(expected, self.count_men(side).into());
        }
        // Each mark is left by a man that was removed.
        let marked = self.extras().marked;
        let removed = 2 * men - self.count_men(Side::White) - self.count_men(Side::Black);
        let is_placing = self.phase == Phase::Placing || !self.are_hands_empty();
        let is_used = self.rules().mill_action == MillAction::RemoveAndMark
            && (is_placing || self.has_too_few_men());
        let most = if is_used { removed } else { 0 };
        if marked.len() > most.into() || !(marked & (white | black)).is_empty() {
            return board(format!("at most {most} marked points"), marked.len());
        }
        Ok(())
    }

    /// Checks that mills are remembered only in games whose rules need it.
    fn validate_mills(&self) -> Result<(), Inconsistency> {
        let (rules, extras) = (self.rules(), self.extras());
        let is_right = |side: &Side| {
            (rules.uses_mills_once || extras.used[*side].is_empty())
                && (rules.restricts_repeated_mills || extras.last_mills[*side].is_none())
        };
        let wrong = Side::ALL.into_iter().find(|side| !is_right(side));
        wrong.map_or(Ok(()), |side| Err(Inconsistency::new(Part::Mills(side), "none", "some")))
    }

    fn validate_phase(&self) -> Result<(), Inconsistency> {
        let (expected, found) = match (self.phase, self.own_hand()) {
            (Phase::Moving, 1..) => ("p while the side to move has men in hand", 'm'),
            // A removal that the last placement earned belongs to the placing phase.
            (Phase::Placing, 0) if self.pending() == 0 => {
                ("m when the side to move has no man in hand", 'p')
            }
            _ => return Ok(()),
        };
        Err(Inconsistency::new(Part::Phase, expected, found))
    }

    /// Checks that no side owes more removals than its rules and men allow.
    fn validate_debts(&self) -> Result<(), Inconsistency> {
        let (own, opponent) = (self.to_move(), !self.to_move());
        let is_owed = |side, (least, most)| (least..=most).contains(&self.owed(side));
        let (now, later) = (self.own_debt(), self.later_debt());
        let (side, expected) = if self.pending() > 0 && !is_owed(own, now) {
            let expected = match now {
                (0, 0) => "0, as there is no man to remove".to_owned(),
                (0, most) => format!("1 to {most}"),
                (least, most) => format!("{least} to {most}, but not 0"),
            };
            (own, expected)
        } else if !is_owed(opponent, later) {
            let expected = match later {
                (0, 0) => "0 for a side that does not remove".to_owned(),
                (least, most) => format!("{least} to {most} for the side that removes later"),
            };
            (opponent, expected)
        } else {
            return Ok(());
        };
        Err(Inconsistency::new(Part::Owed(side), expected, self.owed(side)))
    }

    /// The least and the most that the side to move may owe.
    fn own_debt(&self) -> (i8, i8) {
        let rules = self.rules();
        let (least, most) = match rules.mill_action {
            MillAction::CountAtTheEnd if self.may_thin_out() => (-1, MANY),
            MillAction::OpponentRemovesOwn => (-most_earned(rules), most_owed(rules)),
            _ => (0, most_owed(rules)),
        };
        self.clamp(self.to_move(), least, most)
    }

    /// The least and the most that the other side may owe meanwhile.
    fn later_debt(&self) -> (i8, i8) {
        let rules = self.rules();
        let is_full = self.men(Side::White) | self.men(Side::Black) == SquareSet::ALL;
        let both_remove = is_full && rules.removes_when_full() == Some((self.to_move(), true));
        let is_for_stalemate = self.extras().stalemate == Some(StalemateAction::BothRemove);
        let (least, most) = match rules.mill_action {
            _ if self.pending() == 0 => (0, 0),
            _ if is_for_stalemate => (0, 1),
            MillAction::CountAtTheEnd if self.may_thin_out() => (-1, MANY),
            MillAction::OpponentRemovesOwn
                if rules.has_captures() && !self.extras().removes_own =>
            {
                (-most_earned(rules), 0)
            }
            _ => (0, both_remove.into()),
        };
        self.clamp(!self.to_move(), least, most)
    }

    /// The range of removals that a side may owe, limited to the men that there are to remove.
    fn clamp(&self, side: Side, least: i8, most: i8) -> (i8, i8) {
        let men = |side| self.men(side).len() as i8;
        (least.max(-men(side)), most.min(men(!side)))
    }

    /// Whether this can be the removal phase after placing.
    fn may_thin_out(&self) -> bool {
        self.phase == Phase::Moving && self.are_hands_empty()
    }

    /// Checks that captures are of men that the last move may have captured, and that a stalemate
    /// earns one removal.
    fn validate_captures(&self) -> Result<(), Inconsistency> {
        let (rules, extras) = (self.rules(), self.extras());
        let targets = extras.custodian | extras.intervention | extras.leapt;
        let owed = self.owed(self.to_move());
        let is_blocked = self.phase == Phase::Moving && !self.can_slide();
        let is_later = |it| it == StalemateAction::BothRemove && extras.opponent_owes == 0;
        let is_earned =
            |it| it == rules.stalemate_action && (is_blocked || is_later(it)) && owed == 1;
        let expected = if owed < 1 && !targets.is_empty() {
            "no capture by a side that removes no man of the opponent"
        } else if !self.men(!self.to_move()).contains_all(targets) {
            "men of the opponent to capture"
        } else if !extras.leapt.is_empty() && (targets != extras.leapt || owed != 1) {
            "one removal and no other capture after a leap"
        } else if !self.are_captures_on_lines() {
            "captures along a line"
        } else if !extras.stalemate.is_none_or(is_earned) {
            "one removal by a side that cannot move"
        } else {
            return Ok(());
        };
        let found = targets.into_iter().map(Square::name).collect::<Vec<_>>().join(" ");
        let found = format!("{owed} owed, captures: {found}");
        Err(Inconsistency::new(Part::Captures, expected, found))
    }
}

/// The most lines that a man can close at once: all three through a corner of the board with diagonals.
const MOST_LINES: i8 = 3;

/// More than there are men to remove.
const MANY: i8 = i8::MAX;

/// The most men that the mills closed at once earn.
fn most_earned(rules: &RuleSet) -> i8 {
    if rules.may_remove_multiple { MOST_LINES } else { 1 }
}

/// The most men of the opponent that one move earns.
fn most_owed(rules: &RuleSet) -> i8 {
    let captures = i8::from(rules.custodian.is_on) + 2 * i8::from(rules.intervention.is_on);
    most_earned(rules) + captures
}
