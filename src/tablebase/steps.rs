//! The sectors that the moves of a sector lead to, as they follow from the rules.
//!
//! Only the numbers of men count, not where they stand: a placement or slide is assumed to close as many mills
//! as the rules reward. This finds every sector that play can reach, and a few that it cannot.

use std::collections::BTreeSet;

use super::sector::{Sector, Solvable};
use crate::board::{BySide, Diagonals, Side, Square};
use crate::rules::{BoardFullAction, MillAction, RuleSet, StalemateAction};

impl Solvable {
    /// The sectors that the moves of another one lead to.
    pub fn leads_to(&self, sector: Sector) -> Vec<Sector> {
        let mut steps = Steps { game: self, rules: self.rules(), found: BTreeSet::new() };
        steps.leave(sector);
        steps.found.into_iter().collect()
    }
}

struct Steps<'a> {
    game: &'a Solvable,
    rules: &'a RuleSet,
    found: BTreeSet<Sector>,
}

/// The men on the board and in hand of both sides.
#[derive(Clone, Copy)]
struct Numbers {
    men: BySide<usize>,
    hand: BySide<usize>,
}

impl Numbers {
    /// After the removal of men of a side, or `None` if it has fewer.
    fn without(mut self, side: Side, men: usize) -> Option<Self> {
        self.men[side] = self.men[side].checked_sub(men)?;
        Some(self)
    }

    /// The men of both sides on the board.
    fn on_board(self) -> usize {
        self.men[Side::White] + self.men[Side::Black]
    }
}

impl Steps<'_> {
    /// All turns of the side to move.
    fn leave(&mut self, sector: Sector) {
        let side = sector.to_move();
        let [own_hand, hand] = sector.hands();
        let mut numbers =
            Numbers { men: BySide::both(sector.opponent()), hand: BySide::both(hand) };
        numbers.men[side] = sector.own();
        numbers.hand[side] = own_hand;
        if own_hand > 0 && sector.men() < Square::COUNT {
            self.place(numbers, side);
        }
        if sector.own() > 0 && (own_hand == 0 || self.rules.may_move_in_placing) {
            let most = self.most_mills().max(self.most_captures());
            self.remove(numbers, side, most, own_hand > 0);
        }
        if own_hand == 0 {
            // What a side that cannot move does.
            match self.rules.stalemate_action {
                StalemateAction::Passes => self.begin(Some(numbers), !side),
                StalemateAction::RemovesAndMoves => self.begin(numbers.without(!side, 1), side),
                StalemateAction::RemovesAndPasses => self.begin(numbers.without(!side, 1), !side),
                StalemateAction::BothRemove => self.begin_without(numbers, [1, 1], side),
                StalemateAction::Loses | StalemateAction::Draw => {}
            }
        }
    }

    /// The most mills that one move is rewarded for.
    fn most_mills(&self) -> usize {
        match self.rules.diagonals {
            _ if !self.rules.may_remove_multiple => 1,
            Diagonals::Without => 2,
            Diagonals::With => 3,
        }
    }

    /// The most men that one move captures without a mill.
    fn most_captures(&self) -> usize {
        let RuleSet { custodian, intervention, leap, .. } = self.rules;
        let beside = usize::from(custodian.is_on) + 2 * usize::from(intervention.is_on);
        beside.max(leap.is_on.into())
    }

    fn place(&mut self, mut numbers: Numbers, side: Side) {
        numbers.men[side] += 1;
        numbers.hand[side] -= 1;
        // How many men mills remove at most, and how many of these from a hand.
        let (mills, from_hand) = match self.rules.mill_action {
            MillAction::CountAtTheEnd => (0, 0),
            MillAction::RemoveFromHand | MillAction::RemoveFromHandAndGoOn => {
                (self.most_mills(), self.most_mills().min(numbers.hand[!side]))
            }
            _ => (self.most_mills(), 0),
        };
        for taken in 0..=from_hand {
            let mut left = numbers;
            left.hand[!side] -= taken;
            if taken > 0 && self.rules.mill_action == MillAction::RemoveFromHandAndGoOn {
                self.go_on(left, side, side);
            }
            self.remove(left, side, mills - taken + self.most_captures(), true);
        }
    }

    /// Removes up to `most` men of the other side, and ends the turn.
    fn remove(&mut self, numbers: Numbers, side: Side, most: usize, was_placing: bool) {
        for left in (0..=most).filter_map(|men| numbers.without(!side, men)) {
            if was_placing {
                self.go_on(left, side, !side);
            } else {
                self.begin(Some(left), !side);
            }
        }
    }

    /// Goes on after a turn, or a part of one, of a side that was placing: with the moving phase if all men are
    /// placed, or placing ends since two points are left; else with the turn of `next`.
    fn go_on(&mut self, mut numbers: Numbers, side: Side, next: Side) {
        if self.rules.stops_placing_at_two_empty
            && self.rules.men == RuleSet::MEN_TO_FILL_BOARD
            && numbers.on_board() + 2 >= Square::COUNT
        {
            numbers.hand = BySide::both(0);
        }
        if Side::ALL.into_iter().all(|side| numbers.hand[side] == 0) {
            self.end_placing(numbers, side);
        } else {
            self.begin(Some(numbers), next);
        }
    }

    /// Begins the moving phase after the turn of a side.
    fn end_placing(&mut self, numbers: Numbers, side: Side) {
        let rules = self.rules;
        let first = if rules.defender_moves_first {
            Side::Black
        } else if rules.alternates_after_placing() {
            !side
        } else {
            Side::White
        };
        if rules.mill_action == MillAction::CountAtTheEnd {
            // Men are removed by the numbers of mills, which are as many as they may be.
            for white in 1..Square::COUNT {
                for black in (white - 1).max(1)..=white + 1 {
                    self.begin_without(numbers, [white, black], first);
                }
            }
        } else if rules.men == RuleSet::MEN_TO_FILL_BOARD && numbers.on_board() == Square::COUNT {
            let (removed, first) = match rules.board_full_action {
                BoardFullAction::WhiteLoses | BoardFullAction::Draw => ([0, 0], Side::White),
                BoardFullAction::BothRemoveWhiteFirst => ([1, 1], Side::White),
                BoardFullAction::BothRemoveBlackFirst => ([1, 1], Side::Black),
                BoardFullAction::FirstRemoves if rules.defender_moves_first => {
                    ([1, 0], Side::White)
                }
                BoardFullAction::FirstRemoves => ([0, 1], Side::Black),
            };
            self.begin_without(numbers, removed, first);
        } else {
            self.begin(Some(numbers), first);
        }
    }

    /// Begins a turn after the removal of men of White and of Black.
    fn begin_without(&mut self, numbers: Numbers, [white, black]: [usize; 2], side: Side) {
        let left = numbers.without(Side::White, white);
        self.begin(left.and_then(|left| left.without(Side::Black, black)), side);
    }

    /// Begins a turn, unless a side has too few men.
    fn begin(&mut self, numbers: Option<Numbers>, side: Side) {
        let Some(Numbers { men, hand }) = numbers else { return };
        let is_short = |side: Side| self.game.are_too_few(men[side] + hand[side]);
        if !Side::ALL.into_iter().any(is_short) {
            let sector = Sector::with_hands([men[side], men[!side]], [hand[side], hand[!side]]);
            self.found.extend(sector.map(|sector| self.game.with_side(sector, side)));
        }
    }
}
