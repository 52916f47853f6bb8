//! A search for the protocol: what it says while it runs, and its answer.

use std::sync::{Arc, Mutex};

use super::databases;
use super::dialect::Dialect;
use super::gbgp;
use super::go::Go;
use super::job::{Quiet, Signals};
use super::learning::SearchLearner;
use super::options::{Options, ResultStyle};
use super::output::Output;
use super::plan::Handicap;
use super::reply::{Answer, Current, Info};
use crate::any_game::AnyGame;
use crate::position::Turn;
use crate::search::{CurrentMove, Engine, Limits, Observer, Progress, Report};
use crate::tablebase::Tablebase;

/// A search that is about to begin.
pub(super) struct Thinking {
    pub(super) game: Box<dyn AnyGame>,
    pub(super) engine: Arc<Mutex<Engine>>,
    pub(super) limits: Limits,
    pub(super) handicap: Handicap,
    /// The databases in use, which tell of damage.
    pub(super) tablebase: Option<Arc<Tablebase>>,
    /// What learns from the result.
    pub(super) learner: Option<SearchLearner>,
    pub(super) voice: Voice,
    pub(super) output: Output,
}

/// How a search talks.
pub(super) enum Voice {
    /// In the dialect like UCI.
    Uci { style: ResultStyle, lines: usize },
    /// In whole turns, to be chosen from some, or from all if there are none.
    Gbgp { choices: Vec<Turn> },
}

impl Voice {
    /// The voice of a search in a dialect.
    pub(super) fn of(dialect: Dialect, options: &Options, go: &Go) -> Self {
        match dialect {
            Dialect::Uci => Self::Uci { style: options.result_style, lines: options.lines },
            Dialect::Gbgp => Self::Gbgp { choices: go.search_moves.clone() },
        }
    }

    /// How many lines the search has to find.
    pub(super) const fn lines(&self) -> usize {
        match self {
            Self::Uci { lines, .. } => *lines,
            Self::Gbgp { .. } => 1,
        }
    }
}

impl Thinking {
    /// Searches, and gives the lines of the answer.
    pub(super) fn run(mut self, signals: &Arc<Signals>) -> String {
        let mut engine = self.engine.lock().expect("no thread panics while it holds the lock");
        let Handicap { skill, seed } = self.handicap;
        let learner = self.learner.take();
        let Self { game, voice, output, limits, .. } = &self;
        let mut reporter = Reporter { signals, game: &**game, voice, output };
        let mut report = game.search(&mut engine, limits, skill, seed, &mut reporter);
        if let Some(learner) = learner {
            learner.learn(&**game, &report);
        }
        if let Voice::Gbgp { choices } = voice {
            let mut quiet = Quiet(Arc::clone(signals));
            gbgp::finish_turn(&**game, &mut report, choices, limits, |game, limits| {
                game.search(&mut engine, limits, skill, seed, &mut quiet)
            });
        }
        if let Some(tablebase) = &self.tablebase {
            databases::report(tablebase, output);
        }
        self.answer(report)
    }

    fn answer(&self, report: Report) -> String {
        let game = &*self.game;
        match &self.voice {
            Voice::Uci { style, .. } => {
                let (style, ponder) = (*style, game.ponder(&report));
                let (to_move, outcome) = (game.to_move(), game.outcome());
                Answer { style, report, ponder, to_move, outcome }.to_string()
            }
            Voice::Gbgp { .. } => gbgp::Answer { game, report: &report }.to_string(),
        }
    }
}

/// Follows a search for the protocol.
struct Reporter<'a> {
    signals: &'a Signals,
    game: &'a dyn AnyGame,
    voice: &'a Voice,
    output: &'a Output,
}

impl Observer for Reporter<'_> {
    fn progress(&mut self, progress: &Progress<'_>) {
        match self.voice {
            Voice::Uci { style: ResultStyle::Uci, lines } if progress.rank <= *lines => {
                let is_numbered = *lines > 1;
                self.output.line(format_args!("{}", Info { progress, is_numbered }));
            }
            Voice::Uci { .. } => {}
            Voice::Gbgp { choices } => {
                let info = gbgp::Info { game: self.game, choices, progress };
                self.output.line(format_args!("{info}"));
            }
        }
    }

    fn bound(&mut self, progress: &Progress<'_>) {
        self.progress(progress);
    }

    fn current_move(&mut self, current: &CurrentMove) {
        match self.voice {
            Voice::Uci { style: ResultStyle::Uci, .. } => {
                self.output.line(format_args!("{}", Current(current)));
            }
            Voice::Uci { .. } => {}
            Voice::Gbgp { .. } => {
                let info = gbgp::Current { game: self.game, current };
                self.output.line(format_args!("{info}"));
            }
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.signals.should_stop()
    }
}
