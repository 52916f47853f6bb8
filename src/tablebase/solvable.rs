//! A game as a solver sees it: its sectors, and which of them belong together.

use std::collections::{BTreeSet, HashSet};

use super::sector::Sector;
use crate::Error;
use crate::board::Side;
use crate::position::Position;
use crate::rules::{BoardFullAction, MillAction, RuleSet, Rules, StalemateAction};

/// A game that can be solved: a position is its men, its hands and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Solvable {
    rules: RuleSet,
    turns: Turns,
}

/// What tells the side to move while men are in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Turns {
    /// The hands: both sides place in turn, one man at a time.
    Hands,
    /// Nothing, since positions are worth the same with the sides exchanged.
    Alike,
    /// Only the sector.
    Named,
}

impl Turns {
    fn of(rules: &RuleSet) -> Self {
        let takes_from_hand = matches!(
            rules.mill_action,
            MillAction::RemoveFromHand | MillAction::RemoveFromHandAndGoOn
        );
        let is_filled_alike = rules.men < RuleSet::MEN_TO_FILL_BOARD
            || rules.board_full_action == BoardFullAction::Draw
            || rules.mill_action == MillAction::CountAtTheEnd;
        if !rules.may_move_in_placing && !takes_from_hand {
            Self::Hands
        } else if rules.alternates_after_placing() && !rules.defender_moves_first && is_filled_alike
        {
            Self::Alike
        } else {
            Self::Named
        }
    }
}

/// A value that is computed by the start of a game, whose rules are compiled if it is Nine Men's Morris.
macro_rules! from_start {
    ($game:expr, |$start:ident| $value:expr) => {
        if *$game == $crate::tablebase::Solvable::STANDARD {
            let $start = &$crate::position::Position::start($crate::rules::Standard);
            $value
        } else {
            let $start = &$crate::position::Position::start(*$game.rules());
            $value
        }
    };
}
pub(super) use from_start;

impl Solvable {
    /// Nine Men's Morris.
    pub const STANDARD: Self = Self { rules: RuleSet::NINE_MENS_MORRIS, turns: Turns::Hands };

    /// The game with these rules.
    ///
    /// # Errors
    ///
    /// The rule that makes positions remember more than men, hands and the side to move.
    pub fn of(rules: &RuleSet) -> Result<Self, Error> {
        rules.check_solvable()?;
        let rules = rules.canonical();
        Ok(Self { rules, turns: Turns::of(&rules) })
    }

    /// The rules.
    pub const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Whether the game ends where a side cannot move, so that turns alternate.
    pub(super) const fn ends_if_blocked(&self) -> bool {
        matches!(self.rules.stalemate_action, StalemateAction::Loses | StalemateAction::Draw)
    }

    /// The sectors outside a group that moves from it lead to.
    pub fn needs(&self, group: &[Sector]) -> Vec<Sector> {
        let all: BTreeSet<Sector> =
            group.iter().flat_map(|&sector| self.leads_to(sector)).collect();
        all.into_iter().filter(|sector| !group.contains(sector)).collect()
    }

    /// All sectors, each after those that it leads to but does not share a group with.
    pub fn sectors(&self) -> Vec<Sector> {
        let start = [self.rules.men.into(); 2];
        let start =
            Sector::with_hands([0, 0], start).map(|start| self.with_side(start, Side::White));
        let mut found: HashSet<Sector> = start.into_iter().collect();
        let mut open: Vec<Sector> = start.into_iter().collect();
        while let Some(sector) = open.pop() {
            open.extend(self.leads_to(sector).into_iter().filter(|next| found.insert(*next)));
        }
        let mut sectors: Vec<Sector> = found.into_iter().collect();
        sectors.sort_by_key(|sector| {
            let [own_hand, _] = sector.hands();
            let only_slides = own_hand == 0 && sector.is_placing();
            (sector.men_in_hand(), sector.men_in_all(), only_slides, *sector)
        });
        sectors
    }

    /// The sectors of the moving phase, each after those that it leads to.
    pub fn moving(&self) -> Vec<Sector> {
        self.sectors().into_iter().filter(|sector| !sector.is_placing()).collect()
    }

    /// The sectors of the placing phase, each after those that it leads to.
    pub fn placing(&self) -> Vec<Sector> {
        self.sectors().into_iter().filter(|sector| sector.is_placing()).collect()
    }

    /// The sectors that are solved together: a sector and, if play can go back and forth between them, its
    /// reply.
    pub fn group(&self, sector: Sector) -> Vec<Sector> {
        let reply = sector.reply();
        let mut group = vec![sector];
        group.extend((self.is_cyclic(sector) && reply != sector).then_some(reply));
        group
    }

    /// Whether play can come back to a position of the sector: both sides may slide.
    pub fn is_cyclic(&self, sector: Sector) -> bool {
        let may_slide =
            |men: usize, hand: usize| men > 0 && (hand == 0 || self.rules.may_move_in_placing);
        let [own_hand, hand] = sector.hands();
        may_slide(sector.own(), own_hand) && may_slide(sector.opponent(), hand)
    }

    /// Whether positions are worth the same with the sides exchanged, also where the hands do not tell who is to
    /// move.
    pub(super) fn has_alike_sides(&self) -> bool {
        self.turns == Turns::Alike
    }

    /// The men of both sides together.
    pub fn men(&self) -> usize {
        2 * usize::from(self.rules.men)
    }

    /// Whether a side with these numbers of men on the board and in hand flies.
    pub fn flies(&self, men: usize, hand: usize) -> bool {
        self.rules.flies(men as u32, hand as u32)
    }

    /// Whether a side with this number of men in all has lost.
    pub fn are_too_few(&self, men: usize) -> bool {
        men < usize::from(self.rules.least_men)
    }

    /// The sector with these numbers, given the side to move.
    #[inline]
    pub(super) fn with_side(&self, sector: Sector, side: Side) -> Sector {
        match self.turns {
            Turns::Named if sector.is_placing() => sector.with_turn(Some(side)),
            _ => sector,
        }
    }

    /// The sector of a position in which no removal is owed, or `None` where a side is to place out of its
    /// turn, as only a position text may have it: that side would move twice in a row.
    #[inline]
    pub fn sector_of<R: Rules>(&self, position: &Position<R>) -> Option<Sector> {
        let side = position.to_move();
        let numbers = [side, !side].map(|side| position.men(side).len() as usize);
        let hands = [side, !side].map(|side| usize::from(position.in_hand(side)));
        let sector = Sector::with_hands(numbers, hands)?;
        let is_in_turn = self.turns != Turns::Hands || !sector.is_placing();
        (is_in_turn || sector.to_move() == side).then(|| self.with_side(sector, side))
    }

    /// The sector after a turn in `sector` that places a man, or else slides, and removes some from the board, with the
    /// other side to move, or `None` if the removals win.
    pub(super) fn after(&self, sector: Sector, placed: usize, removed: usize) -> Option<Sector> {
        let [own_hand, hand] = sector.hands();
        let left = sector.opponent().checked_sub(removed)?;
        let hands = [hand, own_hand.checked_sub(placed)?];
        let after = Sector::with_hands([left, sector.own() + placed], hands)?;
        (!self.are_too_few(left + hand)).then_some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;

    fn count(rules: &RuleSet) -> [usize; 2] {
        let game = Solvable::of(rules).unwrap();
        [game.moving().len(), game.placing().len()]
    }

    /// Counted by other programs.
    #[test]
    fn catalogues_have_the_known_sizes() {
        assert_eq!(count(&RuleSet::NINE_MENS_MORRIS), [49, 449]);
        assert_eq!(count(&RuleSet::TWELVE_MENS_MORRIS), [100, 1116]);
    }

    #[test]
    fn sectors_come_after_those_that_they_lead_to() {
        let games = PRESETS.iter().filter_map(|preset| Solvable::of(&preset.rules).ok());
        for game in games {
            let sectors = game.sectors();
            let place = |sector: Sector| sectors.iter().position(|&other| other == sector);
            for &sector in sectors.iter().step_by(7) {
                let group = game.group(sector);
                for after in game.leads_to(sector) {
                    if group.contains(&after) {
                        continue;
                    }
                    assert!(place(after) < place(sector), "{sector} {after}");
                }
            }
        }
    }
}
