//! Searching with several threads: the first one runs the search, the helpers join each of its passes.
//!
//! All threads search the same pass over the root, each the whole tree. They do not hand out work
//! to each other: each finds the results of the others in the transposition table, and puts off
//! moves that another thread is searching, so that they mostly search different moves. The first
//! thread to finish the pass supplies its result, and all go on to the next pass.
//!
//! The helpers live as long as the engine. Between searches they sleep.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::movepick::Ordering;
use super::parameters::Features;
use super::report::{Observer, Report, Silent};
use super::root::RootMoves;
use super::tt::TranspositionTable;
use super::worker::{Root, Worker};
use crate::position::{Move, spread};
use crate::rules::Rules;
use crate::score::{Score, Window};
use crate::system::locks::{lock, unpoisoned};
use crate::system::memory::has_room;

/// The threads that help the one that searches.
#[derive(Default)]
pub(super) struct Helpers {
    pool: Option<ThreadPool>,
    /// The move ordering of each helper.
    orderings: Vec<Ordering>,
}

impl Helpers {
    /// Sets the number of helpers. If the system refuses or memory is short, there are none until the next
    /// search.
    pub(super) fn set_count(&mut self, count: usize) {
        if count == self.orderings.len() {
            return;
        }
        let name = |number| format!("helper {number}");
        let start = || ThreadPoolBuilder::new().num_threads(count).thread_name(name).build();
        self.pool = (count > 0 && has_room()).then(start).transpose().unwrap_or_else(|error| {
            log::warn!("cannot start {count} threads: {error}");
            None
        });
        let started = if self.pool.is_some() { count } else { 0 };
        self.orderings.resize_with(started, Ordering::default);
    }

    /// Forgets all searches.
    pub(super) fn clear(&mut self) {
        self.orderings.fill_with(Ordering::default);
    }
}

/// Iterative deepening, with helpers if there are any.
pub(super) fn deepen<R: Rules, F: Features>(
    root: Root<'_, R>,
    table: &TranspositionTable,
    moves: RootMoves,
    observer: &mut dyn Observer,
    helpers: &mut Helpers,
) -> Report {
    let Some(pool) = &helpers.pool else {
        return Worker::<R, F>::new(root, table, observer).deepen(moves);
    };
    let team = Team { size: 1 + helpers.orderings.len() as u64, ..Team::default() };
    let report = pool.in_place_scope(|scope| {
        let mut worker = Worker::<R, F>::new(root, table, observer);
        worker.team = Some(Member::new(&team));
        for ordering in &mut helpers.orderings {
            // A helper joins one pass after another until the search stops.
            scope.spawn(|_| {
                let mut observer = Silent;
                let mut worker = Worker::<R, F>::new(root, table, &mut observer);
                mem::swap(&mut worker.ordering, ordering);
                worker.team = Some(Member::new(&team));
                while let Some(mut pass) = worker.team.as_mut().and_then(Member::join_pass) {
                    worker.may_end = pass.depth > root.limits.least_depth;
                    let result = worker.pass(&mut pass.moves, pass.window, pass.depth);
                    if let (Ok(score), Some(member)) = (result, &worker.team) {
                        member.finish_pass(score, pass.moves);
                    }
                }
                worker.counts();
                mem::swap(&mut worker.ordering, ordering);
            });
        }
        worker.deepen(moves)
    });
    let Counts { nodes, tablebase_hits, deepest_ply } = *lock(&team.totals);
    Report { nodes, tablebase_hits, ..report.reaching(deepest_ply as u32) }
}

/// The state that the threads of a search share.
#[derive(Default)]
pub(super) struct Team {
    /// The number of threads.
    pub(super) size: u64,
    /// The moves that threads are searching.
    pub(super) busy: Busy,
    /// The counts of all threads at their last polls.
    pub(super) totals: Mutex<Counts>,
    is_stopped: AtomicBool,
    /// The number of the pass that is under way; 0 between passes.
    current: AtomicU64,
    /// The last pass that was started.
    last: Mutex<Option<Pass>>,
    changed: Condvar,
}

/// A search of the root within a window to a depth.
#[derive(Clone, Debug)]
pub(super) struct Pass {
    pub(super) number: u64,
    pub(super) moves: RootMoves,
    pub(super) window: Window,
    pub(super) depth: u32,
    /// What the first thread to finish has found.
    result: Option<(Score, RootMoves)>,
}

impl Team {
    /// Stops all threads.
    pub(super) fn stop(&self) {
        if !self.is_stopped.swap(true, Relaxed) {
            // The lock ensures that a thread that has just found nothing to do is waiting when notified.
            drop(lock(&self.last));
            self.changed.notify_all();
        }
    }
}

/// A thread's membership in a team.
pub(super) struct Member<'a> {
    pub(super) team: &'a Team,
    /// The number of the pass that this thread searches; 0 if it searches alone.
    pass: u64,
    /// The counts of this thread that the team's totals include.
    counted: Counts,
}

impl<'a> Member<'a> {
    /// A thread of the team.
    pub(super) fn new(team: &'a Team) -> Self {
        Self { team, pass: 0, counted: Counts::default() }
    }

    /// Whether another thread has finished the pass, or all have to stop.
    pub(super) fn is_superfluous(&self) -> bool {
        self.team.is_stopped.load(Relaxed) || self.team.current.load(Relaxed) != self.pass
    }

    /// Starts a pass that the other threads search together with this one.
    pub(super) fn start_pass(&mut self, moves: &RootMoves, window: Window, depth: u32) {
        let mut last = lock(&self.team.last);
        let number = last.as_ref().map_or(1, |pass| pass.number + 1);
        *last = Some(Pass { number, moves: moves.clone(), window, depth, result: None });
        self.pass = number;
        self.team.current.store(number, Relaxed);
        self.team.changed.notify_all();
    }

    /// Ends the pass that this thread started, and takes the result of another thread, if there is
    /// one.
    pub(super) fn end_pass(&mut self) -> Option<(Score, RootMoves)> {
        self.pass = 0;
        let mut last = lock(&self.team.last);
        self.team.current.store(0, Relaxed);
        last.as_mut()?.result.take()
    }

    /// Waits for a pass to join; returns `None` once the search has stopped.
    pub(super) fn join_pass(&mut self) -> Option<Pass> {
        let team = self.team;
        let is_stopped = || team.is_stopped.load(Relaxed);
        let is_idle = |_: &mut Option<Pass>| team.current.load(Relaxed) == 0 && !is_stopped();
        let last = unpoisoned(team.changed.wait_while(lock(&team.last), is_idle));
        let pass = last.clone().filter(|_| !is_stopped())?;
        self.pass = pass.number;
        Some(pass)
    }

    /// Ends the pass that this thread has joined with a result, unless another thread was first.
    pub(super) fn finish_pass(&self, score: Score, moves: RootMoves) {
        let mut last = lock(&self.team.last);
        if let Some(pass) = last.as_mut().filter(|_| self.team.current.load(Relaxed) == self.pass) {
            pass.result = Some((score, moves));
            self.team.current.store(0, Relaxed);
        }
    }

    /// Updates the totals with the counts of this thread, and returns them.
    pub(super) fn count(&mut self, own: Counts) -> Counts {
        let mut totals = lock(&self.team.totals);
        totals.nodes += own.nodes - self.counted.nodes;
        totals.tablebase_hits += own.tablebase_hits - self.counted.tablebase_hits;
        totals.deepest_ply = totals.deepest_ply.max(own.deepest_ply);
        self.counted = own;
        *totals
    }
}

impl Drop for Member<'_> {
    /// Stops all threads when the search of one ends, even by a panic.
    fn drop(&mut self) {
        self.team.stop();
    }
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Positions visited.
    pub(super) nodes: u64,
    /// Positions found in the tablebase.
    pub(super) tablebase_hits: u64,
    /// The length of the longest line.
    pub(super) deepest_ply: usize,
}

const MARKS: usize = 1 << 14;

/// The number of threads that are searching a move, by a hash of the position and the move.
///
/// A node puts off moves that are marked here until it has searched the others; by then their results are
/// usually in the transposition table. Its first move is never put off: as long as it may cause a cut-off,
/// the others are not worth a thread. Moves that share a mark are put off needlessly, which does no harm.
///
/// See: Jean-Christophe Weill, "The ABDADA Distributed Minimax Search Algorithm", 1996, and Tom
/// Kerrigan, "Simplified ABDADA", 2017, who marks moves instead of positions.
pub(super) struct Busy(Box<[AtomicU32]>);

impl Default for Busy {
    fn default() -> Self {
        Self((0..MARKS).map(|_| AtomicU32::new(0)).collect())
    }
}

impl Busy {
    /// Whether a thread is searching a move of the position with this key.
    pub(super) fn contains(&self, key: u64, mv: Move) -> bool {
        self.count(key, mv).load(Relaxed) > 0
    }

    /// The number of threads that are searching the move.
    pub(super) fn count(&self, key: u64, mv: Move) -> &AtomicU32 {
        let hash = spread(key ^ u64::from(mv.bits()));
        &self.0[(hash >> 32) as usize % MARKS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_until_the_last_thread_leaves_it() {
        let (busy, mv, other) = (Busy::default(), "d6".parse().unwrap(), "d7".parse().unwrap());
        busy.count(1, mv).fetch_add(2, Relaxed);
        busy.count(1, mv).fetch_sub(1, Relaxed);
        assert!(busy.contains(1, mv) && !busy.contains(1, other) && !busy.contains(2, mv));
        busy.count(1, mv).fetch_sub(1, Relaxed);
        assert!(!busy.contains(1, mv));
    }
}
