//! Work on a thread of its own, while the session goes on reading commands.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use super::gbgp;
use super::output::Output;
use super::reply::{Current, Info};
use crate::any_game::AnyGame;
use crate::search::{CurrentMove, Observer, Progress};

/// A search, bench or perft under way.
pub(super) struct Job {
    kind: JobKind,
    thread: JoinHandle<()>,
    signals: Arc<Signals>,
}

/// What a job does, and so when its answer may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobKind {
    /// A search that answers when it has ended.
    Search,
    /// A search that answers after `stop`.
    Infinite,
    /// A search that answers after `ponderhit` or `stop`.
    Ponder,
    /// A bench or perft.
    Count,
}

/// What the session and the thread of a job tell each other.
#[derive(Debug)]
pub(super) struct Signals {
    stop: AtomicBool,
    is_answered: AtomicBool,
    /// Whether the answer has to wait, as after `go infinite`.
    is_held: Mutex<bool>,
    released: Condvar,
}

impl Job {
    /// Starts work on a new thread; its answer is what `work` returns, printed as lines.
    ///
    /// # Errors
    ///
    /// When the system gives no thread.
    pub(super) fn start(
        output: Output,
        kind: JobKind,
        work: impl FnOnce(&Arc<Signals>) -> String + Send + 'static,
    ) -> io::Result<Self> {
        let signals = Arc::new(Signals {
            stop: AtomicBool::new(false),
            is_answered: AtomicBool::new(false),
            is_held: Mutex::new(matches!(kind, JobKind::Infinite | JobKind::Ponder)),
            released: Condvar::new(),
        });
        let of_thread = Arc::clone(&signals);
        let thread = thread::Builder::new().name("search".to_owned()).spawn(move || {
            let answer = work(&of_thread);
            of_thread.wait_for_release();
            of_thread.is_answered.store(true, Relaxed);
            output.line(format_args!("{answer}"));
        })?;
        Ok(Self { kind, thread, signals })
    }

    /// Whether the answer has been given, or is being printed.
    pub(super) fn is_answered(&self) -> bool {
        self.signals.is_answered.load(Relaxed)
    }

    /// Whether the job is a search.
    pub(super) fn is_search(&self) -> bool {
        self.kind != JobKind::Count
    }

    /// Lets a search on the opponent's time answer as soon as it has ended.
    pub(super) fn ponder_hit(&self) {
        if self.kind == JobKind::Ponder {
            self.signals.release();
        }
    }

    /// Waits for the answer.
    pub(super) fn wait(self) {
        if self.thread.join().is_err() {
            log::error!("a job ended without an answer");
        }
    }

    /// Breaks the work off and waits for its answer.
    pub(super) fn stop(self) {
        self.signals.stop.store(true, Relaxed);
        self.signals.release();
        self.wait();
    }
}

impl Signals {
    /// Whether the work should be broken off.
    pub(super) fn should_stop(&self) -> bool {
        self.stop.load(Relaxed)
    }

    fn release(&self) {
        *self.is_held.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }

    fn wait_for_release(&self) {
        let held = self.is_held.lock().unwrap_or_else(PoisonError::into_inner);
        let released = self.released.wait_while(held, |is_held| *is_held);
        drop(released);
    }
}

/// Follows a search for the protocol.
pub(super) struct Reporter {
    pub(super) signals: Arc<Signals>,
    pub(super) output: Output,
    pub(super) style: InfoStyle,
}

/// How the progress of a search is told.
pub(super) enum InfoStyle {
    /// Not at all.
    Silent,
    /// In the dialect like UCI, with so many lines.
    Uci {
        /// How many lines the user wants to see.
        lines: usize,
    },
    /// In the Generic Board Game Protocol, by the turns of this game.
    Gbgp(Box<dyn AnyGame>),
}

impl Observer for Reporter {
    fn progress(&mut self, progress: &Progress<'_>) {
        match &self.style {
            InfoStyle::Uci { lines } if progress.rank <= *lines => {
                let is_numbered = *lines > 1;
                self.output.line(format_args!("{}", Info { progress, is_numbered }));
            }
            InfoStyle::Gbgp(game) => {
                self.output.line(format_args!("{}", gbgp::Info { game: &**game, progress }));
            }
            InfoStyle::Uci { .. } | InfoStyle::Silent => {}
        }
    }

    fn bound(&mut self, progress: &Progress<'_>) {
        self.progress(progress);
    }

    fn current_move(&mut self, current: &CurrentMove) {
        match &self.style {
            InfoStyle::Uci { .. } => self.output.line(format_args!("{}", Current(current))),
            InfoStyle::Gbgp(game) => {
                self.output.line(format_args!("{}", gbgp::Current { game: &**game, current }));
            }
            InfoStyle::Silent => {}
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.signals.should_stop()
    }
}

/// Follows searches whose progress nobody wants to see.
pub(super) struct Quiet(pub(super) Arc<Signals>);

impl Observer for Quiet {
    fn progress(&mut self, _progress: &Progress<'_>) {}

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.0.should_stop()
    }
}
