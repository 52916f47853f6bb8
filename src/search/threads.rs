//! A search by several threads: the first one runs it, the others help with each of its passes.

use std::thread;

use super::drivers::Driver;
use super::features::Features;
use super::observer::{Observer, Report, Silent};
use super::root_moves::RootMoves;
use super::team::{Member, Team};
use super::worker::{Context, Worker};
use crate::rules::Rules;

/// Searches deeper and deeper with so many threads; if the system gives fewer the search is slower.
pub(super) fn deepen<R: Rules, F: Features>(
    context: Context<'_, R>,
    driver: Driver,
    moves: RootMoves,
    observer: &mut dyn Observer,
    threads: usize,
) -> Report {
    let team = Team::new();
    let report = thread::scope(|scope| {
        for _ in 1..threads {
            let help = || help::<R, F>(context, &team);
            let started =
                thread::Builder::new().name("helper".to_owned()).spawn_scoped(scope, help);
            if let Err(error) = started {
                log::warn!("cannot start {threads} threads: {error}");
                break;
            }
        }
        let _end = EndOfHelp(&team);
        let mut worker = Worker::<R, F>::new(context, observer);
        worker.team = Some(Member::new(&team));
        worker.deepen(driver, moves)
    });
    let counts = team.counts();
    Report { nodes: counts.nodes, tablebase_hits: counts.tablebase_hits, ..report }
}

/// Joins one pass after another until the search stops.
fn help<R: Rules, F: Features>(context: Context<'_, R>, team: &Team) {
    let mut observer = Silent;
    let mut worker = Worker::<R, F>::new(context, &mut observer);
    worker.team = Some(Member::new(team));
    while let Some(mut pass) = worker.team.as_mut().and_then(Member::join_pass) {
        worker.may_end = pass.depth > worker.limits.least_depth;
        let result = worker.pass(&mut pass.moves, pass.window, pass.depth);
        if let (Ok(score), Some(member)) = (result, &worker.team) {
            member.finish_pass(score, pass.moves);
        }
    }
    worker.counts();
}

/// Stops the helpers when the search ends, even by a panic of its observer.
struct EndOfHelp<'a>(&'a Team);

impl Drop for EndOfHelp<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
