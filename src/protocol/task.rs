//! Tasks that run while the session reads commands: a search, a bench or a perft.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use super::learning::SearchLearner;
use super::reply::Reporter;
use super::{Dialect, Error, Go, Options, Output, ResultStyle, gbgp, reply};
use crate::bench;
use crate::game::Game;
use crate::perft::{Count, Perft};
use crate::rules::RuleSet;
use crate::search::{Clock, Engine, Limits, Report};
use crate::system::locks::lock;

/// A running search, bench or perft.
pub(super) struct Task {
    pub(super) is_search: bool,
    /// The clock of a ponder search, which `ponderhit` starts.
    ponder_clock: Option<Arc<Clock>>,
    /// `None` if the work was done on the session's thread.
    thread: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
    has_replied: Arc<AtomicBool>,
    /// Delays the reply until it is dropped, as after `go infinite`.
    hold: Option<Sender<Infallible>>,
}

impl Task {
    /// Starts a search.
    pub(super) fn search(search: Search) -> Self {
        let Go { infinite, ponder, .. } = search.go;
        let ponder_clock = (ponder && !infinite).then(|| Arc::clone(&search.limits.clock));
        let output = search.output.clone();
        let task = Self::start(output, infinite || ponder, move |stop| search.run(stop));
        Self { is_search: true, ponder_clock, ..task }
    }

    /// Starts a bench.
    pub(super) fn bench(output: Output, rules: RuleSet, depth: u32) -> Self {
        Self::start(output, false, move |stop| {
            match bench::run(&rules, depth, &mut |_: u64| stop.load(Relaxed)) {
                _ if stop.load(Relaxed) => "info string bench stopped".to_owned(),
                Ok(summary) => summary.to_string(),
                Err(error) => format!("info string error bench: {error}"),
            }
        })
    }

    /// Starts a perft of each depth up to `last`.
    pub(super) fn perft(output: &Output, game: Game, last: u32) -> Self {
        let lines = output.clone();
        Self::start(output.clone(), false, move |stop| {
            let should_stop = || stop.load(Relaxed);
            let perft = Perft { should_stop: Some(&should_stop), ..Perft::default() };
            let (position, standard) = (game.position(), game.position().to_standard());
            lines.line(Count::TITLE);
            for depth in 1..=last {
                let count = Count::of(depth, || match &standard {
                    Some(position) => perft.count(position, depth),
                    None => perft.count(position, depth),
                });
                match depth {
                    _ if should_stop() => break,
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
    ///
    /// * `is_held`: whether the reply waits for `stop` or `ponderhit`.
    fn start(
        output: Output,
        is_held: bool,
        work: impl FnOnce(&AtomicBool) -> String + Send + 'static,
    ) -> Self {
        let (stop, has_replied): (Arc<AtomicBool>, Arc<AtomicBool>) = Default::default();
        let (to_stop, replies) = (Arc::clone(&stop), Arc::clone(&has_replied));
        let (hold, released) = mpsc::channel();
        let run: Box<dyn FnOnce() + Send> = Box::new(move || {
            let reply = work(&to_stop);
            // Nothing is ever sent; this returns once `hold` is dropped.
            let _ = released.recv();
            replies.store(true, Relaxed);
            output.line(reply);
        });
        let mut hold = is_held.then_some(hold);
        // A thread that starts is sent its work; one that does not leaves the work here.
        let (sender, works) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
        let follow = move || works.into_iter().for_each(|work| work());
        let thread = match thread::Builder::new().name("search".to_owned()).spawn(follow) {
            Ok(thread) => sender.send(run).ok().map(|()| thread),
            Err(error) => {
                log::warn!("cannot start a thread: {error}");
                stop.store(is_held, Relaxed);
                hold = None;
                run();
                None
            }
        };
        Self { is_search: false, ponder_clock: None, thread, stop, has_replied, hold }
    }

    /// Whether the reply has been printed, or is about to be.
    pub(super) fn has_replied(&self) -> bool {
        self.has_replied.load(Relaxed)
    }

    /// Starts the clock of a ponder search and lets it reply when it ends.
    pub(super) fn ponder_hit(&mut self) {
        if let Some(clock) = &self.ponder_clock {
            clock.start();
            self.hold = None;
        }
    }

    /// Waits for the reply.
    pub(super) fn wait(self) {
        let joined = self.thread.map(JoinHandle::join).transpose();
        joined.expect("a search, bench or perft does not panic");
    }

    /// Stops the work and waits for its reply.
    pub(super) fn stop(mut self) {
        self.stop.store(true, Relaxed);
        self.hold = None;
        self.wait();
    }
}

/// A search to be run.
pub(super) struct Search {
    pub(super) engine: Arc<Mutex<Engine>>,
    pub(super) game: Game,
    pub(super) options: Options,
    pub(super) go: Go,
    /// The limits from the options and the arguments of `go`.
    pub(super) limits: Limits,
    /// The seed of mistakes at lower skill levels.
    pub(super) seed: u64,
    /// Learns from the result.
    pub(super) learner: Option<SearchLearner>,
    /// The dialect, in which moves are plies or whole turns.
    pub(super) dialect: Dialect,
    pub(super) output: Output,
}

impl Search {
    /// Whether `info` lines are printed before the result.
    pub(super) fn has_lines(&self) -> bool {
        self.dialect == Dialect::Gbgp || self.options.result_style == ResultStyle::Uci
    }

    /// Whether bounds, current moves and tablebase values are reported too.
    pub(super) fn has_details(&self) -> bool {
        self.dialect == Dialect::Uci && self.options.result_style == ResultStyle::Uci
    }

    /// Searches and returns the reply.
    fn run(self, stop: &AtomicBool) -> String {
        let mut engine = lock(&self.engine);
        let Self { game, options, go, limits, seed, dialect, output, .. } = &self;
        let skill = options.skill();
        let mut reporter = Reporter::new(stop, &self);
        let mut report = engine.search_with_skill(game, limits, skill, *seed, &mut reporter);
        if let Some(learner) = &self.learner {
            learner.learn(game, &report);
        }
        let mut search_quietly = |game: &Game, limits: &Limits| {
            engine.search_with_skill(game, limits, skill, *seed, &mut |_: u64| stop.load(Relaxed))
        };
        if *dialect == Dialect::Gbgp {
            gbgp::finish_turn(game, &mut report, &go.search_moves, limits, &mut search_quietly);
        }
        if !reporter.has_told(&report) {
            self.add_reply(&mut report, &mut search_quietly);
        }
        reporter.finish(&report);
        let damage = engine.tablebase.iter().flat_map(|tablebase| tablebase.take_damage());
        damage.for_each(|error| output.error(&Error::refused(error)));
        if self.has_details() && limits.multi_pv > 1 {
            for (rank, line) in (1..).zip(&report.lines) {
                let first = report.known.as_ref().zip(line.pv.first());
                if let Some(known) = first.and_then(|(known, &mv)| known.get(mv)) {
                    output.line(format_args!("info string multipv {rank} {known}"));
                }
            }
        }
        match dialect {
            Dialect::Uci => reply::best_move(options.result_style, game, &report),
            Dialect::Gbgp => gbgp::best_move(&self, &report),
        }
    }

    /// Extends a variation of one turn by a reply, so that there is a move to ponder. The search for the reply
    /// is not reported, but runs on the same clock.
    fn add_reply(&self, report: &mut Report, search: impl FnOnce(&Game, &Limits) -> Report) {
        let side = self.game.to_move();
        let mut after = self.game.clone();
        let is_one_turn =
            report.pv().iter().all(|&mv| after.to_move() == side && after.play(mv).is_ok());
        if is_one_turn && after.to_move() != side && after.outcome().is_none() {
            let clock = Arc::clone(&self.limits.clock);
            let limits =
                Limits { clock, nodes: Some(REPLY_NODES), ..Limits::to_depth(REPLY_DEPTH) };
            report.lines[0].pv.extend(search(&after, &limits).pv());
        }
    }
}

/// The limits of the search for a ponder move.
const REPLY_DEPTH: u32 = 2;
const REPLY_NODES: u64 = 1000;
