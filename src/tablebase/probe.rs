//! Probing: the values of positions and moves.

use super::folder::Tablebase;
use super::sector::Sector;
use super::value::{Value, Wdl};
use crate::board::SquareSet;
use crate::position::{Ending, Move, Position};
use crate::rules::Rules;

impl Tablebase {
    /// Whether the position is won, drawn or lost for the side to move, if no removal is owed and the
    /// sector is there.
    ///
    /// The rules must be those of Nine Men's Morris.
    #[inline]
    #[must_use]
    pub fn probe_wdl<R: Rules>(&self, position: &Position<R>) -> Option<Wdl> {
        if position.pending() > 0 {
            return None;
        }
        let [own, opponent] = men(position);
        self.wdl(sector_of(position)?, own, opponent)
    }

    /// Whether a decided position without a removal owed ends before `turns`
    /// turns have been played; none if distances are not known. They are read only where the sector has
    /// longer ones.
    #[inline]
    #[must_use]
    pub fn ends_before<R: Rules>(&self, position: &Position<R>, turns: u16) -> Option<bool> {
        let [own, opponent] = men(position);
        let sector = sector_of(position)?;
        let is_before = |end: u8| u16::from(end) < turns;
        if self.file(sector)?.statistics().longest().is_some_and(is_before) {
            return Some(true);
        }
        self.value(sector, own, opponent)?.turns().map(is_before)
    }

    /// The value of a position for the side to move, with or without distance, if the needed sectors are
    /// there, for a [`Value`] with distances. A removal that is owed
    /// belongs to the turn that earned it.
    ///
    /// The rules must be those of Nine Men's Morris, whose draws by history do not count here.
    #[must_use]
    pub fn probe<V: Probe, R: Rules>(&self, position: &Position<R>) -> Option<V> {
        match position.ending() {
            Some(Ending::Loss(_)) => Some(V::LOST),
            Some(Ending::Draw(_)) => Some(V::DRAW),
            None if position.pending() == 0 => V::read(self, sector_of(position)?, men(position)),
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

    /// The value of a position of a sector, given by the men of the side to move and of the opponent.
    fn read(tablebase: &Tablebase, sector: Sector, men: [SquareSet; 2]) -> Option<Self>;
}

impl Probe for Value {
    const LOST: Self = Self::LOST;
    const DRAW: Self = Self::DRAW;

    fn before_move(self) -> Self {
        self.before_move()
    }

    fn read(
        tablebase: &Tablebase,
        sector: Sector,
        [own, opponent]: [SquareSet; 2],
    ) -> Option<Self> {
        tablebase.value(sector, own, opponent)
    }
}

impl Probe for Wdl {
    const LOST: Self = Self::Loss;
    const DRAW: Self = Self::Draw;

    fn before_move(self) -> Self {
        self.before_move()
    }

    fn read(
        tablebase: &Tablebase,
        sector: Sector,
        [own, opponent]: [SquareSet; 2],
    ) -> Option<Self> {
        tablebase.wdl(sector, own, opponent)
    }
}

/// The men on the board of the side to move and of the opponent.
#[inline]
fn men<R: Rules>(position: &Position<R>) -> [SquareSet; 2] {
    let side = position.to_move();
    [side, !side].map(|side| position.men(side))
}

/// The sector of a position; none where a side is to place out of its turn, as only a position text may
/// have it: White is the first to slide, so that it would move twice in a row or wait twice.
#[inline]
fn sector_of<R: Rules>(position: &Position<R>) -> Option<Sector> {
    let side = position.to_move();
    let numbers = men(position).map(|men| men.len() as usize);
    let hands = [side, !side].map(|side| usize::from(position.in_hand(side)));
    let sector = Sector::with_hands(numbers, hands)?;
    (!sector.is_placing() || sector.to_move() == side).then_some(sector)
}
