//! Probing: the values of positions and moves.

use super::folder::Tablebase;
use super::sector::Sector;
use super::value::{Value, Wdl};
use crate::board::{Side, SquareSet};
use crate::position::{Ending, Move, Position};
use crate::rules::Rules;

impl Tablebase {
    /// Whether the position is won, drawn or lost for the side to move, if all men are placed, no
    /// removal is owed and the sector is there.
    ///
    /// The rules must be those of Nine Men's Morris.
    #[inline]
    #[must_use]
    pub fn probe_wdl<R: Rules>(&self, position: &Position<R>) -> Option<Wdl> {
        let side = position.to_move();
        let is_covered = is_placed(position) && position.pending() == 0;
        if is_covered { self.wdl(position.men(side), position.men(!side)) } else { None }
    }

    /// Whether a decided position with all men placed and no removal owed ends before `turns`
    /// turns have been played; none if distances are not known. They are read only where the sector has
    /// longer ones.
    #[inline]
    #[must_use]
    pub fn ends_before<R: Rules>(&self, position: &Position<R>, turns: u16) -> Option<bool> {
        let side = position.to_move();
        let (own, opponent) = (position.men(side), position.men(!side));
        let sector = Sector::new(own.len() as usize, opponent.len() as usize)?;
        let is_before = |end: u8| u16::from(end) < turns;
        if self.file(sector)?.statistics().longest().is_some_and(is_before) {
            return Some(true);
        }
        self.value(own, opponent)?.turns().map(is_before)
    }

    /// The value of a position for the side to move, with or without distance, if all men are placed
    /// and the needed sectors are there, for a [`Value`] with distances. A removal that is owed
    /// belongs to the turn that earned it.
    ///
    /// The rules must be those of Nine Men's Morris, whose draws by history do not count here.
    #[must_use]
    pub fn probe<V: Probe, R: Rules>(&self, position: &Position<R>) -> Option<V> {
        let side = position.to_move();
        match position.ending() {
            Some(Ending::Loss(_)) => Some(V::LOST),
            Some(Ending::Draw(_)) => Some(V::DRAW),
            None if !is_placed(position) => None,
            None if position.pending() == 0 => {
                V::read(self, position.men(side), position.men(!side))
            }
            None => {
                let removals = position.moves();
                let mut values = removals.iter().map(|&mv| self.probe_move(position, mv));
                values.try_fold(V::LOST, |best, value| Some(best.max(value?)))
            }
        }
    }

    /// The value of a legal move for the side that plays it.
    #[must_use]
    pub fn probe_move<V: Probe, R: Rules>(&self, position: &Position<R>, mv: Move) -> Option<V> {
        let after = position.after(mv);
        let value: V = self.probe(&after)?;
        let plays_on = after.plays_on(position.to_move());
        Some(if plays_on { value } else { value.before_move() })
    }

    /// The value of a position with its distance; see [`probe`](Self::probe).
    #[must_use]
    pub fn probe_value<R: Rules>(&self, position: &Position<R>) -> Option<Value> {
        self.probe(position)
    }
}

/// A value that a tablebase gives: a [`Value`] with its distance, or only a [`Wdl`].
pub trait Probe: Copy + Ord {
    /// The side to move has lost.
    const LOST: Self;
    /// Neither side can force a win.
    const DRAW: Self;

    /// The value of a move, for the side that plays it, to a position with this value.
    #[must_use]
    fn before_move(self) -> Self;

    /// The value of a position with all men placed for the side with `own` men, which is to move.
    fn read(tablebase: &Tablebase, own: SquareSet, opponent: SquareSet) -> Option<Self>;
}

impl Probe for Value {
    const LOST: Self = Self::LOST;
    const DRAW: Self = Self::DRAW;

    fn before_move(self) -> Self {
        self.before_move()
    }

    fn read(tablebase: &Tablebase, own: SquareSet, opponent: SquareSet) -> Option<Self> {
        tablebase.value(own, opponent)
    }
}

impl Probe for Wdl {
    const LOST: Self = Self::Loss;
    const DRAW: Self = Self::Draw;

    fn before_move(self) -> Self {
        self.before_move()
    }

    fn read(tablebase: &Tablebase, own: SquareSet, opponent: SquareSet) -> Option<Self> {
        tablebase.wdl(own, opponent)
    }
}

#[inline]
fn is_placed<R: Rules>(position: &Position<R>) -> bool {
    Side::ALL.into_iter().all(|side| position.in_hand(side) == 0)
}
