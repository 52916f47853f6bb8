//! The root of the tree: the moves to choose from, and one pass over them within a window.

use super::features::Features;
use super::limits::Limits;
use super::node::bound;
use super::parameters::{LEAST_SHARED_DEPTH, LEAST_TABLE_DEPTH, LEAST_TEAM_DEPTH, REPORTING_DELAY};
use super::threads::Member;
use super::worker::{Found, Worker};
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Bound, Score, Window};

/// The legal moves that the limits allow.
pub(super) fn legal_moves<R: Rules>(game: &Game<R>, limits: &Limits) -> Vec<Move> {
    let mut moves: Vec<Move> = game.moves().into_iter().collect();
    if !limits.search_moves.is_empty() {
        moves.retain(|mv| limits.search_moves.contains(mv));
    }
    moves
}

/// The moves of the root, the best one so far first.
///
/// Under MultiPV, moves whose lines this iteration has found come first and are excluded, so that the search
/// finds the best of the rest.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    pub(super) order: Vec<Move>,
    /// How many moves at the front are excluded.
    pub(super) excluded: usize,
    /// How many moves have been reported to the observer in this iteration.
    pub(super) reported: usize,
    /// Whether the list has all legal moves.
    is_complete: bool,
    /// The score of the last move that came to the front, from the pass that brought it there.
    pub(super) leader: Option<(Score, Bound)>,
}

impl RootMoves {
    /// Takes the moves in the order given.
    pub(super) fn new(moves: Vec<Move>, is_complete: bool) -> Self {
        Self { order: moves, excluded: 0, reported: 0, is_complete, leader: None }
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<Move> {
        self.order.first().copied()
    }

    /// The best of the remaining moves so far.
    pub(super) fn best_remaining(&self) -> Option<Move> {
        self.order.get(self.excluded).copied()
    }

    /// Excludes the first `count` moves from now on, and no others.
    pub(super) fn exclude_first(&mut self, count: usize) {
        self.excluded = count;
        self.reported = count;
    }

    /// Moves some of the moves to the front and keeps their order.
    pub(super) fn put_first(&mut self, first: impl DoubleEndedIterator<Item = Move>) {
        for mv in first.rev() {
            if let Some(index) = self.order.iter().position(|&other| other == mv) {
                self.order[..=index].rotate_right(1);
            }
        }
    }

    /// Moves the move at an index to the front of the remaining ones, and records its score.
    pub(super) fn bring_forward(&mut self, index: usize, worth: (Score, Bound)) {
        self.order[self.excluded..=index].rotate_right(1);
        if self.excluded == 0 {
            self.leader = Some(worth);
        }
    }
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// A pass over the moves of the root, by all threads if there are several: what the root is worth
    /// within a window, by the contract of the node function. A move that turns out better comes to
    /// the front.
    pub(super) fn team_pass(&mut self, moves: &mut RootMoves, window: Window, depth: u32) -> Found {
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
        self.is_near_n_move_rule = !self.is_before_n_move_rule(&self.position, Score::DRAW, depth);
        let busy = self.busy().filter(|_| depth_below >= LEAST_SHARED_DEPTH);
        let key = self.position.key();
        let mut narrowed = window;
        let mut best = -Score::INFINITE;
        let mut rests_on = usize::MAX;
        let first = moves.excluded;
        for index in first..moves.order.len() {
            let is_idle = |&mv: &Move| busy.is_none_or(|busy| !busy.contains(key, mv));
            // The next move that no other thread searches; if there is none, the order stays.
            if index > first
                && let Some(at) = moves.order[index..].iter().position(is_idle)
            {
                moves.order[index..=index + at].rotate_right(1);
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
        // The best value of all legal moves is that of the position.
        let is_value = moves.is_complete && moves.excluded == 0;
        if F::ON.uses_table() && depth >= LEAST_TABLE_DEPTH && is_value {
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
