//! Doing a move and taking it back.

use super::{Move, MoveKind, Phase, Position};
use crate::board::{Square, lines};
use crate::rules::Rules;

/// What [`Position::undo_move`] needs to take a move back.
///
/// It is the position as it was: copying 32 bytes is cheaper than undoing each part of a move,
/// and no part can be forgotten.
#[derive(Clone, Copy, Debug)]
#[must_use = "a move is taken back with what do_move returned"]
pub struct Undo<R: Rules>(Position<R>);

impl<R: Rules> Position<R> {
    /// Plays a legal move.
    ///
    /// A placement or slide that closes a mill leaves the same side to move, with a removal owed.
    #[inline]
    pub fn do_move(&mut self, mv: Move) -> Undo<R> {
        debug_assert!(self.is_legal(mv), "{mv} is not legal in {self}");
        let undo = Undo(*self);
        match mv.kind() {
            MoveKind::Place(to) => self.place(to),
            MoveKind::Slide { from, to } => self.slide(from, to),
            MoveKind::Remove(man) => self.remove(man),
        }
        undo
    }

    /// Takes back the move that gave `undo`.
    #[inline]
    pub fn undo_move(&mut self, undo: Undo<R>) {
        *self = undo.0;
    }

    #[inline]
    fn place(&mut self, to: Square) {
        let side = self.to_move();
        self.keyed.take_from_hand(side);
        self.keyed.flip_man(side, to);
        self.quiet_plies = 0;
        self.settle(to);
    }

    #[inline]
    fn slide(&mut self, from: Square, to: Square) {
        let side = self.to_move();
        self.keyed.flip_man(side, from);
        self.keyed.flip_man(side, to);
        self.quiet_plies = self.quiet_plies.saturating_add(1);
        self.settle(to);
    }

    #[inline]
    fn remove(&mut self, man: Square) {
        self.keyed.flip_man(!self.to_move(), man);
        self.keyed.set_pending(self.pending() - 1);
        self.quiet_plies = 0;
        if self.pending() == 0 {
            self.pass_turn();
        }
    }

    /// Counts the move that brought a man to a point, and lets a closed mill earn its removals.
    ///
    /// A mill earns no more removals than the opponent has men on the board.
    #[inline]
    fn settle(&mut self, arrived: Square) {
        self.plies = self.plies.saturating_add(1);
        let side = self.to_move();
        let closed = lines::count_closed(arrived, self.men(side), self.rules.diagonals());
        if closed == 0 {
            return self.pass_turn();
        }
        let earned = if self.rules.may_remove_multiple() { closed } else { 1 };
        let owed = earned.min(self.men(!side).len());
        self.keyed.set_pending(owed as u8);
        if owed == 0 {
            self.pass_turn();
        }
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.keyed.pass_turn();
        let has_men_in_hand = self.in_hand(self.to_move()) > 0;
        self.phase = if has_men_in_hand { Phase::Placing } else { Phase::Moving };
    }
}
