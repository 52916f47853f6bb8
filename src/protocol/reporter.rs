//! The output of a search: at a rate that front ends can read, with last lines that agree with the
//! result.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::command::Dialect;
use super::gbgp;
use super::reply;
use super::task::Search;
use crate::position::Move;
use crate::score::Bound;
use crate::search::{KnownRoot, Observer, Progress, Report};

/// Prints the output of a search.
pub(super) struct Reporter<'a> {
    stop: &'a AtomicBool,
    search: &'a Search,
    /// What was told of the last iteration, best move first, updated by later bounds.
    lines: Vec<Progress>,
    /// The number of them that have been printed.
    printed: usize,
    /// The earliest time of the next report.
    due: Instant,
}

/// The least time between reports in each dialect: Nine-Morris-3D reads one line per frame.
const INTERVALS: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(200)];

impl<'a> Reporter<'a> {
    /// A reporter of a search that begins now and runs until `stop` is set.
    pub(super) fn new(stop: &'a AtomicBool, search: &'a Search) -> Self {
        let interval = INTERVALS[search.dialect as usize];
        let interval = if search.has_details() { Duration::ZERO } else { interval };
        Self { stop, search, lines: Vec::new(), printed: 0, due: Instant::now() + interval }
    }

    /// Lets the next report wait.
    fn pause(&mut self) {
        self.due = Instant::now() + INTERVALS[self.search.dialect as usize];
    }

    /// Prints the remaining lines or, if they disagree with the report, new ones for all best moves.
    ///
    /// * `time`: the duration of the search.
    pub(super) fn finish(&mut self, report: &Report, time: Duration) {
        if !self.has_told(report) {
            self.lines = self.last_lines(report, time);
            self.printed = 0;
        }
        self.print_lines();
    }

    /// Whether the lines agree with the report.
    pub(super) fn has_told(&self, report: &Report) -> bool {
        let told = self.lines.iter().map(|told| &told.line);
        report.lines.is_empty()
            || !self.search.has_lines()
            || told.eq(report.lines.iter().take(self.search.limits.multi_pv))
    }

    /// The lines of a report. A bound comes from the unfinished iteration.
    fn last_lines(&self, report: &Report, time: Duration) -> Vec<Progress> {
        let told = self.lines.first().map(|told| (told.selective_depth, told.table_use));
        let (selective_depth, table_use) = told.unwrap_or_default();
        let line = |index: usize| {
            let depth = report.depth + u32::from(report.lines[index].bound != Bound::Exact);
            let selective_depth = selective_depth.max(depth);
            Progress { depth, selective_depth, table_use, ..report.progress(index, time) }
        };
        (0..report.lines.len().min(self.search.limits.multi_pv)).map(line).collect()
    }

    fn print(&self, told: &Progress) {
        self.search.output.line(match self.search.dialect {
            Dialect::Uci => reply::info(told, self.search.limits.multi_pv > 1),
            Dialect::Gbgp => gbgp::info(self.search, told),
        });
    }

    fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    fn is_waiting(&self) -> bool {
        self.printed < self.lines.len()
    }

    /// Prints the lines that are still to be printed.
    fn print_lines(&mut self) {
        self.lines[self.printed..].iter().for_each(|told| self.print(told));
        self.printed = self.lines.len();
        self.pause();
    }
}

impl Observer for Reporter<'_> {
    fn known_root(&mut self, known: &KnownRoot) {
        if self.search.has_details() {
            self.search.output.line(format_args!("info string {known}"));
        }
    }

    fn progress(&mut self, progress: &Progress) {
        if !self.search.has_lines() || progress.rank > self.search.limits.multi_pv {
            return;
        }
        // The lines of an iteration are printed together.
        let is_printed = if progress.rank == 1 {
            self.lines.clear();
            self.printed = 0;
            self.is_due()
        } else {
            !self.is_waiting()
        };
        self.lines.push(progress.clone());
        if is_printed {
            self.print_lines();
        }
    }

    fn bound(&mut self, progress: &Progress) {
        let at = progress.rank - 1;
        let is_wanted = self.search.has_details() && at < self.lines.len();
        if is_wanted && !self.is_waiting() && self.is_due() {
            self.print(progress);
            self.lines[at] = progress.clone();
            self.pause();
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        if self.search.has_details() && !self.is_waiting() && self.is_due() {
            self.search.output.line(reply::current(depth, mv, number));
            self.pause();
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        if self.is_waiting() && self.is_due() {
            self.print_lines();
        }
        self.stop.load(Relaxed)
    }
}
