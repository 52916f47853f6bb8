//! Time management: how much of its share of the clock a search takes. The share itself is that of
//! [`Budget::for_game`](super::Budget::for_game).
//!
//! A best move that has been the same for several iterations is hardly improved by another; one that
//! has just changed, or whose score falls, is worth more time.
//!
//! See: Robert Hyatt, "Using Time Wisely", ICCA Journal, 1984.

use std::time::Duration;

use super::limits::{Clock, percent};
use super::parameters::{FALL_PERCENT, NEXT_ITERATION_PERCENT, REMOVAL_PERCENT, STABLE_PERCENT};
use crate::position::Move;
use crate::score::Score;

/// What the iterations so far say about the time that the search needs.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeManager {
    /// The share of the soft limit that the move gets by its kind, in percent.
    base: u32,
    best: Option<Move>,
    /// For how many iterations the best move has been the same.
    stable: usize,
    /// The value after the last iteration, in hundredths of a man.
    value: i32,
    /// By how much it is less than the value before.
    fall: i32,
    /// When the last iteration ended.
    last_end: Duration,
    /// How long the last iteration took.
    last_duration: Duration,
}

impl TimeManager {
    /// A search that begins, for a removal or another move.
    pub(super) fn new(is_removal: bool) -> Self {
        let base = if is_removal { REMOVAL_PERCENT } else { 100 };
        Self { base, ..Self::default() }
    }

    /// Takes the result of an iteration into account, and when it ended.
    pub(super) fn finish_iteration(&mut self, best: Option<Move>, score: Score, end: Duration) {
        let value = i32::from(score.hundredths());
        self.fall = if self.best.is_none() { 0 } else { self.value - value };
        self.value = value;
        self.stable = if self.best == best { self.stable + 1 } else { 0 };
        self.best = best;
        self.last_duration = end.saturating_sub(self.last_end);
        self.last_end = end;
    }

    /// Whether a search that shares its clock with later moves should end here: its time is up, or
    /// the next iteration can hardly be finished.
    pub(super) fn should_end(&self, clock: &Clock) -> bool {
        let next = percent(self.last_duration, NEXT_ITERATION_PERCENT);
        clock.is_past_part_of_soft(self.part_of_soft()) || !clock.leaves(next)
    }

    /// The share of the soft limit that the search gets, in percent.
    fn part_of_soft(&self) -> u32 {
        let stable = STABLE_PERCENT[self.stable.min(STABLE_PERCENT.len() - 1)];
        let man = i32::from(Score::MAN);
        let fall = 100 + self.fall.clamp(0, man) as u32 * FALL_PERCENT / man as u32;
        self.base * stable / 100 * fall / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a search gets after iterations with these best moves and scores.
    fn part_after(iterations: &[(&str, i32)], is_removal: bool) -> u32 {
        let mut time = TimeManager::new(is_removal);
        for (number, &(best, score)) in iterations.iter().enumerate() {
            let end = Duration::from_millis(1 << number);
            time.finish_iteration(best.parse().ok(), Score::estimate(score), end);
        }
        time.part_of_soft()
    }

    #[test]
    fn doubt_takes_time_and_certainty_saves_it() {
        let stable = part_after(&[("d6", 10); 9], false);
        let changed = part_after(&[("d6", 10), ("f4", 10)], false);
        let fallen = part_after(&[("d6", 10), ("d6", -90)], false);
        let risen = part_after(&[("d6", 10), ("d6", 90)], false);
        assert!(stable < 100 && risen < fallen && 100 < changed, "{stable} {changed} {fallen}");
        assert_eq!(part_after(&[("xd6", 10)], true) * 2, part_after(&[("d6", 10)], false));
        let lost = part_after(&[("d6", 30_000), ("f4", -30_000)], false);
        assert!(lost <= changed * 2);
    }

    #[test]
    fn an_iteration_that_cannot_be_finished_is_not_begun() {
        let budget = |hard| crate::search::Budget {
            soft: Some(Duration::from_secs(hard)),
            hard: Some(Duration::from_secs(hard)),
        };
        let mut time = TimeManager::new(false);
        time.finish_iteration(None, Score::DRAW, Duration::from_secs(100));
        assert!(time.should_end(&Clock::started(budget(149))));
        assert!(!time.should_end(&Clock::started(budget(1000))));
        assert!(!time.should_end(&Clock::waiting(budget(1))));
        let of_move = crate::search::Budget { soft: None, ..budget(149) };
        assert!(!time.should_end(&Clock::started(of_move)), "nothing is saved for later moves");
    }
}
