//! The limits of a search, its clock and its time management.
//!
//! Another iteration is unlikely to improve on a best move that has been stable for several
//! iterations; a best move that has just changed, or whose score falls, is worth more time.
//!
//! See: Robert Hyatt, "Using Time Wisely", ICCA Journal, 1984.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::parameters::{
    FALL_PERCENT, HARD_PERCENT, LEAST_OF_CLOCK_PERCENT, LEAST_OF_INCREMENT_PERCENT, MAX_DEPTH,
    MOST_OF_CLOCK_PERCENT, MOVES_TO_GO, NEXT_ITERATION_PERCENT, REMOVAL_PERCENT, SOFT_PERCENT,
    STABLE_PERCENT,
};
use crate::position::Move;
use crate::score::Score;
use crate::system::clock::Moment;

/// The limits of one search; the first one reached ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The deepest iteration, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Iterations up to this depth are completed whatever the limits and the observer say.
    pub least_depth: u32,
    /// The most positions to visit.
    pub nodes: Option<u64>,
    /// Ends the search when a win in this many turns of the winner is found, or the side to move has lost.
    pub mate: Option<u32>,
    /// The root moves to choose from; all when empty.
    pub search_moves: Vec<Move>,
    /// MultiPV: how many of the best moves get an exact score and a pv, at least 1.
    pub multi_pv: usize,
    /// Whether scores are wanted, not just a move: a forced move is searched as deep as any other, and every
    /// root move is probed for its distance and checked against the draw rules, as with several MultiPV
    /// lines.
    pub scores_all: bool,
    /// The time that the search may take.
    pub clock: Arc<Clock>,
}

impl Limits {
    /// No limit except [`MAX_DEPTH`].
    pub fn none() -> Self {
        Self::to_depth(MAX_DEPTH)
    }

    /// A search to a depth, clamped to the range from 1 to [`MAX_DEPTH`].
    pub fn to_depth(depth: u32) -> Self {
        Self {
            depth: depth.clamp(1, MAX_DEPTH),
            least_depth: 0,
            nodes: None,
            mate: None,
            search_moves: Vec::new(),
            multi_pv: 1,
            scores_all: false,
            clock: Clock::started(Budget::UNLIMITED),
        }
    }

    /// Whether more than the best move is wanted.
    pub(super) fn asks_for_all(&self) -> bool {
        self.scores_all || self.multi_pv > 1
    }
}

/// The time that a search may take, once its clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The soft limit: after about this time no new iteration begins. A search that shares its
    /// clock with later moves may stretch or shrink it.
    pub soft: Option<Duration>,
    /// The hard limit: after this time the search is aborted.
    pub hard: Option<Duration>,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Self = Self { soft: None, hard: None };

    /// A time for one move, minus the overhead of sending the move, but at least half of the time.
    pub fn for_move(time: Duration, overhead: Duration) -> Self {
        Self { soft: None, hard: Some(less_overhead(time, overhead)) }
    }

    /// A share of the remaining time for one of `moves_to_go` moves, or of the rest of the game if `None`.
    ///
    /// Each of these moves adds its increment and costs its overhead. If that leaves nothing, the
    /// share is a small part of the clock and of the increment, so that the clock gains time.
    pub fn for_game(
        remaining: Duration,
        increment: Duration,
        moves_to_go: Option<u32>,
        overhead: Duration,
    ) -> Self {
        let moves = moves_to_go.unwrap_or(MOVES_TO_GO).clamp(1, MOST_MOVES_TO_GO);
        let to_come = increment.saturating_mul(moves - 1).saturating_add(remaining);
        let share = to_come.saturating_sub(overhead.saturating_mul(moves)) / moves;
        let least = percent(remaining, LEAST_OF_CLOCK_PERCENT)
            .saturating_add(percent(increment, LEAST_OF_INCREMENT_PERCENT));
        let share = share.max(least);
        let most = percent(less_overhead(remaining, overhead), MOST_OF_CLOCK_PERCENT);
        let [soft, hard] = [SOFT_PERCENT, HARD_PERCENT].map(|part| percent(share, part).min(most));
        Self { soft: Some(soft), hard: Some(hard) }
    }
}

fn less_overhead(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead.min(time / 2))
}

/// A percentage of a duration, at most the longest duration.
pub(super) fn percent(time: Duration, percent: u32) -> Duration {
    (time / 100).saturating_mul(percent)
}

/// The clock of a search, shared by its threads. In a ponder search it starts when the opponent has moved.
#[derive(Debug)]
pub struct Clock {
    created: Moment,
    /// When the clock started, unless it is still waiting.
    started: OnceLock<Moment>,
    budget: Budget,
}

/// More moves than any time control has.
const MOST_MOVES_TO_GO: u32 = 1000;

impl Clock {
    /// A clock that runs from now.
    pub fn started(budget: Budget) -> Arc<Self> {
        Arc::new(Self { created: Moment::now(), started: Moment::now().into(), budget })
    }

    /// A clock that waits for [`start`](Self::start).
    pub fn waiting(budget: Budget) -> Arc<Self> {
        Arc::new(Self { created: Moment::now(), started: OnceLock::new(), budget })
    }

    /// Starts the clock, unless it is running already.
    pub fn start(&self) {
        self.started.get_or_init(Moment::now);
    }

    /// The time since the clock was created, whether or not it is running.
    pub fn elapsed(&self) -> Duration {
        self.created.elapsed()
    }

    /// Whether the hard limit has passed.
    pub fn is_past_hard(&self) -> bool {
        self.has_run_for(self.budget.hard)
    }

    /// Whether it is too late to begin another iteration.
    pub fn is_past_soft(&self) -> bool {
        self.is_past_part_of_soft(100)
    }

    /// Whether `part` percent of the soft limit, or all of the hard limit, has passed.
    pub fn is_past_part_of_soft(&self, part: u32) -> bool {
        self.has_run_for(self.budget.soft.map(|soft| percent(soft, part))) || self.is_past_hard()
    }

    /// Whether half of the soft limit, or of the hard limit if there is no soft one, has passed.
    pub fn is_half_past(&self) -> bool {
        let limit = self.budget.soft.or(self.budget.hard);
        self.has_run_for(limit.map(|limit| limit / 2))
    }

    /// Whether another `time` fits before the hard limit; always true if the clock is not shared with later moves.
    pub fn leaves(&self, time: Duration) -> bool {
        let latest = self.budget.hard.map(|hard| hard.saturating_sub(time));
        self.budget.soft.is_none() || !self.has_run_for(latest)
    }

    /// Whether the time of the search is limited, once its clock runs.
    pub fn is_timed(&self) -> bool {
        self.budget != Budget::UNLIMITED
    }

    /// Whether the clock has run for a time.
    fn has_run_for(&self, time: Option<Duration>) -> bool {
        self.started.get().zip(time).is_some_and(|(started, time)| started.elapsed() >= time)
    }
}

/// Estimates the time that the search needs from its iterations so far.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeManager {
    /// The share of the soft limit for this kind of move, in percent.
    base: u32,
    best: Option<Move>,
    /// The number of iterations for which the best move has stayed the same.
    stable: usize,
    /// The value after the last iteration, in hundredths of a man.
    value: i32,
    /// How far the value fell in the last iteration.
    fall: i32,
    /// When the last iteration ended.
    last_end: Duration,
    /// How long the last iteration took.
    last_duration: Duration,
}

impl TimeManager {
    /// The state at the start of a search, for a removal or another move.
    pub(super) fn new(is_removal: bool) -> Self {
        let base = if is_removal { REMOVAL_PERCENT } else { 100 };
        Self { base, ..Self::default() }
    }

    /// Takes into account the result of an iteration and when it ended.
    pub(super) fn finish_iteration(&mut self, best: Option<Move>, score: Score, end: Duration) {
        let value = i32::from(score.hundredths());
        self.fall = if self.best.is_none() { 0 } else { self.value - value };
        self.value = value;
        self.stable = if self.best == best { self.stable + 1 } else { 0 };
        self.best = best;
        self.last_duration = end.saturating_sub(self.last_end);
        self.last_end = end;
    }

    /// Whether a search that shares its clock with later moves should end here: its time is used
    /// up, or the next iteration is unlikely to finish.
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

    #[test]
    fn a_waiting_clock_spends_nothing_until_it_starts() {
        let clock = Clock::waiting(Budget::for_move(Duration::ZERO, Duration::ZERO));
        assert!(!clock.is_past_hard());
        clock.start();
        assert!(clock.is_past_hard() && clock.is_past_soft());
    }

    #[test]
    fn no_move_takes_more_than_most_of_the_clock() {
        let ms = Duration::from_millis;
        for (remaining, increment, moves) in [(10, 1000, None), (5, 0, Some(1)), (0, 0, Some(0))] {
            let budget = Budget::for_game(ms(remaining), ms(increment), moves, ms(1));
            assert!(budget.hard <= Some(ms(remaining) * 3 / 5), "{budget:?}");
            assert!(budget.soft <= budget.hard);
        }
        let budget = Budget::for_game(ms(3300), ms(0), None, ms(10));
        assert_eq!((budget.soft, budget.hard), (Some(ms(60)), Some(ms(300))));
        let budget = Budget::for_game(ms(300), ms(110), None, ms(100));
        assert!(budget.soft >= Some(ms(10)), "the increment is more than the overhead: {budget:?}");
        let longest = Budget::for_game(Duration::MAX, Duration::MAX, Some(u32::MAX), Duration::MAX);
        assert!(longest.hard.is_some());
    }

    #[test]
    fn a_clock_below_the_overhead_gains_by_the_increment() {
        let micros = Duration::from_micros;
        for remaining in [10_000, 5_000, 1_000, 0].map(micros) {
            let [clock, increment, overhead] = [remaining, micros(1000), micros(10_000)];
            let budget = Budget::for_game(clock, increment, None, overhead);
            assert!(budget.soft < Some(increment / 3), "{remaining:?}: {budget:?}");
            assert!(budget.hard <= Some(remaining * 3 / 10), "{remaining:?}: {budget:?}");
        }
        assert_eq!(Budget::for_move(micros(6), micros(10)).hard, Some(micros(3)));
    }

    #[test]
    fn depths_are_kept_in_range() {
        assert_eq!(Limits::to_depth(0).depth, 1);
        assert_eq!(Limits::to_depth(u32::MAX).depth, MAX_DEPTH);
    }

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
