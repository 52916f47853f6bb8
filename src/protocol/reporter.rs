//! The lines that a search prints while it runs, no more of them than a front end can read, and the
//! last ones, which say what is known of the move to play.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::command::Dialect;
use super::gbgp;
use super::lines::Output;
use super::options::{Options, ResultStyle};
use super::reply;
use crate::game::Game;
use crate::position::{Move, Turn};
use crate::score::{Bound, Score};
use crate::search::{CurrentMove, KnownRoot, Observer, Progress, Report, Variation};

/// How a search reports.
pub(super) enum Reports {
    /// In plies, with `multi_pv` of the best moves.
    Uci { style: ResultStyle, multi_pv: usize },
    /// In whole turns, to be chosen from some, or from all if there are none.
    Gbgp { choices: Vec<Turn>, view: gbgp::View },
}

/// The time from one line, or from the lines of one iteration, to the next.
const UCI_INTERVAL: Duration = Duration::from_millis(10);
/// The same for a front end that reads a line with each picture that it draws.
const GBGP_INTERVAL: Duration = Duration::from_millis(200);
/// The time that it takes to read the last two lines with pictures a tenth of a second apart.
const GBGP_OVERHEAD: Duration = Duration::from_millis(200);

impl Reports {
    /// The reports of a search in a dialect.
    pub(super) fn new(dialect: Dialect, options: &Options, choices: &[Turn]) -> Self {
        match dialect {
            Dialect::Uci => {
                Self::Uci { style: options.result_style, multi_pv: options.multi_pv as usize }
            }
            Dialect::Gbgp => {
                Self::Gbgp { choices: choices.to_vec(), view: gbgp::View::of(options) }
            }
        }
    }

    /// How many variations the search has to find.
    pub(super) const fn multi_pv(&self) -> usize {
        match self {
            Self::Uci { multi_pv, .. } => *multi_pv,
            Self::Gbgp { .. } => 1,
        }
    }

    /// The time lost on the way between engine and front end on each move.
    pub(super) fn overhead(&self, options: &Options) -> Duration {
        let least = match self {
            Self::Uci { .. } => Duration::ZERO,
            Self::Gbgp { .. } => GBGP_OVERHEAD,
        };
        least.max(Duration::from_millis(options.move_overhead.into()))
    }

    /// Whether anything is said before the result.
    pub(super) fn has_lines(&self) -> bool {
        !matches!(self, Self::Uci { style: ResultStyle::Sanmill | ResultStyle::Legacy, .. })
    }

    /// Whether more is said than one line an iteration.
    fn has_details(&self) -> bool {
        matches!(self, Self::Uci { style: ResultStyle::Uci, .. })
    }

    const fn interval(&self) -> Duration {
        match self {
            Self::Uci { .. } => UCI_INTERVAL,
            Self::Gbgp { .. } => GBGP_INTERVAL,
        }
    }
}

/// Prints what a search reports.
pub(super) struct Reporter<'a> {
    stop: &'a AtomicBool,
    game: &'a Game,
    reports: &'a Reports,
    output: &'a Output,
    /// The lines of the last iteration, the best move first, each replaced by what is known since.
    lines: Vec<Line>,
    /// How many of them have been printed.
    printed: usize,
    /// The next line is printed when this has come.
    due: Instant,
}

/// An `info` line about a move, and what it says.
struct Line {
    text: String,
    found: Variation,
    selective_depth: u32,
    table_use: u32,
}

impl<'a> Reporter<'a> {
    /// A reporter of a search that begins now, until `stop` is set.
    pub(super) fn new(
        stop: &'a AtomicBool,
        game: &'a Game,
        reports: &'a Reports,
        output: &'a Output,
    ) -> Self {
        let now = Instant::now();
        let due = if reports.has_details() { now } else { now + reports.interval() };
        Self { stop, game, reports, output, lines: Vec::new(), printed: 0, due }
    }

    /// Prints what has not been printed of the lines of the best moves, unless the report says
    /// something else of them: then all of them anew, `time` after the search began.
    pub(super) fn finish(&mut self, report: &Report, time: Duration) {
        if !self.has_told(report) {
            self.lines = self.last_lines(report, time);
            self.printed = 0;
        }
        self.print_lines();
    }

    /// Whether nothing is left to say but the lines as they are: they say what the report says.
    pub(super) fn has_told(&self, report: &Report) -> bool {
        if report.pv.is_empty() || !self.reports.has_lines() {
            return true;
        }
        let told =
            self.lines.iter().map(|Line { found, .. }| (found.score, found.bound, &found.pv[..]));
        told.eq(found(report).take(self.reports.multi_pv()))
    }

    /// The lines of a report. A bound that has not been told comes from the iteration after the last
    /// finished one.
    fn last_lines(&self, report: &Report, time: Duration) -> Vec<Line> {
        let (selective_depth, table_use) =
            self.lines.first().map_or((0, 0), |line| (line.selective_depth, line.table_use));
        let line = |(index, (score, bound, pv)): (usize, (Score, Bound, &[Move]))| {
            let depth = report.depth + u32::from(bound != Bound::Exact);
            self.line(&Progress {
                depth,
                selective_depth: selective_depth.max(depth),
                rank: index + 1,
                score,
                bound,
                pv,
                nodes: report.nodes,
                tablebase_hits: report.tablebase_hits,
                table_use,
                time,
            })
        };
        found(report).take(self.reports.multi_pv()).enumerate().map(line).collect()
    }

    fn line(&self, progress: &Progress<'_>) -> Line {
        let &Progress { selective_depth, table_use, .. } = progress;
        let text = match self.reports {
            Reports::Uci { multi_pv, .. } => reply::info(progress, *multi_pv > 1),
            Reports::Gbgp { choices, view } => gbgp::info(self.game, choices, *view, progress),
        };
        Line { text, found: Variation::from(progress), selective_depth, table_use }
    }

    fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    fn is_waiting(&self) -> bool {
        self.printed < self.lines.len()
    }

    /// Prints the lines that have not been printed.
    fn print_lines(&mut self) {
        for line in &self.lines[self.printed..] {
            self.output.line(&line.text);
        }
        self.printed = self.lines.len();
        self.due = Instant::now() + self.reports.interval();
    }
}

/// The score, its bound and the pv of each MultiPV line, best first.
fn found(report: &Report) -> impl Iterator<Item = (Score, Bound, &[Move])> {
    let others = report.others.iter().map(|line| (line.score, line.bound, &line.pv[..]));
    [(report.score, report.bound, &report.pv[..])].into_iter().chain(others)
}

impl Observer for Reporter<'_> {
    fn known_root(&mut self, known: &KnownRoot) {
        if self.reports.has_details() {
            self.output.line(format_args!("info string {known}"));
        }
    }

    fn progress(&mut self, progress: &Progress<'_>) {
        if !self.reports.has_lines() || progress.rank > self.reports.multi_pv() {
            return;
        }
        // The lines of an iteration stay together.
        let is_printed = if progress.rank == 1 {
            self.lines.clear();
            self.printed = 0;
            self.is_due()
        } else {
            !self.is_waiting()
        };
        self.lines.push(self.line(progress));
        if is_printed {
            self.print_lines();
        }
    }

    fn bound(&mut self, progress: &Progress<'_>) {
        let at = progress.rank - 1;
        let is_wanted = self.reports.has_details() && at < self.lines.len();
        if is_wanted && !self.is_waiting() && self.is_due() {
            self.lines[at] = self.line(progress);
            self.output.line(&self.lines[at].text);
            self.due = Instant::now() + self.reports.interval();
        }
    }

    fn current_move(&mut self, current: &CurrentMove) {
        if self.reports.has_details() && !self.is_waiting() && self.is_due() {
            self.output.line(reply::current(current));
            self.due = Instant::now() + self.reports.interval();
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        if self.is_waiting() && self.is_due() {
            self.print_lines();
        }
        self.stop.load(Relaxed)
    }
}
