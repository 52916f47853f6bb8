//! The clocks of a game between two engines.

use std::time::Duration;

use super::engine_config::Limit;
use crate::board::{BySide, Side};
use crate::protocol::Go;

/// The clock of a side in one game.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    limit: Limit,
    /// The grace period; with a time control, all moves of the game share it.
    margin: Duration,
    gained: Duration,
    pub(super) spent: Duration,
    turns: u32,
}

impl Clock {
    pub(super) fn new(limit: &Limit, margin: Duration) -> Self {
        let gained = limit.clock.map_or(Duration::ZERO, |clock| clock.base + clock.increment);
        Self { limit: limit.clone(), margin, gained, spent: Duration::ZERO, turns: 0 }
    }

    /// The time within which the next move must arrive, including the rest of the margin; `None`
    /// without a time limit.
    pub(super) fn allowed(&self) -> Option<Duration> {
        let left = (self.gained + self.margin).saturating_sub(self.spent);
        let move_time = self.limit.search.move_time.map(|time| time + self.margin);
        [self.limit.clock.map(|_| left), move_time].into_iter().flatten().min()
    }

    fn left(&self) -> Duration {
        self.gained.saturating_sub(self.spent)
    }

    /// Subtracts the time of a move.
    ///
    /// * `ends_turn`: whether the other side moves next.
    pub(super) fn spend(&mut self, time: Duration, ends_turn: bool) {
        self.spent += time;
        if ends_turn && let Some(rule) = self.limit.clock {
            self.turns += 1;
            if rule.turns.is_some_and(|turns| self.turns.is_multiple_of(turns.get())) {
                self.gained += rule.base;
            }
            self.gained += rule.increment;
        }
    }

    fn turns_to_go(&self) -> Option<u32> {
        let turns = self.limit.clock?.turns?;
        Some(turns.get() - self.turns % turns)
    }
}

/// The limits to send to the side to move.
pub(super) fn go(clocks: &BySide<Clock>, to_move: Side) -> Go {
    let own = &clocks[to_move];
    let mut go = own.limit.search.clone();
    if own.limit.clock.is_some() {
        for side in Side::ALL {
            let rule = clocks[side].limit.clock;
            go.time[side] = rule.map(|_| clocks[side].left());
            go.increment[side] = rule.map(|rule| rule.increment).filter(|time| !time.is_zero());
        }
        go.moves_to_go = own.turns_to_go();
    }
    go
}

#[cfg(test)]
mod tests {
    use super::super::engine_config::tests::limit;
    use super::*;

    #[test]
    fn clocks_gain_with_turns_and_not_with_removals() {
        let mut clock = Clock::new(&limit("tc=2/10+1"), Duration::ZERO);
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
        let mut clock = Clock::new(&limit("tc=0.1+0.02"), millis(200));
        let mut move_time = Clock::new(&limit("movetime=50"), millis(200));
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
    fn an_engine_is_sent_its_own_limits_and_both_clocks() {
        let clocks = BySide(
            [limit("tc=10+0.1"), limit("nodes=500")]
                .map(|limit| Clock::new(&limit, Duration::ZERO)),
        );
        assert_eq!(go(&clocks, Side::White).to_string(), "wtime 10100 winc 100");
        assert_eq!(go(&clocks, Side::Black).to_string(), "nodes 500");
        assert_eq!(clocks[Side::Black].allowed(), None);
    }
}
