//! The question about the root that all threads work on.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::score::{Score, Window};
use crate::search::root::RootMoves;

/// What the root is worth within a window, at a depth.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) number: u64,
    pub(super) moves: RootMoves,
    pub(super) window: Window,
    pub(super) depth: u32,
}

/// The last question asked, and its answer.
#[derive(Default)]
pub(super) struct Questions {
    /// The number of the question that is open; 0 if none is.
    open: AtomicU64,
    last: Mutex<Last>,
    changed: Condvar,
}

#[derive(Default)]
struct Last {
    question: Option<Question>,
    answer: Option<(Score, RootMoves)>,
}

impl Questions {
    /// The number of the question that is open; 0 if none is.
    pub(super) fn open(&self) -> u64 {
        self.open.load(Relaxed)
    }

    /// Puts a question, and returns its number.
    pub(super) fn ask(&self, moves: &RootMoves, window: Window, depth: u32) -> u64 {
        let mut last = self.lock();
        let number = last.question.as_ref().map_or(1, |question| question.number + 1);
        last.question = Some(Question { number, moves: moves.clone(), window, depth });
        last.answer = None;
        self.open.store(number, Relaxed);
        self.changed.notify_all();
        number
    }

    /// Waits for a question that is open; none when there will be no more.
    pub(super) fn wait(&self, is_over: impl Fn() -> bool) -> Option<Question> {
        let is_idle = |_: &mut Last| self.open() == 0 && !is_over();
        let last = self.changed.wait_while(self.lock(), is_idle);
        let last = last.expect("no thread panics while it holds the lock");
        last.question.clone().filter(|_| !is_over())
    }

    /// Closes a question with an answer, unless another thread was first.
    pub(super) fn answer(&self, number: u64, score: Score, moves: RootMoves) {
        let mut last = self.lock();
        if self.open() == number {
            last.answer = Some((score, moves));
            self.open.store(0, Relaxed);
        }
    }

    /// Closes the last question and takes the answer, if there is one.
    pub(super) fn close(&self) -> Option<(Score, RootMoves)> {
        let mut last = self.lock();
        self.open.store(0, Relaxed);
        last.answer.take()
    }

    /// Has all who wait look whether it is over.
    pub(super) fn wake_all(&self) {
        drop(self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Last> {
        self.last.lock().expect("no thread panics while it holds the lock")
    }
}
