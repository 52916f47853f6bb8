//! Checks that the fields of a position text agree.

use super::fields::{ACTION, BOARD, Fields, OWED, PHASE};
use super::memory::EXTENSION;
use super::tokens::TextError;
use crate::board::{Side, Square, SquareSet};
use crate::rules::{BoardFullAction, Extras, MillAction, RuleSet, Stalemate};

impl Fields {
    /// Checks men, marks, phase, action and owed removals against each other.
    pub(super) fn check(&self, rules: &RuleSet) -> Result<(), TextError> {
        for side in Side::ALL {
            let on_board = self.men[side].len();
            if on_board > u32::from(rules.men) {
                let expected = format!("at most {} men of {side}", rules.men);
                return Err(TextError::new(BOARD, expected, on_board));
            }
        }
        self.check_short(rules)?;
        if self.is_over() {
            return Ok(());
        }
        self.check_marks(rules)?;
        self.check_phase()?;
        self.check_owed(rules)?;
        self.check_extensions()
    }

    /// Checks phase and action against the hand of the side to move.
    fn check_phase(&self) -> Result<(), TextError> {
        let has_men_in_hand = self.in_hand[self.to_move] > 0;
        let phase = |expected| Err(TextError::new(PHASE, expected, self.phase));
        let action = |expected| Err(TextError::new(ACTION, expected, self.action));
        match (self.phase, self.action) {
            ('m', _) if has_men_in_hand => phase("p while the side to move has men in hand"),
            ('m', 's') | (_, 'r') => Ok(()),
            ('m', _) => action("s or r in phase m"),
            (_, 'p') if has_men_in_hand => Ok(()),
            (_, 'p') => phase("m when the side to move has no man in hand"),
            _ => action("p or r in phase p"),
        }
    }

    /// Checks that at most one side has too few men, and none while men are placed.
    fn check_short(&self, rules: &RuleSet) -> Result<(), TextError> {
        let short = Side::ALL.into_iter().filter(|side| self.is_short(*side, rules)).count();
        let least = rules.least_men;
        if short == 2 {
            let expected = format!("at least {least} men of a side");
            Err(TextError::new(BOARD, expected, "fewer of both"))
        } else if short == 1 && !matches!(self.phase, 'm' | 'o') {
            let expected = format!("o, as a side has fewer than {least} men");
            Err(TextError::new(PHASE, expected, self.phase))
        } else {
            Ok(())
        }
    }

    /// Whether a side has too few men, on the board and in hand.
    pub(super) fn is_short(&self, side: Side, rules: &RuleSet) -> bool {
        (self.men[side].len() as u8) + self.in_hand[side] < rules.least_men
    }

    /// Checks that marks stand only while men are placed, each for a man that was removed.
    fn check_marks(&self, rules: &RuleSet) -> Result<(), TextError> {
        let count = |side: Side| u32::from(self.in_hand[side]) + self.men[side].len();
        let removed = 2 * u32::from(rules.men) - count(Side::White) - count(Side::Black);
        let is_placing = self.phase != 'm' || self.in_hand.0 != [0, 0];
        let most = if is_placing { removed } else { 0 };
        if self.marked.len() <= most {
            return Ok(());
        }
        let expected = format!("at most {most} marked points");
        Err(TextError::new(BOARD, expected, self.marked.len()))
    }

    fn check_owed(&self, rules: &RuleSet) -> Result<(), TextError> {
        for side in Side::ALL {
            let owed = self.owed[side];
            let (least, most) = match self.action {
                'r' if side == self.to_move => self.own_debt(rules),
                'r' => self.later_debt(rules),
                _ => (0, 0),
            };
            let has_to_owe = self.action == 'r' && side == self.to_move;
            let expected = match (least, most) {
                (0, 0) if has_to_owe => "action p or s, as there is no man to remove".to_owned(),
                (0, 0) => "0 for a side that does not remove".to_owned(),
                (0, _) if has_to_owe => format!("1 to {most} with action r"),
                _ if has_to_owe => format!("{least} to {most}, but not 0, with action r"),
                _ => format!("{least} to {most} for the side that removes later"),
            };
            let is_right = (least..=most).contains(&owed) && !(has_to_owe && owed == 0);
            if !is_right {
                return Err(TextError::new(OWED[side as usize], expected, owed));
            }
        }
        Ok(())
    }

    /// The least and the most that the side to move may owe.
    fn own_debt(&self, rules: &RuleSet) -> (i8, i8) {
        let (own, foreign) = (self.men[self.to_move].len(), self.men[!self.to_move].len());
        let (least, most) = match rules.mill_action {
            MillAction::CountAtTheEnd if self.is_thinning_out() => (-1, MANY),
            MillAction::OpponentRemovesOwn => (-most_earned(rules), most_owed(rules)),
            _ => (0, most_owed(rules)),
        };
        (least.max(-(own as i8)), most.min(foreign as i8))
    }

    /// The least and the most that the other side may owe meanwhile.
    fn later_debt(&self, rules: &RuleSet) -> (i8, i8) {
        let side = !self.to_move;
        let first = match rules.board_full_action {
            BoardFullAction::BothRemoveWhiteFirst => Some(Side::White),
            BoardFullAction::BothRemoveBlackFirst => Some(Side::Black),
            _ => None,
        };
        let is_full = self.men[Side::White] | self.men[Side::Black] == SquareSet::ALL;
        let both_remove = is_full && first == Some(self.to_move);
        let is_for_stalemate = self.extras.stalemate == Stalemate::BothRemove;
        let (least, most) = match rules.mill_action {
            _ if is_for_stalemate => (0, 1),
            MillAction::CountAtTheEnd if self.is_thinning_out() => (-1, MANY),
            MillAction::OpponentRemovesOwn if rules.has_captures() && self.owed[!side] > 0 => {
                (-most_earned(rules), 0)
            }
            _ => (0, i8::from(both_remove)),
        };
        let (own, foreign) = (self.men[side].len() as i8, self.men[!side].len() as i8);
        (least.max(-own), most.min(foreign))
    }

    /// Whether this can be the removal phase after placing.
    fn is_thinning_out(&self) -> bool {
        self.phase == 'm' && self.in_hand.0 == [0, 0]
    }

    /// Checks that open captures are of men of the opponent, by a side that removes, and that a
    /// stalemate earns one removal.
    fn check_extensions(&self) -> Result<(), TextError> {
        let Extras { custodian, intervention, leapt, stalemate, .. } = self.extras;
        let leapt = leapt.map_or(SquareSet::EMPTY, SquareSet::of);
        let targets = custodian | intervention | leapt;
        let owed = self.owed[self.to_move];
        let expected = if owed < 1 && !targets.is_empty() {
            "no capture by a side that removes no man of the opponent"
        } else if !self.men[!self.to_move].contains_all(targets) {
            "men of the opponent to capture"
        } else if !leapt.is_empty() && (targets != leapt || owed != 1) {
            "one removal and no other capture after a leap"
        } else if stalemate != Stalemate::None && owed != 1 {
            "one removal for a stalemate"
        } else {
            return Ok(());
        };
        let found = targets.into_iter().map(Square::name).collect::<Vec<_>>().join(" ");
        Err(TextError::new(EXTENSION, expected, format!("{owed} owed, captures: {found}")))
    }
}

/// The most lines that a man closes at once: all through a corner of a board with diagonals.
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
