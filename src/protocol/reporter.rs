//! The output of a search: at a rate that front ends can read, with last lines that agree with the
//! result.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::command::Dialect;
use super::gbgp;
use super::lines::Output;
use super::options::{Options, ResultStyle};
use super::reply;
use crate::game::Game;
use crate::position::{Move, Turn};
use crate::score::Bound;
use crate::search::{KnownRoot, Observer, Progress, Report};

/// The output of a search of a game.
pub(super) struct Reports {
    pub(super) game: Game,
    pub(super) output: Output,
    /// Moves are plies or whole turns.
    pub(super) dialect: Dialect,
    /// The style of the UCI dialect.
    pub(super) style: ResultStyle,
    /// The turns to choose from, all if empty.
    pub(super) choices: Vec<Turn>,
    /// Whether the scores of GBGP are for the side to move instead of White.
    pub(super) is_for_mover: bool,
    /// The number of best moves that are searched for, each with its line.
    pub(super) multi_pv: usize,
    /// The least time between reports.
    interval: Duration,
    /// The time lost in communication on each move.
    pub(super) overhead: Duration,
}

const UCI_INTERVAL: Duration = Duration::from_millis(10);
/// Nine-Morris-3D reads one line per frame.
const GBGP_INTERVAL: Duration = Duration::from_millis(200);
/// The time to read the last two lines at ten frames a second.
const GBGP_OVERHEAD: Duration = Duration::from_millis(200);

impl Reports {
    /// The output of a search in a dialect.
    pub(super) fn new(
        game: Game,
        output: Output,
        dialect: Dialect,
        options: &Options,
        choices: Vec<Turn>,
    ) -> Self {
        let overhead = Duration::from_millis(options.move_overhead.into());
        let (multi_pv, interval, overhead) = match dialect {
            Dialect::Uci => (options.multi_pv as usize, UCI_INTERVAL, overhead),
            Dialect::Gbgp => (1, GBGP_INTERVAL, overhead.max(GBGP_OVERHEAD)),
        };
        let (style, is_for_mover) = (options.result_style, options.scores_for_side_to_move);
        Self { game, output, dialect, style, choices, is_for_mover, multi_pv, interval, overhead }
    }

    /// Whether there are `info` lines before the result.
    fn has_lines(&self) -> bool {
        self.dialect == Dialect::Gbgp || self.style == ResultStyle::Uci
    }

    /// Whether bounds, current moves and what the tablebase knows are reported too.
    pub(super) fn has_details(&self) -> bool {
        self.dialect == Dialect::Uci && self.style == ResultStyle::Uci
    }
}

/// Prints the output of a search.
pub(super) struct Reporter<'a> {
    stop: &'a AtomicBool,
    reports: &'a Reports,
    /// The lines of the last iteration, best move first, updated by later bounds.
    lines: Vec<Line>,
    /// The number of them that have been printed.
    printed: usize,
    /// The earliest time of the next report.
    due: Instant,
}

/// An `info` line and its contents.
struct Line {
    text: String,
    told: Progress,
}

impl<'a> Reporter<'a> {
    /// A reporter of a search that begins now and runs until `stop` is set.
    pub(super) fn new(stop: &'a AtomicBool, reports: &'a Reports) -> Self {
        let now = Instant::now();
        let due = if reports.has_details() { now } else { now + reports.interval };
        Self { stop, reports, lines: Vec::new(), printed: 0, due }
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
        let told = self.lines.iter().map(|line| &line.told.line);
        report.lines.is_empty()
            || !self.reports.has_lines()
            || told.eq(report.lines.iter().take(self.reports.multi_pv))
    }

    /// The lines of a report. A bound comes from the unfinished iteration.
    fn last_lines(&self, report: &Report, time: Duration) -> Vec<Line> {
        let told = self.lines.first().map(|line| (line.told.selective_depth, line.told.table_use));
        let (selective_depth, table_use) = told.unwrap_or_default();
        let line = |index: usize| {
            let depth = report.depth + u32::from(report.lines[index].bound != Bound::Exact);
            let selective_depth = selective_depth.max(depth);
            let told = report.progress(index, time);
            self.line(Progress { depth, selective_depth, table_use, ..told })
        };
        (0..report.lines.len().min(self.reports.multi_pv)).map(line).collect()
    }

    fn line(&self, told: Progress) -> Line {
        let text = match self.reports.dialect {
            Dialect::Uci => reply::info(&told, self.reports.multi_pv > 1),
            Dialect::Gbgp => gbgp::info(self.reports, &told),
        };
        Line { text, told }
    }

    fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    fn is_waiting(&self) -> bool {
        self.printed < self.lines.len()
    }

    /// Prints the lines that are still to be printed.
    fn print_lines(&mut self) {
        for line in &self.lines[self.printed..] {
            self.reports.output.line(&line.text);
        }
        self.printed = self.lines.len();
        self.due = Instant::now() + self.reports.interval;
    }
}

impl Observer for Reporter<'_> {
    fn known_root(&mut self, known: &KnownRoot) {
        if self.reports.has_details() {
            self.reports.output.line(format_args!("info string {known}"));
        }
    }

    fn progress(&mut self, progress: &Progress) {
        if !self.reports.has_lines() || progress.rank > self.reports.multi_pv {
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
        self.lines.push(self.line(progress.clone()));
        if is_printed {
            self.print_lines();
        }
    }

    fn bound(&mut self, progress: &Progress) {
        let at = progress.rank - 1;
        let is_wanted = self.reports.has_details() && at < self.lines.len();
        if is_wanted && !self.is_waiting() && self.is_due() {
            self.lines[at] = self.line(progress.clone());
            self.reports.output.line(&self.lines[at].text);
            self.due = Instant::now() + self.reports.interval;
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        if self.reports.has_details() && !self.is_waiting() && self.is_due() {
            self.reports.output.line(reply::current(depth, mv, number));
            self.due = Instant::now() + self.reports.interval;
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        if self.is_waiting() && self.is_due() {
            self.print_lines();
        }
        self.stop.load(Relaxed)
    }
}
