//! Checks that the parts of a position agree, for reading texts, tests and checked perft.

use std::fmt;

use super::{Phase, Position};
use crate::board::{Side, SquareSet};
use crate::rules::{MillAction, Rules, Stalemate, StalemateAction};

/// A part of a position that contradicts another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inconsistency {
    /// A point holds a man of each side.
    TwoMenOnOnePoint,
    /// A side has more men than the game gives it.
    TooManyMen(Side),
    /// The phase says placing although the hand is empty and nothing is owed, or the reverse.
    Phase,
    /// A removal is owed but no man is there to be removed.
    NothingToRemove,
    /// A marked point holds a man, or marks are left when all men are placed.
    Mark,
    /// A side remembers points or a move that its mills do not explain.
    Mills(Side),
    /// A capture names a point without a man to capture, or nobody owes a removal.
    Capture,
    /// A side owes a removal for a stalemate in a game that has none.
    Stalemate,
    /// The key kept by the moves differs from the key computed anew.
    Key,
}

impl fmt::Display for Inconsistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TwoMenOnOnePoint => f.write_str("a point holds a man of each side"),
            Self::TooManyMen(side) => write!(f, "{side} has more men than the game gives"),
            Self::Phase => f.write_str("the phase contradicts the men in hand"),
            Self::NothingToRemove => f.write_str("a removal is owed but there is no man to remove"),
            Self::Mark => f.write_str("a mark stands where, or at a time when, none is allowed"),
            Self::Mills(side) => write!(f, "{side} remembers mills that it cannot have closed"),
            Self::Capture => f.write_str("a capture names a man that is not there"),
            Self::Stalemate => f.write_str("a removal for a stalemate is owed without cause"),
            Self::Key => f.write_str("the key is not the key of the men"),
        }
    }
}

impl std::error::Error for Inconsistency {}

impl<R: Rules> Position<R> {
    /// Checks that all parts of the position agree.
    ///
    /// # Errors
    ///
    /// The first contradiction found.
    pub fn validate(&self) -> Result<(), Inconsistency> {
        if !(self.men(Side::White) & self.men(Side::Black)).is_empty() {
            return Err(Inconsistency::TwoMenOnOnePoint);
        }
        for side in Side::ALL {
            if self.count_men(side) > self.rules().men {
                return Err(Inconsistency::TooManyMen(side));
            }
        }
        self.validate_turn()?;
        self.validate_marks()?;
        self.validate_mills()?;
        self.validate_debts()?;
        let is_right = self.keyed.rebuilt_key() == self.key();
        if is_right { Ok(()) } else { Err(Inconsistency::Key) }
    }

    fn validate_turn(&self) -> Result<(), Inconsistency> {
        if self.has_too_few_men() {
            return Ok(());
        }
        let has_men_in_hand = self.in_hand(self.to_move()) > 0;
        let may_place_last = self.pending() > 0;
        let victim = if self.extras().removes_own { self.to_move() } else { !self.to_move() };
        match self.phase {
            Phase::Placing if !has_men_in_hand && !may_place_last => Err(Inconsistency::Phase),
            Phase::Moving if has_men_in_hand => Err(Inconsistency::Phase),
            _ if u32::from(self.pending()) > self.men(victim).len() => {
                Err(Inconsistency::NothingToRemove)
            }
            _ => Ok(()),
        }
    }

    fn validate_marks(&self) -> Result<(), Inconsistency> {
        let marked = self.extras().marked;
        let men = self.men(Side::White) | self.men(Side::Black);
        let is_placing = self.phase == Phase::Placing || self.in_hand(!self.to_move()) > 0;
        let may_stand = is_placing || self.has_too_few_men();
        let is_used = self.rules().mill_action == MillAction::RemoveAndMark && may_stand;
        let is_right = marked.is_empty() || is_used && (marked & men).is_empty();
        if is_right { Ok(()) } else { Err(Inconsistency::Mark) }
    }

    fn validate_mills(&self) -> Result<(), Inconsistency> {
        let (rules, extras) = (self.rules(), self.extras());
        for side in Side::ALL {
            let knows_points = rules.uses_mills_once || extras.used[side].is_empty();
            let knows_moves = rules.restricts_repeated_mills || extras.last_mills[side].is_none();
            if !knows_points || !knows_moves {
                return Err(Inconsistency::Mills(side));
            }
        }
        Ok(())
    }

    fn validate_debts(&self) -> Result<(), Inconsistency> {
        let (rules, extras) = (self.rules(), self.extras());
        let targets = extras.leapt.map_or(SquareSet::EMPTY, SquareSet::of)
            | extras.custodian
            | extras.intervention;
        let is_owed = targets.is_empty() || self.pending() > 0 && !extras.removes_own;
        let is_blocked = self.phase == Phase::Moving && !self.can_slide();
        let is_stalemate = match (extras.stalemate, rules.stalemate_action) {
            (Stalemate::None, _) => true,
            (Stalemate::RemovesAndMoves, StalemateAction::RemovesAndMoves) => is_blocked,
            (Stalemate::BothRemove, StalemateAction::BothRemove) => {
                is_blocked || extras.opponent_owes == 0
            }
            _ => false,
        };
        let is_one = extras.stalemate == Stalemate::None || self.pending() == 1;
        match () {
            () if !is_owed => Err(Inconsistency::Capture),
            () if !self.men(!self.to_move()).contains_all(targets) => Err(Inconsistency::Capture),
            () if !self.are_captures_on_lines() => Err(Inconsistency::Capture),
            () if !is_stalemate || !is_one => Err(Inconsistency::Stalemate),
            () => Ok(()),
        }
    }
}
