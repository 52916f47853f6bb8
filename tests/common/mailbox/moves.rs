//! Placements, slides, flights and leaps: everything but removals.

use super::Mailbox;
use super::board::ways;
use super::position::Phase;

/// From where to where a man goes.
type Way = (&'static str, &'static str);

impl Mailbox {
    /// What the side to act can do when it has nothing to remove.
    pub(super) fn moves(&self) -> Vec<String> {
        match self.position.phase {
            Phase::Over => Vec::new(),
            Phase::Moving => texts(self.ways_of_men()),
            Phase::Placing if self.rules.is("MayMoveInPlacingPhase") => {
                [self.placements(), texts(self.ways_beside_placing())].concat()
            }
            Phase::Placing => self.placements(),
        }
    }

    /// The ways of the men in the moving phase.
    pub(super) fn ways_of_men(&self) -> Vec<Way> {
        if self.may_fly() { self.flights() } else { [self.slides(), self.leaps()].concat() }
    }

    /// The ways of men while there are others in hand, all of which may count for flying.
    fn ways_beside_placing(&self) -> Vec<Way> {
        let hand = self.position.in_hand[self.position.side as usize];
        let men = self.men_of_mover() + hand;
        let may_fly = self.rules.is("MayFly") && self.rules.is("FlyingCountsHand");
        if may_fly && men <= self.rules.number("flyPieceCount") {
            self.flights()
        } else {
            self.slides()
        }
    }

    /// A man from the hand to every empty point.
    fn placements(&self) -> Vec<String> {
        self.position.empty_points().into_iter().map(String::from).collect()
    }

    /// Every own man along every edge to an empty point.
    fn slides(&self) -> Vec<Way> {
        let mut ways = ways(&self.rules);
        ways.retain(|(from, to)| self.position.is_own(from) && self.position.is_empty(to));
        ways.retain(|(from, to)| !self.is_forbidden(from, to));
        ways
    }

    /// Every own man to every empty point. Where it leaps it closes no mill.
    fn flights(&self) -> Vec<Way> {
        let leaps = self.leaps();
        let mut flights = Vec::new();
        for from in self.position.points_of(self.position.side) {
            for to in self.position.empty_points() {
                if leaps.contains(&(from, to)) || !self.is_forbidden(from, to) {
                    flights.push((from, to));
                }
            }
        }
        flights
    }

    /// May the men of the side to act go anywhere?
    fn may_fly(&self) -> bool {
        self.rules.is("MayFly") && self.men_of_mover() <= self.rules.number("flyPieceCount")
    }

    /// The men on the board of the side to act.
    pub(super) fn men_of_mover(&self) -> usize {
        self.position.on_board(self.position.side)
    }
}

/// The texts of slides, flights and leaps.
fn texts(ways: Vec<Way>) -> Vec<String> {
    ways.into_iter().map(|(from, to)| format!("{from}-{to}")).collect()
}
