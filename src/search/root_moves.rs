//! The moves of the root: which of them to choose from, and in which order they are searched.

use super::limits::Limits;
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::{Bound, Score};

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

    /// Whether all legal moves remain, so that their best value is that of the position.
    pub(super) fn has_all_legal(&self) -> bool {
        self.is_complete && self.excluded == 0
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

    /// Moves the next move that no other thread searches to an index; if there is none, the order stays.
    pub(super) fn bring_idle_forward(&mut self, index: usize, is_busy: impl Fn(Move) -> bool) {
        let rest = &mut self.order[index..];
        if let Some(at) = rest.iter().position(|&mv| !is_busy(mv)) {
            rest[..=at].rotate_right(1);
        }
    }
}
