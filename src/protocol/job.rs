//! Work on a thread of its own, while the session goes on reading commands.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};

use super::output::Output;
use crate::search::{Observer, Progress};

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
        self.thread.join().expect("a job does not panic");
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
        *self.is_held.lock().expect("no thread panics while it holds the lock") = false;
        self.released.notify_all();
    }

    fn wait_for_release(&self) {
        let held = self.is_held.lock().expect("no thread panics while it holds the lock");
        let released = self.released.wait_while(held, |is_held| *is_held);
        drop(released);
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
