//! Replies: meaning to text.

use std::fmt;

use super::command::{Command, Dialect};
use super::go;
use super::options::{OptionSpec, ResultStyle};
use crate::board::Side;
use crate::build_info::{OLDEST_RUST, Target, VERSION};
use crate::evaluate::Term;
use crate::game::Outcome;
use crate::position::{Move, MoveLine};
use crate::score::{Score, ScoreKind};
use crate::search::{Bound, CurrentMove, Progress, Report};

/// What a person at a terminal reads first.
pub(super) const GREETING: &str = concat!(
    "Millstone ",
    env!("CARGO_PKG_VERSION"),
    ", an engine for mill games; help lists the commands, quit ends it"
);

/// The answer to `uci` or `gbgp`.
pub(super) struct Identity(pub(super) Dialect);

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "id name Millstone {VERSION}")?;
        writeln!(f, "id author the Millstone developers")?;
        OptionSpec::of(self.0).try_for_each(|option| writeln!(f, "{option}"))?;
        f.write_str(self.0.greeting().reply(self.0))
    }
}

/// The answer to `help`.
pub(super) struct Help(pub(super) Dialect);

impl fmt::Display for Help {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Commands:")?;
        for spec in self.0.commands() {
            let usage = spec.command.line(self.0, spec.arguments.of(self.0));
            writeln!(f, "  {usage:<38} {}", spec.help)?;
        }
        writeln!(f, "Limits of go: {}", go::words(self.0))?;
        writeln!(f, "Options:")?;
        for option in OptionSpec::of(self.0) {
            writeln!(f, "  {:<38} {}", option.name, option.about())?;
        }
        f.write_str(match self.0 {
            Dialect::Uci => "Moves: d6 places, d6-d5 slides or flies, xd5 removes.",
            Dialect::Gbgp => {
                "Moves: d6 places, d6-d5 slides or flies, d6xa1 and d6-d5xa1 remove too."
            }
        })
    }
}

/// The answer to `compiler`.
pub(super) struct Compiler;

impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info string compiler Rust, {OLDEST_RUST} or later, target {Target}")
    }
}

/// A score in the words of UCI, from the side to move: `cp 12`, `mate 3`, `mate -2`.
///
/// A mate is counted in turns of the winner.
pub(super) struct UciScore(pub(super) Score);

impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ScoreWords::UCI.write(f, self.0)
    }
}

/// How a front end reads scores.
pub(super) struct ScoreWords {
    /// The word before an estimate.
    pub(super) estimate: &'static str,
    /// What a man is worth in estimates, at most [`Score::MAN`].
    pub(super) man: i16,
    /// The word before the turns to a win.
    pub(super) win: &'static str,
}

impl ScoreWords {
    const UCI: Self = Self { estimate: "cp", man: Score::MAN, win: "mate" };

    /// Writes a score.
    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, score: Score) -> fmt::Result {
        let Self { estimate, win, .. } = self;
        match score.kind() {
            ScoreKind::MateIn(turns) => write!(f, "{win} {}", Score::turns_of_winner(turns)),
            ScoreKind::MatedIn(0) => write!(f, "{win} 0"),
            ScoreKind::MatedIn(turns) => write!(f, "{win} -{}", Score::turns_of_winner(turns)),
            _ => write!(f, "{estimate} {}", in_units(score, self.man)),
        }
    }
}

/// An estimate in units of which a man is worth so many.
fn in_units(score: Score, man: i16) -> i16 {
    score.hundredths() / (Score::MAN / man)
}

/// The answer to `eval`: what the estimate consists of, as White and as Black sees it.
pub(super) struct Explanation {
    pub(super) terms: Vec<Term>,
    pub(super) to_move: Side,
    pub(super) score: Score,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.terms.is_empty() {
            writeln!(f, "info string {:<20} {:>8} {:>8}", "term", "White", "Black")?;
        }
        for Term { name, value } in &self.terms {
            let white = if self.to_move == Side::White { *value } else { -value };
            writeln!(f, "info string {name:<20} {white:>+8.1} {:>+8.1}", -white)?;
        }
        write!(f, "info eval score {}", UciScore(self.score))
    }
}

/// An `info` line.
pub(super) struct Info<'a> {
    pub(super) progress: &'a Progress<'a>,
    /// Whether several lines are asked for, so that each needs its number.
    pub(super) is_numbered: bool,
}

impl fmt::Display for Info<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { depth, selective_depth, nodes, tablebase_hits, table_use, time, .. } =
            self.progress;
        let rate = *nodes as f64 / time.as_secs_f64().max(1e-6);
        write!(f, "info depth {depth} seldepth {selective_depth}")?;
        if self.is_numbered {
            write!(f, " multipv {}", self.progress.rank)?;
        }
        write!(f, " score {}", UciScore(self.progress.score))?;
        f.write_str(match self.progress.bound {
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
            Bound::Exact => "",
        })?;
        write!(f, " nodes {nodes} nps {rate:.0} hashfull {table_use} tbhits {tablebase_hits}")?;
        write!(f, " time {} pv{}", time.as_millis(), MoveLine(self.progress.pv))
    }
}

/// An `info` line with the root move that is searched next.
pub(super) struct Current<'a>(pub(super) &'a CurrentMove);

impl fmt::Display for Current<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CurrentMove { depth, mv, number } = self.0;
        write!(f, "info depth {depth} currmove {mv} currmovenumber {number}")
    }
}

/// The word before the move to play.
const BEST_MOVE: &str = Command::Go.reply(Dialect::Uci);

/// The line that ends a search: the move, or why there is none.
pub(super) struct BestMove {
    pub(super) style: ResultStyle,
    pub(super) report: Report,
    pub(super) ponder: Option<Move>,
    /// The side that was to move.
    pub(super) to_move: Side,
    /// How the game ended, if it had.
    pub(super) outcome: Option<Outcome>,
}

impl BestMove {
    /// The word after `bestmove`.
    fn best(&self) -> String {
        match (self.report.best(), self.outcome) {
            (Some(mv), _) => mv.to_string(),
            (None, Some(Outcome::Draw(_))) => "draw".to_owned(),
            (None, _) => "none".to_owned(),
        }
    }

    fn score_for_white(&self) -> Score {
        match self.to_move {
            Side::White => self.report.score,
            Side::Black => -self.report.score,
        }
    }

    /// `bestmove`, after an `info` line when no search has printed any.
    fn write_uci(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.report.depth == 0 && self.report.best().is_none() {
            let is_lost = matches!(self.outcome, Some(Outcome::Win { .. }));
            let score = if is_lost { Score::mated_in(0) } else { Score::DRAW };
            writeln!(f, "info depth 0 score {}", UciScore(score))?;
        }
        write!(f, "{BEST_MOVE} {}", self.best())?;
        self.ponder.map_or(Ok(()), |mv| write!(f, " ponder {mv}"))
    }
}

/// The scores of the other styles.
const SANMILL: ScoreWords = ScoreWords { man: 5, ..ScoreWords::UCI };
/// The value of a win in the oldest style.
const LEGACY_WIN: i16 = 80;

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { depth, nodes, .. } = self.report;
        let (score, best) = (self.score_for_white(), self.best());
        match (self.style, score.kind()) {
            (ResultStyle::Uci, _) => self.write_uci(f),
            (ResultStyle::Sanmill, _) => {
                write!(f, "info depth {depth} score ")?;
                SANMILL.write(f, score)?;
                write!(f, " nodes {nodes} {BEST_MOVE} {best}")
            }
            (ResultStyle::Legacy, kind) => {
                let value = match kind {
                    ScoreKind::MateIn(_) => LEGACY_WIN,
                    ScoreKind::MatedIn(_) => -LEGACY_WIN,
                    _ => in_units(score, SANMILL.man).clamp(1 - LEGACY_WIN, LEGACY_WIN - 1),
                };
                write!(f, "info score {value} {BEST_MOVE} {best}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn best_move(style: ResultStyle, score: Score, line: &str) -> String {
        let line = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        let report = Report { depth: 3, score, pv: line, nodes: 77, ..Report::default() };
        let ponder = report.pv.get(1).copied();
        BestMove { style, report, ponder, to_move: Side::Black, outcome: None }.to_string()
    }

    #[test]
    fn results_are_written_in_three_styles() {
        use ResultStyle::{Legacy, Sanmill, Uci};
        let score = Score::estimate(-205);
        assert_eq!(best_move(Uci, score, "d6 f4"), "bestmove d6 ponder f4");
        assert_eq!(
            best_move(Sanmill, score, "d6"),
            "info depth 3 score cp 10 nodes 77 bestmove d6"
        );
        assert_eq!(best_move(Legacy, score, "d6"), "info score 10 bestmove d6");
        let win = Score::mate_in(5);
        assert_eq!(
            best_move(Sanmill, win, "d6"),
            "info depth 3 score mate -3 nodes 77 bestmove d6"
        );
        assert_eq!(best_move(Legacy, win, "d6"), "info score -80 bestmove d6");
    }

    #[test]
    fn info_lines_say_which_line_they_are_and_which_bound() {
        let line = ["d6".parse().unwrap()];
        let time = Duration::from_millis(500);
        let mut progress = Progress {
            depth: 4,
            selective_depth: 7,
            rank: 2,
            score: Score::estimate(12),
            bound: Bound::Exact,
            pv: &line,
            nodes: 1000,
            tablebase_hits: 3,
            table_use: 5,
            time,
        };
        let end = "nodes 1000 nps 2000 hashfull 5 tbhits 3 time 500 pv d6";
        let text = Info { progress: &progress, is_numbered: true }.to_string();
        assert_eq!(text, format!("info depth 4 seldepth 7 multipv 2 score cp 12 {end}"));
        for (bound, flag) in [(Bound::Lower, "lowerbound"), (Bound::Upper, "upperbound")] {
            progress.bound = bound;
            let text = Info { progress: &progress, is_numbered: false }.to_string();
            assert_eq!(text, format!("info depth 4 seldepth 7 score cp 12 {flag} {end}"));
        }
        let current = CurrentMove { depth: 4, mv: line[0], number: 3 };
        assert_eq!(Current(&current).to_string(), "info depth 4 currmove d6 currmovenumber 3");
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
            assert_eq!(UciScore(score).to_string(), word);
        }
    }
}
