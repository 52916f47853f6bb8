//! The legal moves: generating them, counting them, and testing a given move.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::{Move, MoveKind, MoveList, Position};
use crate::board::{Square, SquareSet, lines};
use crate::rules::Rules;

impl<R: Rules> Position<R> {
    /// Calls `visit` with every legal move until it breaks.
    ///
    /// # Errors
    ///
    /// Returns the break value of `visit`.
    pub fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.has_too_few_men() {
            return ControlFlow::Continue(());
        }
        if self.pending() > 0 {
            return self.removable().into_iter().try_for_each(|man| visit(Move::remove(man)));
        }
        if self.own_hand() > 0 {
            self.empty().into_iter().try_for_each(|to| visit(Move::place(to)))?;
            if !self.rules().may_move_in_placing {
                return ControlFlow::Continue(());
            }
        }
        let flies = self.flies();
        self.own_men().into_iter().try_for_each(|from| {
            let targets = self.targets(from, flies);
            targets.into_iter().try_for_each(|to| visit(Move::slide(from, to)))
        })
    }

    /// The legal moves; empty when the game is over.
    pub fn moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        let ControlFlow::Continue(()) = self.visit_moves::<Infallible>(|mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        moves
    }

    /// The number of legal moves, counted without generating them.
    #[inline(always)]
    pub fn count_moves(&self) -> u32 {
        if self.has_too_few_men() {
            return 0;
        }
        if self.pending() > 0 {
            return self.removable().len();
        }
        match (self.own_hand() > 0, self.rules().may_move_in_placing) {
            (true, false) => self.empty().len(),
            (true, true) => self.empty().len() + self.count_slides(),
            (false, _) => self.count_slides(),
        }
    }

    /// Whether the move is legal, tested without generating moves.
    pub fn is_legal(&self, mv: Move) -> bool {
        if self.has_too_few_men() || mv.is_removal() != (self.pending() > 0) {
            return false;
        }
        match mv.kind() {
            MoveKind::Remove(man) => self.removable().contains(man),
            MoveKind::Place(to) => self.own_hand() > 0 && self.empty().contains(to),
            MoveKind::Slide { from, to } => {
                (self.own_hand() == 0 || self.rules().may_move_in_placing)
                    && self.own_men().contains(from)
                    && self.targets(from, self.flies()).contains(to)
            }
        }
    }

    /// Whether a rule adds slides (leaps) or forbids some.
    fn has_odd_slides(&self) -> bool {
        self.rules().leap.is_on || self.rules().restricts_repeated_mills
    }

    /// The points to which a man of the side to move may slide, fly or leap.
    fn targets(&self, from: Square, flies: bool) -> SquareSet {
        let empty = self.empty();
        let near = lines::neighbours(from, self.rules().diagonals);
        let mut targets = if flies { empty } else { near & empty };
        if self.rules().leap.is_on {
            targets |= self.leaps(from);
        }
        if self.rules().restricts_repeated_mills {
            targets = targets - self.forbidden_return(from);
        }
        targets
    }

    fn count_slides(&self) -> u32 {
        let men = self.own_men();
        let flies = self.flies();
        if self.has_odd_slides() {
            men.into_iter().map(|from| self.targets(from, flies).len()).sum()
        } else if flies {
            men.len() * self.empty().len()
        } else {
            lines::count_edges(men, self.empty(), self.rules().diagonals)
        }
    }

    /// Whether the side to move could slide, fly or leap if it owed nothing.
    pub(super) fn can_slide(&self) -> bool {
        let men = self.own_men();
        let flies = self.flies();
        if self.has_odd_slides() {
            return men.into_iter().any(|from| !self.targets(from, flies).is_empty());
        }
        let empty = self.empty();
        let reached = if flies { empty } else { lines::reach(men, self.rules().diagonals) & empty };
        !reached.is_empty()
    }

    /// Whether the side to move owes no removal, has no man in hand and cannot slide, fly or leap.
    pub(super) fn is_blocked(&self) -> bool {
        self.pending() == 0 && self.own_hand() == 0 && !self.can_slide()
    }
}
