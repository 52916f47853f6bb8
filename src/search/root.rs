//! The root of the tree: one pass over its moves within a window.

use super::features::Features;
use super::node::bound;
use super::parameters::{LEAST_SHARED_DEPTH, LEAST_TABLE_DEPTH, LEAST_TEAM_DEPTH, REPORTING_DELAY};
use super::root_moves::RootMoves;
use super::team::Member;
use super::worker::{Found, Worker};
use crate::rules::Rules;
use crate::score::{Score, Window};

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// A pass over the moves of the root, by all threads if there are several: what the root is worth
    /// within a window, by the contract of the node function. A move that turns out better comes to
    /// the front.
    pub(super) fn joint_pass(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: u32,
    ) -> Found {
        let Some(member) = self.team.as_mut().filter(|_| depth >= LEAST_TEAM_DEPTH) else {
            return self.pass(moves, window, depth);
        };
        // The first thread that finishes the pass has the result.
        member.start_pass(moves, window, depth);
        let own = self.pass(moves, window, depth);
        let other = self.team.as_mut().and_then(Member::end_pass);
        own.or_else(|stopped| {
            let (score, found) = other.ok_or(stopped)?;
            (moves.order, moves.leader) = (found.order, found.leader);
            Ok(score)
        })
    }

    /// A pass over moves of the position by this thread alone.
    pub(super) fn pass(&mut self, moves: &mut RootMoves, window: Window, depth: u32) -> Found {
        let is_removal = self.position.pending() > 0;
        let depth_below = if is_removal { depth } else { depth.saturating_sub(1) };
        let busy = self.busy().filter(|_| depth_below >= LEAST_SHARED_DEPTH);
        let key = self.position.key();
        let mut narrowed = window;
        let mut best = -Score::INFINITE;
        let mut rests_on = usize::MAX;
        let first = moves.excluded;
        for index in first..moves.order.len() {
            if let Some(busy) = busy.filter(|_| index > first) {
                moves.bring_idle_forward(index, |mv| busy.contains(key, mv));
            }
            let mv = moves.order[index];
            if index >= moves.reported && self.is_reporting() {
                moves.reported = index + 1;
                self.observer.current_move(depth, mv, index + 1);
            }
            let score = if index == first {
                self.child(mv, narrowed, depth_below)?
            } else {
                self.later_move(mv, narrowed, depth_below, 0)?
            };
            best = best.max(score);
            if score > narrowed.alpha {
                narrowed.alpha = score;
                moves.bring_forward(index, (score, bound(score, window)));
            }
            if score >= window.beta {
                rests_on = self.rests_on;
                break;
            }
            rests_on = rests_on.min(self.rests_on);
        }
        self.finish_node(rests_on);
        if F::ON.uses_table() && depth >= LEAST_TABLE_DEPTH && moves.has_all_legal() {
            let key = self.table_key(&self.position);
            self.store(key, moves.best(), best, depth, bound(best, window));
        }
        Ok(best)
    }

    /// Whether the search has gone on for so long that each step is reported.
    pub(super) fn is_reporting(&self) -> bool {
        self.root.limits.clock.elapsed() >= REPORTING_DELAY
    }
}
