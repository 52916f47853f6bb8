//! A timed count, as a row of a table.

use std::fmt;
use std::time::{Duration, Instant};

/// The leaves at a depth and the time it took to count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The depth in moves.
    pub depth: u32,
    /// The number of leaves.
    pub leaves: u64,
    /// The time of counting.
    pub time: Duration,
}

impl Count {
    /// The title of the rows.
    pub const TITLE: &str = "depth               leaves    seconds        leaves/s";

    /// Times a count.
    pub fn of(depth: u32, count: impl FnOnce() -> u64) -> Self {
        let start = Instant::now();
        let leaves = count();
        Self { depth, leaves, time: start.elapsed() }
    }

    /// Leaves a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.leaves as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, leaves, time } = self;
        let seconds = time.as_secs_f64();
        write!(f, "{depth:>5} {leaves:>20} {seconds:>10.3} {:>15.0}", self.rate())
    }
}
