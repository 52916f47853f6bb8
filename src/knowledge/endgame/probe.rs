//! What the databases say of positions and moves.

use super::sector::Sector;
use super::tables::Tables;
use super::value::Value;
use super::wdl::Wdl;
use crate::board::Side;
use crate::position::{Ending, Move, Position};
use crate::rules::Rules;

impl Tables {
    /// Whether the position is won, drawn or lost for the side to move, if all men are placed, no
    /// removal is owed and the sector is there.
    ///
    /// The rules must be those of Nine Men's Morris.
    #[inline]
    #[must_use]
    pub fn wdl_of<R: Rules>(&self, position: &Position<R>) -> Option<Wdl> {
        let side = position.to_move();
        let is_covered = is_placed(position) && position.pending() == 0;
        if is_covered { self.wdl(position.men(side), position.men(!side)) } else { None }
    }

    /// Whether a decided position with all men placed and no removal owed is known to end before so
    /// many plies have been played; the distance is read only where the sector has longer ones.
    #[inline]
    #[must_use]
    pub fn ends_before<R: Rules>(&self, position: &Position<R>, plies: u16) -> bool {
        let side = position.to_move();
        let (own, opponent) = (position.men(side), position.men(!side));
        let sector = Sector::new(own.len() as usize, opponent.len() as usize);
        let longest = sector.and_then(|sector| self.file(sector)?.statistics().longest());
        let is_less = |end: u8| u16::from(end) < plies;
        longest.is_some_and(is_less)
            || self.value(own, opponent).and_then(Value::plies).is_some_and(is_less)
    }

    /// The value of a position for the side to move, if all men are placed and the distances of the
    /// sectors that follow are there; a removal that is owed belongs to the ply that earned it.
    ///
    /// The rules must be those of Nine Men's Morris, whose draws by history do not count here.
    #[must_use]
    pub fn value_of<R: Rules>(&self, position: &Position<R>) -> Option<Value> {
        let side = position.to_move();
        match position.ending() {
            Some(Ending::Loss(_)) => Some(Value::LOST),
            Some(Ending::Draw(_)) => Some(Value::DRAW),
            None if !is_placed(position) => None,
            None if position.pending() == 0 => self.value(position.men(side), position.men(!side)),
            None => {
                let removals = position.moves();
                let mut values = removals.iter().map(|&mv| self.value_of_move(position, mv));
                values.try_fold(Value::LOST, |best, value| Some(best.max(value?)))
            }
        }
    }

    /// The value of a legal move for the side that plays it.
    #[must_use]
    pub fn value_of_move<R: Rules>(&self, position: &Position<R>, mv: Move) -> Option<Value> {
        let after = position.after(mv);
        let value = self.value_of(&after)?;
        let plays_on = after.to_move() == position.to_move();
        Some(if plays_on { value } else { value.before_move() })
    }
}

#[inline]
fn is_placed<R: Rules>(position: &Position<R>) -> bool {
    Side::ALL.into_iter().all(|side| position.in_hand(side) == 0)
}
