//! Several threads that answer one question.
//!
//! Each thread searches the whole tree of the question that the first thread asks about the root.
//! They do not hand out work to each other: what one has found out the others find in the
//! transposition table, and a move that another thread is [`busy`] with is put off, so that mostly
//! each looks at something else. Whoever is first has the answer, and all go on to the next
//! question.

mod busy;
mod helper;
mod questions;
mod tally;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::limits::Limits;
use super::parameters::LEAST_SHARED_DEPTH;
use super::tt::TranspositionTable;
use crate::tablebase::Tablebase;
use busy::Busy;
use questions::Questions;
pub(super) use tally::Tally;

/// What all threads of a search have in common.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) tablebase: Option<&'a Tablebase>,
    pub(super) limits: &'a Limits,
    pub(super) tally: Tally,
    pub(super) busy: Busy,
    /// The least depth below a move that other threads learn of; none is so deep for one thread.
    pub(super) least_depth: u32,
    questions: Questions,
    stop: AtomicBool,
}

impl<'a> Shared<'a> {
    /// For so many threads, at least one.
    pub(super) fn new(
        table: &'a TranspositionTable,
        tablebase: Option<&'a Tablebase>,
        limits: &'a Limits,
        threads: usize,
    ) -> Self {
        let is_alone = threads == 1;
        Self {
            table,
            tablebase,
            limits,
            tally: Tally::default(),
            busy: if is_alone { Busy::nothing() } else { Busy::new() },
            least_depth: if is_alone { u32::MAX } else { LEAST_SHARED_DEPTH },
            questions: Questions::default(),
            stop: AtomicBool::new(false),
        }
    }

    /// Tells all threads to end.
    pub(super) fn stop(&self) {
        if !self.is_stopped() {
            self.stop.store(true, Relaxed);
            self.questions.wake_all();
        }
    }

    /// Whether the search has to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}
