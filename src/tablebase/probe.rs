//! Probing: the values of positions and moves.

use std::cell::RefCell;
use std::path::Path;

use arrayvec::ArrayVec;

use super::draw_value::DrawValue;
use super::folder::Tablebase;
use super::sector::{Men, Sector, from_start};
use super::source::Stored;
use super::value::{Probe, Value, Wdl};
use crate::board::{Side, SquareSet, lines};
use crate::evaluate::evaluate;
use crate::position::{MAX_MOVES, Move, MoveKind, Position};
use crate::rules::Rules;

impl Tablebase {
    /// Whether the position is won, drawn or lost for the side to move, if no removal is owed and a file says so
    /// without a look at moves, as suits a probe in the tree.
    ///
    /// The position must be one of the game.
    #[inline]
    pub fn probe_wdl<R: Rules>(&self, position: &Position<R>) -> Option<Wdl> {
        if position.pending() > 0 {
            return None;
        }
        let stored = self.stored_wdl(self.game().sector_of(position)?, men(position));
        if let Stored::Exact(wdl) = stored { Some(wdl) } else { None }
    }

    /// The value of a position of a sector whose value is not stored, by its moves.
    #[cold]
    pub(super) fn wdl_by_moves(&self, sector: Sector, men: Men, stored: Stored) -> Option<Wdl> {
        let bounds = [Wdl::Loss, Wdl::Win];
        from_start!(self.game(), |start| {
            self.search(&sector.set_up(start, men[0], men[1]), stored, bounds)
        })
    }

    /// The value of a position by what is stored of it and of those that its moves lead to, an alpha-beta search of
    /// few plies: it is exact between the bounds, and beyond one of them a bound itself. Moves whose value is stored
    /// come first, of all moves those that leave the opponent the fewest mills to close.
    fn search<R: Rules>(
        &self,
        position: &Position<R>,
        stored: Stored,
        [alpha, beta]: [Wdl; 2],
    ) -> Option<Wdl> {
        let (side, diagonals) = (position.to_move(), position.rules().diagonals);
        let (mut best, wanted) = match stored {
            Stored::Exact(wdl) => return Some(wdl),
            Stored::Unknown => return None,
            Stored::AtLeast(wdl) => (wdl, lines::closing(position.men(side), diagonals)),
            Stored::LeftOut => (Wdl::Loss, SquareSet::ALL),
        };
        let mut later = ArrayVec::<_, MAX_MOVES>::new();
        let is_wanted =
            |mv: &&Move| !matches!(mv.kind(), MoveKind::Place(to) if !wanted.contains(to));
        let moves = position.moves();
        let mut reached: ArrayVec<_, MAX_MOVES> = moves
            .iter()
            .filter(is_wanted)
            .map(|&mv| {
                let after = position.after(mv);
                let goes_on = after.plays_on(side);
                let score = evaluate(&after);
                (if goes_on { -score } else { score }, after, goes_on)
            })
            .collect();
        reached.sort_by_key(|&(score, ..)| score);
        for (_, after, goes_on) in reached {
            if best >= beta {
                return Some(best);
            }
            match self.stored_of(&after) {
                Stored::Exact(wdl) => {
                    best = best.max(if goes_on { wdl } else { wdl.before_move() });
                }
                stored => later.push((after, stored, goes_on)),
            }
        }
        for (after, stored, goes_on) in later {
            if best >= beta {
                break;
            }
            let bounds = [alpha.max(best), beta];
            let value = if goes_on {
                self.search(&after, stored, bounds)?
            } else {
                let [alpha, beta] = bounds.map(Wdl::before_move);
                self.search(&after, stored, [beta, alpha])?.before_move()
            };
            best = best.max(value);
        }
        Some(best)
    }

    /// What is known of a position without a look at its moves.
    fn stored_of<R: Rules>(&self, position: &Position<R>) -> Stored {
        match position.ending() {
            Some(ending) => Stored::Exact(Value::from(ending).into()),
            None if position.pending() > 0 => Stored::LeftOut,
            None => {
                let sector = self.game().sector_of(position);
                sector.map_or(Stored::Unknown, |sector| self.stored_wdl(sector, men(position)))
            }
        }
    }

    /// Whether a decided position without a removal owed ends before `turns`
    /// turns have been played, or `None` if distances are not known. They are read only where the sector has
    /// longer ones.
    #[inline]
    pub fn ends_before<R: Rules>(&self, position: &Position<R>, turns: u16) -> Option<bool> {
        let [own, opponent] = men(position);
        let sector = self.game().sector_of(position)?;
        let is_before = |end: u8| u16::from(end) < turns;
        let longest = self.file(sector).and_then(|file| file.statistics().longest());
        if longest.is_some_and(is_before) {
            return Some(true);
        }
        self.value(sector, own, opponent)?.turns().map(is_before)
    }

    /// The value of a position for the side to move, with or without distance, if the needed sectors are
    /// there, for a [`Value`] with distances. A removal that is owed
    /// belongs to the turn that earned it.
    ///
    /// The position must be one of the game, whose draws by history do not count here.
    pub fn probe<V: Probe, R: Rules>(&self, position: &Position<R>) -> Option<V> {
        value(position, &|position| self.stored(position, V::HAS_DISTANCE)).map(V::from)
    }

    /// The value of a legal move for the side that plays it.
    pub fn probe_move<V: Probe, R: Rules>(&self, position: &Position<R>, mv: Move) -> Option<V> {
        let stored = |position: &Position<R>| self.stored(position, V::HAS_DISTANCE);
        value_for(position.to_move(), &position.after(mv), &stored).map(V::from)
    }

    /// Where a drawn position comes to rest, for the side to move, or `None` if it is not drawn, or that is not
    /// known. A removal that is owed belongs to the turn that earned it.
    ///
    /// The position must be one of the game.
    pub fn probe_draw<R: Rules>(&self, position: &Position<R>) -> Option<DrawValue> {
        if !self.has_draws() || position.ending().is_some() {
            return None;
        }
        if position.pending() == 0 {
            let [own, opponent] = men(position);
            return self.draw_value(self.game().sector_of(position)?, own, opponent);
        }
        if self.probe::<Wdl, R>(position)? != Wdl::Draw {
            return None;
        }
        // While men are placed no turns are kept to choose by.
        let (order, sector) = (self.draw_order(), self.game().sector_of(position));
        let preference = |&value: &DrawValue| {
            sector.map_or((order.rank_of(value), 0), |sector| order.preference(sector, value))
        };
        let moves = position.moves();
        let draws = moves.iter().filter_map(|&mv| self.probe_draw_move(position, mv));
        draws.max_by_key(preference)
    }

    /// Where a legal move that draws comes to rest, for the side that plays it; see
    /// [`probe_draw`](Self::probe_draw).
    pub fn probe_draw_move<R: Rules>(&self, position: &Position<R>, mv: Move) -> Option<DrawValue> {
        let after = position.after(mv);
        let value = self.probe_draw(&after)?;
        let is_same_turn = after.plays_on(position.to_move());
        Some(if is_same_turn { value } else { value.before_move() })
    }

    /// The stored value of a position in which no removal is owed, with or without its distance.
    pub(super) fn stored<R: Rules>(
        &self,
        position: &Position<R>,
        has_distance: bool,
    ) -> Option<Value> {
        self.read(self.game().sector_of(position)?, men(position), has_distance)
    }

    /// The files that the values of a position and of its moves come from, with or without distances, each once.
    pub fn sources<R: Rules>(&self, position: &Position<R>, has_distances: bool) -> Vec<&Path> {
        let found = RefCell::new(Vec::new());
        let stored = |position: &Position<R>| {
            let sector = self.game().sector_of(position)?;
            let source = self.source(sector, has_distances)?;
            let mut found = found.borrow_mut();
            if !found.contains(&source) {
                found.push(source);
            }
            self.read(sector, men(position), false)
        };
        let _ = value(position, &stored);
        for &mv in &position.moves() {
            let _ = value_for(position.to_move(), &position.after(mv), &stored);
        }
        found.into_inner()
    }

    /// The value of a position with its distance; see [`probe`](Self::probe).
    pub fn probe_value<R: Rules>(&self, position: &Position<R>) -> Option<Value> {
        self.probe(position)
    }
}

/// The value of a position for the side to move, given the stored values of positions that go on and in
/// which no removal is owed, or `None` if one of them is not known.
pub(super) fn value<R: Rules>(
    position: &Position<R>,
    stored: &impl Fn(&Position<R>) -> Option<Value>,
) -> Option<Value> {
    match position.ending() {
        Some(ending) => Some(ending.into()),
        None if position.pending() == 0 => stored(position),
        None => best_move(position, stored),
    }
}

/// The best value of a move of a position that has any, given what [`value`] is.
pub(super) fn best_move<R: Rules>(
    position: &Position<R>,
    stored: &impl Fn(&Position<R>) -> Option<Value>,
) -> Option<Value> {
    let (moves, side) = (position.moves(), position.to_move());
    let mut values = moves.iter().map(|&mv| value_for(side, &position.after(mv), stored));
    values.try_fold(Value::LOST, |best, value| Some(best.max(value?)))
}

/// The value, for the side that has just moved, of the position after its move. A turn that passes counts
/// as a turn.
pub(super) fn value_for<R: Rules>(
    mover: Side,
    after: &Position<R>,
    stored: &impl Fn(&Position<R>) -> Option<Value>,
) -> Option<Value> {
    let value = value(after, stored)?;
    Some(if !after.plays_on(mover) {
        value.before_move()
    } else if after.is_passed_back(mover) {
        value.before_move().before_move()
    } else {
        value
    })
}

/// The men on the board of the side to move and of the opponent.
#[inline]
fn men<R: Rules>(position: &Position<R>) -> Men {
    let side = position.to_move();
    [side, !side].map(|side| position.men(side))
}
