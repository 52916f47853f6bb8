//! The text of replies, and the reporter of a search, which prints `info` lines at a rate that front ends can
//! read and makes the last ones agree with the result.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::arguments::go_words;
use super::task::Search;
use super::{Command, CommandSpec, Dialect, OptionSpec, ResultStyle, gbgp};
use crate::board::Side;
use crate::build_info::{OLDEST_RUST, VERSION, target};
use crate::evaluate::{Term, estimate, terms};
use crate::game::{Game, Outcome};
use crate::position::{Move, MoveLine};
use crate::score::{Bound, Score, ScoreKind};
use crate::search::{KnownRoot, Observer, Report, Variation};

/// The reply to `uci` or `gbgp`.
pub(super) fn identity(dialect: Dialect) -> String {
    let mut lines =
        vec![format!("id name Millstone {VERSION}"), "id author the Millstone developers".into()];
    lines.extend(OptionSpec::of(dialect).map(ToString::to_string));
    lines.push(dialect.greeting().reply(dialect).to_owned());
    lines.join("\n")
}

/// The reply to `help`.
pub(super) fn help(dialect: Dialect) -> String {
    let row = |name: &str, help: &str| format!("  {name:<38} {help}");
    let command = |spec: &CommandSpec| {
        row(&spec.command.line(dialect, spec.arguments[dialect as usize]), spec.help)
    };
    let mut lines = vec!["Commands:".to_owned()];
    lines.extend(dialect.commands().map(command));
    lines.push(format!("Limits of go: {}", go_words(dialect)));
    lines.push("Options:".to_owned());
    lines.extend(OptionSpec::of(dialect).map(|option| row(option.name, &option.help)));
    let moves = match dialect {
        Dialect::Uci => "d6-d5 slides or flies, xd5 removes",
        Dialect::Gbgp => "d6-d5 slides or flies, d6xa1 and d6-d5xa1 remove too",
    };
    lines.push(format!("Moves: d6 places, {moves}."));
    lines.join("\n")
}

/// The reply to `compiler`.
pub(super) fn compiler() -> String {
    format!("info string compiler Rust, {OLDEST_RUST} or later, target {}", target())
}

/// The format of scores.
pub(super) struct ScoreWords {
    /// The word before an estimate.
    pub(super) estimate: &'static str,
    /// The value of a man in estimates, at most [`Score::MAN`].
    pub(super) man: i16,
    /// The word before a number of turns to a win.
    pub(super) win: &'static str,
}

/// UCI scores for the side to move: `cp 12`, `mate 3`, `mate -2`.
const UCI: ScoreWords = ScoreWords { estimate: "cp", man: Score::MAN, win: "mate" };

impl ScoreWords {
    /// Formats a score; wins are counted in turns of the winner.
    pub(super) fn text(&self, score: Score) -> String {
        let Self { estimate, win, .. } = self;
        match score.kind() {
            ScoreKind::MateIn(turns) => format!("{win} {}", Score::turns_of_winner(turns)),
            ScoreKind::MatedIn(0) => format!("{win} 0"),
            ScoreKind::MatedIn(turns) => format!("{win} -{}", Score::turns_of_winner(turns)),
            _ => format!("{estimate} {}", in_units(score, self.man)),
        }
    }
}

/// An estimate in units of 1/`man` of a man.
fn in_units(score: Score, man: i16) -> i16 {
    score.hundredths() / (Score::MAN / man)
}

/// The reply to `eval`: the terms of the evaluation for White and for Black.
pub(super) fn eval(game: &Game) -> String {
    let mut lines = Vec::new();
    if game.outcome().is_none() {
        lines.push(format!("info string {:<20} {:>8} {:>8}", "term", "White", "Black"));
        lines.extend(terms(game.position()).into_iter().map(|Term { name, value }| {
            let white = if game.to_move() == Side::White { value } else { -value };
            format!("info string {name:<20} {white:>+8.1} {:>+8.1}", -white)
        }));
    }
    lines.push(format!("info eval score {}", UCI.text(estimate(game))));
    lines.join("\n")
}

/// An `info` line about a line of a report.
///
/// * `rank`: the rank to print as `multipv`, if any.
/// * `time`: the duration of the search.
fn info(report: &Report, line: &Variation, rank: Option<usize>, time: Duration) -> String {
    let Report { selective_depth, nodes, tablebase_hits, table_use, .. } = report;
    let depth = line.depth.max(report.depth);
    let rank = rank.map(|rank| format!(" multipv {rank}")).unwrap_or_default();
    let bound = bound_word(line.bound);
    format!(
        "info depth {depth} seldepth {selective_depth}{rank} score {}{bound} nodes {nodes} nps \
         {:.0} hashfull {table_use} tbhits {tablebase_hits} time {} pv{}",
        UCI.text(line.score),
        rate(*nodes, time),
        time.as_millis(),
        MoveLine(&line.pv)
    )
}

/// The suffix of a score that is a bound.
pub(super) fn bound_word(bound: Bound) -> String {
    if bound == Bound::Exact { String::new() } else { format!(" {bound}bound") }
}

/// Nodes per second.
pub(super) fn rate(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / time.as_secs_f64().max(1e-6)
}

/// The word before the best move, the same in both dialects.
pub(super) const BEST_MOVE: &str = Command::Go.reply(Dialect::Uci);

/// Scores in the other styles.
const SANMILL: ScoreWords = ScoreWords { man: 5, ..UCI };
/// The value of a win in the legacy style.
const LEGACY_WIN: i16 = 80;

/// The last line of a search, with the best move, or `draw` or `none` if there is none.
pub(super) fn best_move(style: ResultStyle, game: &Game, report: &Report) -> String {
    let is_drawn = matches!(game.outcome(), Some(Outcome::Draw(_)));
    let nothing = if is_drawn { "draw" } else { "none" };
    let best = report.best().map_or_else(|| nothing.to_owned(), |mv| mv.to_string());
    // The search of a finished game has no line.
    let is_silent = report.lines.is_empty();
    let score = if is_silent { estimate(game) } else { report.score() };
    let white = if game.to_move() == Side::White { score } else { -score };
    match (style, white.kind()) {
        (ResultStyle::Uci, _) => {
            let told = || format!("info depth 0 score {}\n", UCI.text(score));
            let info = is_silent.then(told).unwrap_or_default();
            let ponder = report.ponder(game).map(|mv| format!(" ponder {mv}"));
            format!("{info}{BEST_MOVE} {best}{}", ponder.unwrap_or_default())
        }
        (ResultStyle::Sanmill, _) => {
            let Report { depth, nodes, .. } = report;
            let score = SANMILL.text(white);
            format!("info depth {depth} score {score} nodes {nodes} {BEST_MOVE} {best}")
        }
        (ResultStyle::Legacy, kind) => {
            let value = match kind {
                ScoreKind::MateIn(_) => LEGACY_WIN,
                ScoreKind::MatedIn(_) => -LEGACY_WIN,
                _ => in_units(white, SANMILL.man).clamp(1 - LEGACY_WIN, LEGACY_WIN - 1),
            };
            format!("info score {value} {BEST_MOVE} {best}")
        }
    }
}

/// Prints the output of a search.
pub(super) struct Reporter<'a> {
    stop: &'a AtomicBool,
    search: &'a Search,
    /// The last report with the lines to print, updated by later bounds.
    told: Report,
    /// The time from the beginning of the search to the last report.
    time: Duration,
    /// How many of the lines have been printed.
    printed: usize,
    /// The earliest time of the next report.
    due: Instant,
}

/// The minimum time between reports in each dialect: Nine-Morris-3D reads one line per frame.
const INTERVALS: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(200)];

impl<'a> Reporter<'a> {
    /// A reporter of a search that begins now and runs until `stop` is set.
    pub(super) fn new(stop: &'a AtomicBool, search: &'a Search) -> Self {
        let interval = INTERVALS[search.dialect as usize];
        let interval = if search.has_details() { Duration::ZERO } else { interval };
        let due = Instant::now() + interval;
        Self { stop, search, told: Report::default(), time: Duration::ZERO, printed: 0, due }
    }

    /// Delays the next report by the minimum time.
    fn pause(&mut self) {
        self.due = Instant::now() + INTERVALS[self.search.dialect as usize];
    }

    /// Prints the pending lines or, if the lines disagree with the report, new ones for all best moves.
    pub(super) fn finish(&mut self, report: &Report) {
        if !self.has_told(report) {
            self.set_lines(report);
        }
        self.print_lines();
    }

    /// Whether the lines agree with the report.
    pub(super) fn has_told(&self, report: &Report) -> bool {
        let lines = report.lines.iter().take(self.search.limits.multi_pv);
        report.lines.is_empty() || !self.search.has_lines() || self.told.lines.iter().eq(lines)
    }

    /// Takes the lines of a report to print, apart from those that have been printed if it only adds more.
    fn set_lines(&mut self, report: &Report) {
        let adds = self.told.depth == report.depth && report.lines.starts_with(&self.told.lines);
        self.printed = if adds { self.printed } else { 0 };
        self.told = report.clone().reaching(0);
        self.told.lines.truncate(self.search.limits.multi_pv);
        self.time = self.search.limits.clock.elapsed();
    }

    fn print(&self, index: usize) {
        let Self { search, told, time, .. } = self;
        let line = &told.lines[index];
        let rank = (search.limits.multi_pv > 1).then_some(index + 1);
        search.output.line(match search.dialect {
            Dialect::Uci => info(told, line, rank, *time),
            Dialect::Gbgp => gbgp::info(search, told, line, *time),
        });
    }

    fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    fn is_waiting(&self) -> bool {
        self.printed < self.told.lines.len()
    }

    /// Prints the pending lines.
    fn print_lines(&mut self) {
        (self.printed..self.told.lines.len()).for_each(|index| self.print(index));
        self.printed = self.told.lines.len();
        self.pause();
    }
}

impl Observer for Reporter<'_> {
    fn known_root(&mut self, known: &KnownRoot) {
        if self.search.has_details() {
            self.search.output.line(format_args!("info string {known}"));
        }
    }

    fn progress(&mut self, report: &Report) {
        if self.search.has_lines() {
            self.set_lines(report);
            if self.printed > 0 || self.is_due() {
                self.print_lines();
            }
        }
    }

    fn bound(&mut self, report: &Report, rank: usize) {
        let at = rank - 1;
        let is_wanted = self.search.has_details() && at < self.told.lines.len();
        if is_wanted && !self.is_waiting() && self.is_due() {
            let mut lines = mem::take(&mut self.told.lines);
            lines[at].clone_from(&report.lines[0]);
            self.told = Report { lines, depth: self.told.depth, ..report.clone() };
            self.time = self.search.limits.clock.elapsed();
            self.print(at);
            self.pause();
        }
    }

    fn current_move(&mut self, depth: u32, mv: Move, number: usize) {
        if self.search.has_details() && !self.is_waiting() && self.is_due() {
            let line = format_args!("info depth {depth} currmove {mv} currmovenumber {number}");
            self.search.output.line(line);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_written_in_three_styles() {
        use ResultStyle::{Legacy, Sanmill, Uci};
        let mut game = Game::new();
        game.play("d5".parse().unwrap()).unwrap();
        let (estimate, win) = (Score::estimate(-205), Score::mate_in(5));
        for (style, score, expected) in [
            (Uci, estimate, "bestmove d6 ponder f4"),
            (Sanmill, estimate, "info depth 3 score cp 10 nodes 77 bestmove d6"),
            (Legacy, estimate, "info score 10 bestmove d6"),
            (Sanmill, win, "info depth 3 score mate -3 nodes 77 bestmove d6"),
            (Legacy, win, "info score -80 bestmove d6"),
        ] {
            let pv = ["d6", "f4"].map(|mv| mv.parse().unwrap()).to_vec();
            let lines = vec![Variation { score, pv, ..Variation::default() }];
            let report = Report { depth: 3, lines, nodes: 77, ..Report::default() };
            assert_eq!(best_move(style, &game, &report), expected);
        }
    }

    #[test]
    fn info_lines_say_which_line_they_are_and_which_bound() {
        let mv = "d6".parse().unwrap();
        let time = Duration::from_millis(500);
        let report = Report {
            depth: 4,
            selective_depth: 7,
            nodes: 1000,
            tablebase_hits: 3,
            table_use: 5,
            ..Report::default()
        };
        let score = Score::estimate(12);
        let mut line = Variation { score, pv: vec![mv], ..Variation::default() };
        let end = "nodes 1000 nps 2000 hashfull 5 tbhits 3 time 500 pv d6";
        let text = info(&report, &line, Some(2), time);
        assert_eq!(text, format!("info depth 4 seldepth 7 multipv 2 score cp 12 {end}"));
        for (bound, flag) in [(Bound::Lower, "lowerbound"), (Bound::Upper, "upperbound")] {
            line.bound = bound;
            let text = info(&report, &line, None, time);
            assert_eq!(text, format!("info depth 4 seldepth 7 score cp 12 {flag} {end}"));
        }
    }

    #[test]
    fn mates_are_counted_in_turns_of_the_winner() {
        let words = [
            (Score::mate_in(1), "mate 1"),
            (Score::mate_in(3), "mate 2"),
            (Score::mated_in(0), "mate 0"),
            (Score::mated_in(2), "mate -1"),
            (Score::mated_in(4), "mate -2"),
        ];
        for (score, word) in words {
            assert_eq!(UCI.text(score), word);
        }
    }
}
