//! The clocks of a game.

use std::time::Duration;

use super::limit::Limit;
use crate::board::{BySide, Side};
use crate::protocol::Go;

/// The clock of a side in one game.
#[derive(Clone, Debug)]
pub(super) struct GameClock {
    limit: Limit,
    /// How much later an answer may arrive; a whole game may take so much longer, too.
    margin: Duration,
    gained: Duration,
    spent: Duration,
    turns: u32,
}

impl GameClock {
    pub(super) fn new(limit: &Limit, margin: Duration) -> Self {
        let gained = limit.clock.map_or(Duration::ZERO, |clock| clock.base);
        let mut clock =
            Self { limit: limit.clone(), margin, gained, spent: Duration::ZERO, turns: 0 };
        clock.gain_increment();
        clock
    }

    /// The time until the next answer has to be there, with what is left of the margin, if it
    /// matters.
    pub(super) fn allowed(&self) -> Option<Duration> {
        let left = (self.gained + self.margin).saturating_sub(self.spent);
        let clock = self.limit.clock.map(|_| left);
        let move_time = self.limit.move_time.map(|time| time + self.margin);
        [clock, move_time].into_iter().flatten().min()
    }

    fn left(&self) -> Duration {
        self.gained.saturating_sub(self.spent)
    }

    /// Takes the time of an answer off; `ends_turn` tells whether the other side moves next.
    pub(super) fn spend(&mut self, time: Duration, ends_turn: bool) {
        self.spent += time;
        let Some(rule) = self.limit.clock else { return };
        if ends_turn {
            self.turns += 1;
            if rule.turns.is_some_and(|turns| self.turns.is_multiple_of(turns.get())) {
                self.gained += rule.base;
            }
            self.gain_increment();
        }
    }

    fn gain_increment(&mut self) {
        self.gained += self.limit.clock.map_or(Duration::ZERO, |clock| clock.increment);
    }

    fn turns_to_go(&self) -> Option<u32> {
        let turns = self.limit.clock?.turns?;
        Some(turns.get() - self.turns % turns)
    }
}

/// What is asked of the side to move.
pub(super) fn go(clocks: &BySide<GameClock>, to_move: Side) -> Go {
    let own = &clocks[to_move];
    let mut go = Go {
        depth: own.limit.depth,
        nodes: own.limit.nodes,
        move_time: own.limit.move_time,
        ..Go::default()
    };
    if own.limit.clock.is_some() {
        for side in Side::ALL {
            let rule = clocks[side].limit.clock;
            go.time[side] = rule.map(|_| clocks[side].left());
            go.increment[side] = rule.map_or(Duration::ZERO, |rule| rule.increment);
        }
        go.moves_to_go = own.turns_to_go();
    }
    go
}

#[cfg(test)]
mod tests {
    use super::super::limit::tests::limit;
    use super::*;

    #[test]
    fn clocks_gain_with_turns_and_not_with_removals() {
        let mut clock = GameClock::new(&limit("tc=2/10+1"), Duration::ZERO);
        let seconds = Duration::from_secs;
        assert_eq!(clock.allowed(), Some(seconds(11)));
        clock.spend(seconds(3), false);
        assert_eq!(clock.allowed(), Some(seconds(8)));
        clock.spend(seconds(1), true);
        assert_eq!((clock.allowed(), clock.turns_to_go()), (Some(seconds(8)), Some(1)));
        clock.spend(seconds(2), true);
        assert_eq!((clock.allowed(), clock.turns_to_go()), (Some(seconds(17)), Some(2)));
    }

    #[test]
    fn a_game_has_one_margin_and_each_move_time_has() {
        let millis = Duration::from_millis;
        let mut clock = GameClock::new(&limit("tc=0.1+0.02"), millis(200));
        let mut move_time = GameClock::new(&limit("movetime=50"), millis(200));
        for left in [(320, 120), (190, 0), (60, 0)] {
            let expected = (Some(millis(left.0)), millis(left.1));
            assert_eq!((clock.allowed(), clock.left()), expected);
            clock.spend(millis(150), true);
            assert_eq!(move_time.allowed(), Some(millis(250)));
            move_time.spend(millis(250), true);
        }
        assert_eq!(clock.allowed(), Some(Duration::ZERO));
    }

    #[test]
    fn an_engine_is_told_its_own_limits_and_both_clocks() {
        let clocks = BySide(
            [limit("tc=10+0.1"), limit("nodes=500")]
                .map(|limit| GameClock::new(&limit, Duration::ZERO)),
        );
        assert_eq!(go(&clocks, Side::White).to_string(), "go wtime 10100 winc 100");
        assert_eq!(go(&clocks, Side::Black).to_string(), "go nodes 500");
        assert_eq!(clocks[Side::Black].allowed(), None);
    }
}
