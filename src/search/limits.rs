//! When a search ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::parameters::{
    INCREMENT_PERCENT, MAX_DEPTH, MOST_OF_CLOCK_PERCENT, MOVES_TO_GO, SOFT_PERCENT,
};
use crate::position::Move;

/// The limits of one search; the first one reached ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The deepest iteration, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// The most positions to visit.
    pub nodes: Option<u64>,
    /// Ends the search when a win in this many turns of the winner is found.
    pub mate: Option<u32>,
    /// The root moves to choose from; all when empty.
    pub search_moves: Vec<Move>,
    /// The time that the search may take.
    pub clock: Arc<Clock>,
}

impl Limits {
    /// No limit but the deepest iteration.
    #[must_use]
    pub fn none() -> Self {
        Self::to_depth(MAX_DEPTH)
    }

    /// A search to a depth, taken as 1 to [`MAX_DEPTH`].
    #[must_use]
    pub fn to_depth(depth: u32) -> Self {
        Self {
            depth: depth.clamp(1, MAX_DEPTH),
            nodes: None,
            mate: None,
            search_moves: Vec::new(),
            clock: Arc::new(Clock::started(Budget::UNLIMITED)),
        }
    }
}

/// The time that a search may take, once its clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// After this time no new iteration begins.
    pub soft: Option<Duration>,
    /// After this time the search is broken off.
    pub hard: Option<Duration>,
}

impl Budget {
    /// All the time in the world.
    pub const UNLIMITED: Self = Self { soft: None, hard: None };

    /// So long, less what passes before the answer arrives, which is at most half of it.
    #[must_use]
    pub fn for_move(time: Duration, overhead: Duration) -> Self {
        Self { soft: None, hard: Some(less_overhead(time, overhead)) }
    }

    /// A share of the time that is left for `moves_to_go` moves, or for the game if not given.
    #[must_use]
    pub fn for_game(
        remaining: Duration,
        increment: Duration,
        moves_to_go: Option<u32>,
        overhead: Duration,
    ) -> Self {
        let usable = less_overhead(remaining, overhead);
        let share = usable / moves_to_go.unwrap_or(MOVES_TO_GO).max(1);
        let share = share.saturating_add(percent(increment, INCREMENT_PERCENT));
        let hard = share.min(percent(usable, MOST_OF_CLOCK_PERCENT));
        Self { soft: Some(percent(hard, SOFT_PERCENT)), hard: Some(hard) }
    }
}

fn less_overhead(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead.min(time / 2))
}

fn percent(time: Duration, percent: u32) -> Duration {
    time / 100 * percent
}

/// A clock that threads share; that of a ponder search starts when the opponent has moved.
#[derive(Debug)]
pub struct Clock {
    created: Instant,
    /// Nanoseconds from `created` to the start, or `STOPPED`.
    start: AtomicU64,
    budget: Budget,
}

const STOPPED: u64 = u64::MAX;

impl Clock {
    /// A clock that runs from now.
    #[must_use]
    pub fn started(budget: Budget) -> Self {
        Self { created: Instant::now(), start: AtomicU64::new(0), budget }
    }

    /// A clock that waits for [`start`](Self::start).
    #[must_use]
    pub fn waiting(budget: Budget) -> Self {
        Self { created: Instant::now(), start: AtomicU64::new(STOPPED), budget }
    }

    /// Lets the clock run from now, if it does not run yet.
    pub fn start(&self) {
        let now = self.created.elapsed().as_nanos() as u64;
        let _ = self.start.compare_exchange(STOPPED, now, Relaxed, Relaxed);
    }

    /// Whether the clock runs.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.start.load(Relaxed) != STOPPED
    }

    /// The time since the clock was made, whether it runs or not.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.created.elapsed()
    }

    /// Whether the time is up.
    #[must_use]
    pub fn is_past_hard(&self) -> bool {
        self.has_run_for(self.budget.hard)
    }

    /// Whether it is too late to begin another iteration.
    #[must_use]
    pub fn is_past_soft(&self) -> bool {
        self.has_run_for(self.budget.soft) || self.is_past_hard()
    }

    /// Whether the search has to share its time with later moves.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.budget.soft.is_some() && self.is_running()
    }

    fn has_run_for(&self, limit: Option<Duration>) -> bool {
        let start = self.start.load(Relaxed);
        let running_time = || self.created.elapsed().saturating_sub(Duration::from_nanos(start));
        start != STOPPED && limit.is_some_and(|limit| running_time() >= limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_clock_spends_nothing_until_it_starts() {
        let clock = Clock::waiting(Budget::for_move(Duration::ZERO, Duration::ZERO));
        assert!(!clock.is_past_hard() && !clock.is_running());
        clock.start();
        assert!(clock.is_past_hard() && clock.is_past_soft() && clock.is_running());
    }

    #[test]
    fn no_move_takes_more_than_most_of_the_clock() {
        let ms = Duration::from_millis;
        for (remaining, increment, moves) in [(10, 1000, None), (5, 0, Some(1)), (0, 0, Some(0))] {
            let budget = Budget::for_game(ms(remaining), ms(increment), moves, ms(1));
            assert!(budget.hard <= Some(ms(remaining) * 4 / 5), "{budget:?}");
            assert!(budget.soft <= budget.hard);
        }
        let budget = Budget::for_game(ms(3010), ms(0), None, ms(10));
        assert_eq!(budget.hard, Some(ms(100)));
        assert_eq!(Budget::for_move(ms(6), ms(10)).hard, Some(ms(3)));
    }

    #[test]
    fn depths_are_kept_in_range() {
        assert_eq!(Limits::to_depth(0).depth, 1);
        assert_eq!(Limits::to_depth(u32::MAX).depth, MAX_DEPTH);
    }
}
