//! A search by several threads: the first one runs it, the helpers join each of its passes.
//!
//! The helpers live as long as the engine. Between searches they sleep.

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::features::Features;
use super::movepick::Ordering;
use super::observer::{Observer, Report, Silent};
use super::root_moves::RootMoves;
use super::team::{Counts, Member, Team};
use super::worker::{Context, Worker};
use crate::rules::Rules;
use crate::system::locks::lock;
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

    /// Forgets every search.
    pub(super) fn clear(&mut self) {
        self.orderings.fill_with(Ordering::default);
    }
}

/// Iterative deepening, with helpers if there are any.
pub(super) fn deepen<R: Rules, F: Features>(
    context: Context<'_, R>,
    moves: RootMoves,
    observer: &mut dyn Observer,
    helpers: &mut Helpers,
) -> Report {
    let Some(pool) = &helpers.pool else {
        return Worker::<R, F>::new(context, observer).deepen(moves);
    };
    let team = Team::default();
    let report = pool.in_place_scope(|scope| {
        for ordering in &mut helpers.orderings {
            scope.spawn(|_| help::<R, F>(context, &team, ordering));
        }
        let _end = EndOfHelp(&team);
        let mut worker = Worker::<R, F>::new(context, observer);
        worker.team = Some(Member::new(&team));
        worker.deepen(moves)
    });
    let Counts { nodes, tablebase_hits, .. } = *lock(&team.totals);
    Report { nodes, tablebase_hits, ..report }
}

/// Joins one pass after another until the search stops.
fn help<R: Rules, F: Features>(context: Context<'_, R>, team: &Team, ordering: &mut Ordering) {
    let mut observer = Silent;
    let mut worker = Worker::<R, F>::new(context, &mut observer);
    std::mem::swap(&mut worker.ordering, ordering);
    worker.team = Some(Member::new(team));
    while let Some(mut pass) = worker.team.as_mut().and_then(Member::join_pass) {
        worker.may_end = pass.depth > worker.root.limits.least_depth;
        let result = worker.pass(&mut pass.moves, pass.window, pass.depth);
        if let (Ok(score), Some(member)) = (result, &worker.team) {
            member.finish_pass(score, pass.moves);
        }
    }
    worker.counts();
    std::mem::swap(&mut worker.ordering, ordering);
}

/// Stops the helpers when the search ends, even by a panic of its observer.
struct EndOfHelp<'a>(&'a Team);

impl Drop for EndOfHelp<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
