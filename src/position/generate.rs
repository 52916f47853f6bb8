//! The legal moves, by four questions that must agree: which, how many, any, this one.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::{Move, MoveKind, MoveList, Position};
use crate::board::{SquareSet, lines};
use crate::rules::Rules;

impl<R: Rules> Position<R> {
    /// Calls `visit` with every legal move until it breaks off.
    ///
    /// # Errors
    ///
    /// What `visit` broke off with.
    #[inline]
    pub fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.has_too_few_men() {
            return ControlFlow::Continue(());
        }
        let side = self.to_move();
        if self.pending() > 0 {
            self.removable().into_iter().try_for_each(|man| visit(Move::remove(man)))
        } else if self.in_hand(side) > 0 {
            self.empty().into_iter().try_for_each(|to| visit(Move::place(to)))
        } else {
            let flies = self.may_fly(side);
            let empty = self.empty();
            self.men(side).into_iter().try_for_each(|from| {
                let near = lines::neighbours(from, self.rules().diagonals());
                let targets = if flies { empty } else { near & empty };
                targets.into_iter().try_for_each(|to| visit(Move::slide(from, to)))
            })
        }
    }

    /// The legal moves; none when the game is over.
    #[must_use]
    pub fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        let ControlFlow::Continue(()) = self.visit_moves::<Infallible>(|mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        moves
    }

    /// How many legal moves there are, without making a list of them.
    #[inline]
    #[must_use]
    pub fn count_moves(&self) -> u32 {
        if self.has_too_few_men() {
            return 0;
        }
        let side = self.to_move();
        if self.pending() > 0 {
            self.removable().len()
        } else if self.in_hand(side) > 0 {
            self.empty().len()
        } else if self.may_fly(side) {
            self.men(side).len() * self.empty().len()
        } else {
            lines::count_edges(self.men(side), self.empty(), self.rules().diagonals())
        }
    }

    /// Whether there is a legal move, without looking for all of them.
    #[inline]
    #[must_use]
    pub fn has_move(&self) -> bool {
        !self.has_too_few_men() && !self.is_blocked()
    }

    /// Whether the move may be played, without generating any.
    #[inline]
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        if self.has_too_few_men() {
            return false;
        }
        let side = self.to_move();
        match mv.kind() {
            MoveKind::Remove(man) => self.pending() > 0 && self.removable().contains(man),
            MoveKind::Place(to) => {
                self.pending() == 0 && self.in_hand(side) > 0 && self.empty().contains(to)
            }
            MoveKind::Slide { from, to } => {
                self.pending() == 0
                    && self.in_hand(side) == 0
                    && self.men(side).contains(from)
                    && self.empty().contains(to)
                    && (self.may_fly(side)
                        || lines::neighbours(from, self.rules().diagonals()).contains(to))
            }
        }
    }

    /// The men of the opponent that may be removed: those outside mills, or all if none is.
    #[inline]
    #[must_use]
    pub fn removable(&self) -> SquareSet {
        let men = self.men(!self.to_move());
        let free = men - lines::in_mills(men, self.rules().diagonals());
        if free.is_empty() || self.rules().may_remove_from_mills() { men } else { free }
    }

    /// Whether the side to move has men on the board only and none of them can go anywhere.
    #[inline]
    pub(super) fn is_blocked(&self) -> bool {
        let side = self.to_move();
        if self.pending() > 0 || self.in_hand(side) > 0 {
            return false;
        }
        let empty = self.empty();
        let targets = if self.may_fly(side) {
            empty
        } else {
            lines::reach(self.men(side), self.rules().diagonals()) & empty
        };
        targets.is_empty()
    }
}
