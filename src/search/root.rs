//! The root of the tree: its moves are kept in order from one search to the next.

use super::hooks::Features;
use super::node::bound;
use super::observer::{CurrentMove, Progress};
use super::parameters::PATIENCE;
use super::tt::{Bound, Entry};
use super::worker::{Stopped, Worker};
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Score, Window};

/// The moves of the root, the best one so far first.
///
/// Where several lines are asked for, those that have their line stand before the rest and are left
/// out of the search, which so finds the best of the rest.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    moves: Vec<Move>,
    /// How many moves at the front are left out.
    settled: usize,
    /// How many of the moves the observer has heard of in this iteration.
    told: usize,
    /// Whether all legal moves are there, so that their best value is that of the position.
    is_complete: bool,
}

impl RootMoves {
    /// Takes the moves in the order given.
    pub(super) fn new(moves: Vec<Move>, is_complete: bool) -> Self {
        Self { moves, settled: 0, told: 0, is_complete }
    }

    /// Moves of a position below the root, of which nobody is told.
    pub(super) fn below(moves: Vec<Move>) -> Self {
        Self { moves, settled: 0, told: usize::MAX, is_complete: false }
    }

    /// The best move so far.
    pub(super) fn best(&self) -> Option<Move> {
        self.moves.first().copied()
    }

    /// The best move so far of those that are not left out.
    pub(super) fn best_open(&self) -> Option<Move> {
        self.moves.get(self.settled).copied()
    }

    /// Leaves out so many moves at the front from now on.
    pub(super) fn settle(&mut self, count: usize) {
        self.settled = count;
        self.told = count;
    }

    /// Puts some of the moves before all others.
    pub(super) fn put_first(&mut self, first: impl DoubleEndedIterator<Item = Move>) {
        for mv in first.rev() {
            if let Some(index) = self.moves.iter().position(|&other| other == mv) {
                self.moves[..=index].rotate_right(1);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Puts the first move from `index` on that is not put off there, or leaves all as they are.
    fn put_off(&mut self, index: usize, is_put_off: impl Fn(Move) -> bool) {
        let rest = &mut self.moves[index..];
        if let Some(at) = rest.iter().position(|&mv| !is_put_off(mv)) {
            rest[..=at].rotate_right(1);
        }
    }

    /// Takes over the order of another list of the same moves.
    pub(super) fn reorder(&mut self, other: Self) {
        self.moves = other.moves;
    }

    fn bring_forward(&mut self, index: usize) {
        self.moves[self.settled..=index].rotate_right(1);
    }
}

impl<R: Rules, F: Features> Worker<'_, R, F> {
    /// A pass over the root by all threads: the node function with the same contract; a better move
    /// comes to the front.
    pub(super) fn root(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: u32,
    ) -> Result<Score, Stopped> {
        let score = self.answer(moves, window, depth)?;
        self.tell_bound(moves, score, bound(score, window), depth);
        Ok(score)
    }

    /// The same for moves of any position and by this thread, without a word on how it went.
    pub(super) fn pass(
        &mut self,
        moves: &mut RootMoves,
        window: Window,
        depth: u32,
    ) -> Result<Score, Stopped> {
        let depth_below = self.depth_after_move(depth);
        let mut open = window;
        let mut best = -Score::INFINITE;
        for index in moves.settled..moves.len() {
            if index > moves.settled && depth_below >= self.least_shared {
                let key = self.position.key();
                moves.put_off(index, |mv| self.shared.busy.contains(key, mv));
            }
            let mv = moves.moves[index];
            if index >= moves.told && self.has_lasted() {
                moves.told = index + 1;
                self.observer().current_move(&CurrentMove { depth, mv, number: moves.told });
            }
            let score = if index == moves.settled {
                self.child(mv, open, depth_below)?
            } else {
                self.later_move(mv, open, depth_below, 0)?
            };
            best = best.max(score);
            if score > open.alpha {
                open.alpha = score;
                moves.bring_forward(index);
            }
            if score >= window.beta {
                break;
            }
        }
        if moves.is_complete && moves.settled == 0 {
            let bound = bound(best, window);
            self.remember(Entry { best: moves.best(), score: best, depth: depth as u8, bound });
        }
        Ok(best)
    }

    fn tell_bound(&mut self, moves: &RootMoves, score: Score, bound: Bound, depth: u32) {
        if bound != Bound::Exact && self.has_lasted() {
            self.add_to_tally();
            let line = self.remembered_line(moves.best_open());
            let rank = moves.settled + 1;
            let progress = Progress { bound, ..self.progress(depth, rank, score, &line) };
            self.observer().bound(&progress);
        }
    }

    /// Whether the search has gone on for so long that a person would like to know of each step.
    fn has_lasted(&self) -> bool {
        self.limits.clock.elapsed() >= PATIENCE
    }
}
