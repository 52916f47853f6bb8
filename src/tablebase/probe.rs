//! What the databases say of positions and moves.

use super::sector::Sector;
use super::tables::Tablebase;
use super::value::Value;
use super::wdl::Wdl;
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
    pub fn wdl_of<R: Rules>(&self, position: &Position<R>) -> Option<Wdl> {
        let side = position.to_move();
        let is_covered = is_placed(position) && position.pending() == 0;
        if is_covered { self.wdl(position.men(side), position.men(!side)) } else { None }
    }

    /// Whether a decided position with all men placed and no removal owed ends before so many plies
    /// have been played; none if distances are not known. They are read only where the sector has
    /// longer ones.
    #[inline]
    #[must_use]
    pub fn ends_before<R: Rules>(&self, position: &Position<R>, plies: u16) -> Option<bool> {
        let side = position.to_move();
        let (own, opponent) = (position.men(side), position.men(!side));
        let sector = Sector::new(own.len() as usize, opponent.len() as usize)?;
        let is_before = |end: u8| u16::from(end) < plies;
        if self.file(sector)?.statistics().longest().is_some_and(is_before) {
            return Some(true);
        }
        self.value(own, opponent)?.plies().map(is_before)
    }

    /// What a position is worth to the side to move, if all men are placed and the sectors that
    /// follow are there, for a [`Value`] with distances; a removal that is owed belongs to the ply
    /// that earned it.
    ///
    /// The rules must be those of Nine Men's Morris, whose draws by history do not count here.
    #[must_use]
    pub fn worth_of<W: Worth, R: Rules>(&self, position: &Position<R>) -> Option<W> {
        let side = position.to_move();
        match position.ending() {
            Some(Ending::Loss(_)) => Some(W::LOST),
            Some(Ending::Draw(_)) => Some(W::DRAW),
            None if !is_placed(position) => None,
            None if position.pending() == 0 => {
                W::look_up(self, position.men(side), position.men(!side))
            }
            None => {
                let removals = position.moves();
                let mut worth = removals.iter().map(|&mv| self.worth_of_move(position, mv));
                worth.try_fold(W::LOST, |best, worth| Some(best.max(worth?)))
            }
        }
    }

    /// What a legal move is worth to the side that plays it.
    #[must_use]
    pub fn worth_of_move<W: Worth, R: Rules>(&self, position: &Position<R>, mv: Move) -> Option<W> {
        let after = position.after(mv);
        let worth: W = self.worth_of(&after)?;
        let plays_on = after.plays_on(position.to_move());
        Some(if plays_on { worth } else { worth.before_move() })
    }

    /// The value of a position for the side to move; see [`worth_of`](Self::worth_of).
    #[must_use]
    pub fn value_of<R: Rules>(&self, position: &Position<R>) -> Option<Value> {
        self.worth_of(position)
    }

    /// Leaves of some moves of a position the best by win, draw and loss, if that is known of all.
    pub fn keep_best<R: Rules>(&self, position: &Position<R>, moves: &mut Vec<Move>) {
        let worth = moves.iter().map(|&mv| self.worth_of_move(position, mv));
        if let Some(worth) = worth.collect::<Option<Vec<Wdl>>>() {
            let best = worth.iter().max();
            let mut is_best = worth.iter().map(|worth| Some(worth) == best);
            moves.retain(|_| is_best.next().unwrap_or_default());
        }
    }
}

/// What the databases tell of a position: its [`Value`], or less of it, its [`Wdl`].
pub trait Worth: Copy + Ord {
    /// The side to move has lost.
    const LOST: Self;
    /// Nobody can force the end of the game.
    const DRAW: Self;

    /// What a move to a position of this worth is worth to the side that plays it.
    #[must_use]
    fn before_move(self) -> Self;

    /// What a position with all men placed is worth to the side with `own` men, which is to move.
    fn look_up(tablebase: &Tablebase, own: SquareSet, opponent: SquareSet) -> Option<Self>;
}

impl Worth for Value {
    const LOST: Self = Self::LOST;
    const DRAW: Self = Self::DRAW;

    fn before_move(self) -> Self {
        self.before_move()
    }

    fn look_up(tablebase: &Tablebase, own: SquareSet, opponent: SquareSet) -> Option<Self> {
        tablebase.value(own, opponent)
    }
}

impl Worth for Wdl {
    const LOST: Self = Self::Loss;
    const DRAW: Self = Self::Draw;

    fn before_move(self) -> Self {
        self.before_move()
    }

    fn look_up(tablebase: &Tablebase, own: SquareSet, opponent: SquareSet) -> Option<Self> {
        tablebase.wdl(own, opponent)
    }
}

#[inline]
fn is_placed<R: Rules>(position: &Position<R>) -> bool {
    Side::ALL.into_iter().all(|side| position.in_hand(side) == 0)
}
