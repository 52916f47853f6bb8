//! The sectors that the moves of a sector lead to, as they follow from the rules.
//!
//! Only the numbers of men count, not where they stand: a placement or slide is assumed to close as many mills
//! as the rules reward. This finds every sector that play can reach, and a few that it cannot.

use super::sector::Sector;
use super::solvable::Solvable;
use crate::board::{BySide, Diagonals, Side, Square};
use crate::rules::{BoardFullAction, MillAction, RuleSet, StalemateAction};

/// The sectors that the moves of another one lead to, some more than once.
pub fn steps(game: &Solvable, sector: Sector) -> Vec<Sector> {
    let mut steps = Steps { game, found: Vec::new() };
    steps.leave(sector);
    steps.found
}

struct Steps<'a> {
    game: &'a Solvable,
    found: Vec<Sector>,
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
}

impl Steps<'_> {
    fn rules(&self) -> &RuleSet {
        self.game.rules()
    }

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
        if sector.own() > 0 && (own_hand == 0 || self.rules().may_move_in_placing) {
            let most = self.most_mills().max(self.most_captures());
            self.remove(numbers, side, most, own_hand > 0);
        }
        if own_hand == 0 {
            self.play_blocked(numbers, side);
        }
    }

    /// The most mills that one move is rewarded for.
    fn most_mills(&self) -> usize {
        match self.rules().diagonals {
            _ if !self.rules().may_remove_multiple => 1,
            Diagonals::Without => 2,
            Diagonals::With => 3,
        }
    }

    /// The most men that one move captures without a mill.
    fn most_captures(&self) -> usize {
        let RuleSet { custodian, intervention, leap, .. } = self.rules();
        let beside = usize::from(custodian.is_on) + 2 * usize::from(intervention.is_on);
        beside.max(leap.is_on.into())
    }

    fn place(&mut self, mut numbers: Numbers, side: Side) {
        numbers.men[side] += 1;
        numbers.hand[side] -= 1;
        let (mills, captures) = (self.most_mills(), self.most_captures());
        match self.rules().mill_action {
            MillAction::RemoveFromBoard | MillAction::RemoveAndMark => {
                self.remove(numbers, side, mills + captures, true);
            }
            MillAction::CountAtTheEnd => self.remove(numbers, side, captures, true),
            MillAction::RemoveFromHand | MillAction::RemoveFromHandAndGoOn => {
                for taken in 0..=mills.min(numbers.hand[!side]) {
                    let mut left = numbers;
                    left.hand[!side] -= taken;
                    if taken > 0 && self.rules().mill_action == MillAction::RemoveFromHandAndGoOn {
                        self.go_on(left, side, side);
                    }
                    self.remove(left, side, mills - taken + captures, true);
                }
            }
            MillAction::OpponentRemovesOwn => {
                self.remove(numbers, side, captures, true);
                for removed in 1..=mills + captures {
                    if let Some(left) = numbers.without(!side, removed) {
                        self.go_on(left, side, !side);
                    }
                }
            }
        }
    }

    /// Removes up to `most` men of the other side, and ends the turn.
    fn remove(&mut self, numbers: Numbers, side: Side, most: usize, was_placing: bool) {
        for removed in 0..=most {
            if let Some(left) = numbers.without(!side, removed) {
                if was_placing {
                    self.go_on(left, side, !side);
                } else {
                    self.begin(left, !side);
                }
            }
        }
    }

    /// Goes on after a turn, or a part of one, of a side that was placing: with the moving phase if all men are
    /// placed, else with the turn of `next`.
    fn go_on(&mut self, numbers: Numbers, side: Side, next: Side) {
        let numbers = self.stop_early(numbers);
        if Side::ALL.into_iter().all(|side| numbers.hand[side] == 0) {
            self.end_placing(numbers, side);
        } else {
            self.begin(numbers, next);
        }
    }

    /// Empties the hands if placing ends when two points are left.
    fn stop_early(&self, mut numbers: Numbers) -> Numbers {
        let rules = self.rules();
        let men = numbers.men[Side::White] + numbers.men[Side::Black];
        if rules.stops_placing_at_two_empty
            && rules.men == RuleSet::MEN_TO_FILL_BOARD
            && men + 2 >= Square::COUNT
        {
            numbers.hand = BySide::both(0);
        }
        numbers
    }

    /// Begins the moving phase after the turn of a side.
    fn end_placing(&mut self, numbers: Numbers, side: Side) {
        let rules = *self.rules();
        let first = if rules.defender_moves_first {
            Side::Black
        } else if rules.alternates_after_placing() {
            !side
        } else {
            Side::White
        };
        let is_full = numbers.men[Side::White] + numbers.men[Side::Black] == Square::COUNT;
        if rules.mill_action == MillAction::CountAtTheEnd {
            self.count_mills(numbers, first);
        } else if rules.men == RuleSet::MEN_TO_FILL_BOARD && is_full {
            let each = |removed: BySide<usize>| {
                let white = numbers.without(Side::White, removed[Side::White])?;
                white.without(Side::Black, removed[Side::Black])
            };
            let (removed, first) = match rules.board_full_action {
                BoardFullAction::WhiteLoses | BoardFullAction::Draw => ([0, 0], Side::White),
                BoardFullAction::BothRemoveWhiteFirst => ([1, 1], Side::White),
                BoardFullAction::BothRemoveBlackFirst => ([1, 1], Side::Black),
                BoardFullAction::FirstRemoves if rules.defender_moves_first => {
                    ([1, 0], Side::White)
                }
                BoardFullAction::FirstRemoves => ([0, 1], Side::Black),
            };
            if let Some(left) = each(BySide(removed)) {
                self.begin(left, first);
            }
        } else {
            self.begin(numbers, first);
        }
    }

    /// Removes men by the numbers of mills, which are as many as they may be.
    fn count_mills(&mut self, numbers: Numbers, first: Side) {
        let pairs = (1..Square::COUNT)
            .flat_map(|white| [white - 1, white, white + 1].map(|black| (white, black)));
        for (white, black) in pairs.filter(|&(_, black)| black > 0) {
            let left = numbers.without(Side::White, white);
            if let Some(left) = left.and_then(|left| left.without(Side::Black, black)) {
                self.begin(left, first);
            }
        }
    }

    /// What a side that cannot move does.
    fn play_blocked(&mut self, numbers: Numbers, side: Side) {
        let removed = numbers.without(!side, 1);
        match (self.rules().stalemate_action, removed) {
            (StalemateAction::Passes, _) => self.begin(numbers, !side),
            (StalemateAction::RemovesAndMoves, Some(left)) => self.begin(left, side),
            (StalemateAction::RemovesAndPasses, Some(left)) => self.begin(left, !side),
            (StalemateAction::BothRemove, Some(left)) => {
                if let Some(left) = left.without(side, 1) {
                    self.begin(left, side);
                }
            }
            _ => {}
        }
    }

    /// Begins a turn, unless a side has too few men.
    fn begin(&mut self, numbers: Numbers, side: Side) {
        let Numbers { men, hand } = numbers;
        let is_short = |side: Side| self.game.are_too_few(men[side] + hand[side]);
        if Side::ALL.into_iter().any(is_short) {
            return;
        }
        let sector = Sector::with_hands([men[side], men[!side]], [hand[side], hand[!side]]);
        self.found.extend(sector.map(|sector| self.game.with_side(sector, side)));
    }
}
