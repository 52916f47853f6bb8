//! Tasks that run while the session reads commands: a search, a bench or a perft.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};

use super::gbgp;
use super::go::Go;
use super::learning::SearchLearner;
use super::lines::Output;
use super::options::ResultStyle;
use super::reply;
use super::reporter::{Reporter, Reports};
use super::tablebase;
use crate::bench;
use crate::game::Game;
use crate::perft::{self, Count};
use crate::rules::RuleSet;
use crate::search::{Clock, Engine, Limits, Observer, Progress, Report, Skill};
use crate::system::locks::{lock, unpoisoned};
use crate::tablebase::Tablebase;

/// A running search, bench or perft.
pub(super) struct Task {
    kind: TaskKind,
    /// `None` if the work was done on the session's thread.
    thread: Option<JoinHandle<()>>,
    signals: Arc<Signals>,
}

/// The kinds of tasks, which decide when a reply may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TaskKind {
    /// A search that replies when it has ended.
    Search,
    /// A search that replies after `stop`.
    Infinite,
    /// A search that replies after `ponderhit` or `stop`.
    Ponder,
    /// A bench or perft.
    Count,
}

/// State shared by the session and a task.
#[derive(Debug)]
struct Signals {
    stop: AtomicBool,
    has_replied: AtomicBool,
    /// Whether the reply must wait, as after `go infinite`.
    is_held: Mutex<bool>,
    released: Condvar,
}

impl Task {
    /// Starts a search.
    pub(super) fn search(go: &Go, search: Search) -> Self {
        let kind = match go {
            Go { infinite: true, .. } => TaskKind::Infinite,
            Go { ponder: true, .. } => TaskKind::Ponder,
            _ => TaskKind::Search,
        };
        Self::start(search.output.clone(), kind, move |signals| search.run(signals))
    }

    /// Starts a bench.
    pub(super) fn bench(output: Output, rules: RuleSet, depth: u32) -> Self {
        Self::start(output, TaskKind::Count, move |signals| {
            match bench::run(&rules, depth, &mut Quiet(signals)) {
                _ if signals.should_stop() => "info string bench stopped".to_owned(),
                Ok(summary) => summary.to_string(),
                Err(error) => format!("info string error bench: {error}"),
            }
        })
    }

    /// Starts a perft of each depth up to `last`.
    pub(super) fn perft(output: &Output, game: Game, last: u32) -> Self {
        let lines = output.clone();
        Self::start(output.clone(), TaskKind::Count, move |signals| {
            let should_stop = || signals.should_stop();
            lines.line(Count::TITLE);
            for depth in 1..=last {
                let count = Count::of(depth, || perft::count(game.position(), depth, &should_stop));
                match depth {
                    _ if signals.should_stop() => break,
                    _ if depth == last => return count.to_string(),
                    _ => lines.line(count),
                }
            }
            "info string perft stopped".to_owned()
        })
    }

    /// Starts a thread for a task, whose result is the reply.
    ///
    /// If the system refuses a thread, the task runs on this one. Nothing could stop it, so a task that
    /// waits for `stop` or `ponderhit` is stopped at once.
    fn start(
        output: Output,
        kind: TaskKind,
        work: impl FnOnce(&Signals) -> String + Send + 'static,
    ) -> Self {
        let is_held = matches!(kind, TaskKind::Infinite | TaskKind::Ponder);
        let signals = Arc::new(Signals {
            stop: AtomicBool::new(false),
            has_replied: AtomicBool::new(false),
            is_held: Mutex::new(is_held),
            released: Condvar::new(),
        });
        let of_thread = Arc::clone(&signals);
        let run = move || {
            let reply = work(&of_thread);
            of_thread.wait_for_release();
            of_thread.has_replied.store(true, Relaxed);
            output.line(reply);
        };
        let run = Arc::new(Mutex::new(Some(run)));
        let of_thread = Arc::clone(&run);
        let thread = thread::Builder::new().name("search".to_owned());
        let thread = thread.spawn(move || run_once(&of_thread)).map_err(|error| {
            log::warn!("cannot start a thread: {error}");
            signals.stop.store(is_held, Relaxed);
            signals.release();
            run_once(&run);
        });
        Self { kind, thread: thread.ok(), signals }
    }

    /// Whether the reply has been printed, or is about to be.
    pub(super) fn has_replied(&self) -> bool {
        self.signals.has_replied.load(Relaxed)
    }

    /// Whether the task is a search.
    pub(super) fn is_search(&self) -> bool {
        self.kind != TaskKind::Count
    }

    /// Lets a ponder search reply as soon as it has ended.
    pub(super) fn ponder_hit(&self) {
        if self.kind == TaskKind::Ponder {
            self.signals.release();
        }
    }

    /// Waits for the reply.
    pub(super) fn wait(self) {
        if let Some(thread) = self.thread {
            thread.join().expect("a search, bench or perft does not panic");
        }
    }

    /// Stops the work and waits for its reply.
    pub(super) fn stop(self) {
        self.signals.stop.store(true, Relaxed);
        self.signals.release();
        self.wait();
    }
}

/// Runs a closure unless it has been run.
fn run_once(run: &Mutex<Option<impl FnOnce()>>) {
    let run = lock(run).take();
    if let Some(run) = run {
        run();
    }
}

impl Signals {
    /// Whether the work should stop.
    fn should_stop(&self) -> bool {
        self.stop.load(Relaxed)
    }

    fn release(&self) {
        *lock(&self.is_held) = false;
        self.released.notify_all();
    }

    fn wait_for_release(&self) {
        drop(unpoisoned(self.released.wait_while(lock(&self.is_held), |is_held| *is_held)));
    }
}

/// A search to be run.
pub(super) struct Search {
    pub(super) game: Game,
    pub(super) engine: Arc<Mutex<Engine>>,
    pub(super) limits: Limits,
    pub(super) skill: Skill,
    /// The seed of the mistakes of lower levels.
    pub(super) seed: u64,
    /// The tablebase in use, whose damage is reported.
    pub(super) tablebase: Option<Arc<Tablebase>>,
    /// The learner of the result.
    pub(super) learner: Option<SearchLearner>,
    pub(super) reports: Reports,
    pub(super) output: Output,
}

impl Search {
    /// Searches and returns the reply.
    fn run(mut self, signals: &Signals) -> String {
        let mut engine = lock(&self.engine);
        let learner = self.learner.take();
        let Self { game, reports, output, limits, skill, seed, .. } = &self;
        let mut reporter = Reporter::new(&signals.stop, game, reports, output);
        let mut report = engine.search_with_skill(game, limits, *skill, *seed, &mut reporter);
        if let Some(learner) = learner {
            learner.learn(game, &report);
        }
        let mut search_quietly = |game: &Game, limits: &Limits| {
            engine.search_with_skill(game, limits, *skill, *seed, &mut Quiet(signals))
        };
        if let Reports::Gbgp { choices, .. } = reports {
            gbgp::finish_turn(game, &mut report, choices, limits, &mut search_quietly);
        }
        if !reporter.has_told(&report) {
            add_reply(game, &mut report, &limits.clock, &mut search_quietly);
        }
        reporter.finish(&report, limits.clock.elapsed());
        if let Some(tablebase) = &self.tablebase {
            tablebase::report(tablebase, output);
        }
        if let (Reports::Uci { style: ResultStyle::Uci, multi_pv: 2.. }, Some(known)) =
            (reports, &report.known)
        {
            for (index, known) in report.first_moves().map(|mv| known.get(mv)).enumerate() {
                if let Some(known) = known {
                    output.line(format_args!("info string multipv {} {known}", index + 1));
                }
            }
        }
        self.reply(&report)
    }

    fn reply(&self, report: &Report) -> String {
        match &self.reports {
            Reports::Uci { style, .. } => reply::best_move(*style, &self.game, report),
            Reports::Gbgp { view, .. } => gbgp::best_move(&self.game, *view, report),
        }
    }
}

/// The limits of the search for a ponder move.
const REPLY_DEPTH: u32 = 2;
const REPLY_NODES: u64 = 1000;

/// Extends a variation of one turn by a reply, so that there is a move to ponder. The search for it is not
/// reported, but runs on the same clock.
fn add_reply(
    game: &Game,
    report: &mut Report,
    clock: &Arc<Clock>,
    search: impl FnOnce(&Game, &Limits) -> Report,
) {
    let side = game.to_move();
    let mut after = game.clone();
    let is_one_turn =
        report.pv().iter().all(|&mv| after.to_move() == side && after.play(mv).is_ok());
    if is_one_turn && after.to_move() != side && after.outcome().is_none() {
        let clock = Arc::clone(clock);
        let limits = Limits { clock, nodes: Some(REPLY_NODES), ..Limits::to_depth(REPLY_DEPTH) };
        let reply = search(&after, &limits);
        report.lines[0].pv.extend(reply.pv());
    }
}

/// An observer that reports nothing and can be stopped.
struct Quiet<'a>(&'a Signals);

impl Observer for Quiet<'_> {
    fn progress(&mut self, _progress: &Progress<'_>) {}

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.0.should_stop()
    }
}
