//! Probing: the values of positions and moves.
//!
//! A value comes from a file of our own, or from one of Malom that fills in. Values that a compact tablebase leaves out
//! or bounds follow from the moves, and so do distances of wins: a win takes one turn more than the soonest loss of the
//! opponent that a move leads to.

use std::cell::RefCell;
use std::io;
use std::path::Path;

use arrayvec::ArrayVec;
use rayon::iter::Either;
use rayon::prelude::*;

use super::compact::answers;
use super::file::{FileError, Flaw, SectorFile};
use super::folder::{Tablebase, file_name};
use super::malom::MalomFile;
use super::sector::{Men, Sector, Solved, from_start};
use super::value::{DrawValue, Probe, Value, Wdl};
use crate::board::{Side, SquareSet, lines};
use crate::evaluate::evaluate;
use crate::position::{MAX_MOVES, Move, MoveKind, Position};
use crate::rules::Rules;
use crate::system::file_at::DiskAccess;

/// What is stored for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// The value.
    Exact(Wdl),
    /// A lower bound: the value is the bound, or what a conversion reaches.
    AtLeast(Wdl),
    /// Nothing, since the value follows from the moves.
    LeftOut,
    /// Nothing; the value is unknown.
    Unknown,
}

impl Tablebase {
    /// Returns our own file of a sector, if it is undamaged and has what is wanted.
    fn usable(&self, sector: Sector, has: impl Fn(&SectorFile) -> bool) -> Option<&SectorFile> {
        self.file(sector).filter(|file| has(file) && file.is_usable())
    }

    /// Returns the file that answers for a sector: our own if it has what is wanted, else Malom's, which has all.
    pub(super) fn source_of(
        &self,
        sector: Sector,
        has: impl Fn(&SectorFile) -> bool,
    ) -> Option<&Path> {
        let malom = || self.malom.get(sector).filter(|file| file.is_usable()).map(MalomFile::path);
        self.usable(sector, has).map(SectorFile::path).or_else(malom)
    }

    /// Returns the file that tells where draws of a sector come to rest.
    pub(super) fn draw_source(&self, sector: Sector) -> Option<&Path> {
        let own = self.usable(sector, SectorFile::has_draws);
        let is_known = own.is_some() || self.fits_malom;
        self.source_of(sector, SectorFile::has_draws).filter(|_| is_known)
    }

    /// Returns the file that the values of a sector come from, with or without distances, or `None` if they are
    /// unknown. For a sector that a compact tablebase leaves out, this is the file of the sector that quiet moves lead
    /// to.
    pub fn source(&self, sector: Sector, has_distances: bool) -> Option<&Path> {
        self.source_of(sector, |file| file.has_distances() || !has_distances).or_else(|| {
            let answers = answers(&self.game, sector).filter(|_| !has_distances)?;
            self.source(answers, false)
        })
    }

    /// Returns win, draw or loss of a position of a sector for the side to move, which has the men `own`, or
    /// `None` if it is unknown. If it is not stored, looks at the moves.
    pub fn wdl(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Wdl> {
        let men = [own, opponent];
        match self.stored_wdl(sector, men) {
            Stored::Exact(wdl) => Some(wdl),
            Stored::Unknown => None,
            stored => self.wdl_by_moves(sector, men, stored),
        }
    }

    /// Returns what our own file or Malom's stores for a position.
    fn stored_wdl(&self, sector: Sector, men: Men) -> Stored {
        let [own, opponent] = men;
        let file = self.file(sector);
        let wdl = file.and_then(|file| file.wdl_if(sector.index_of(own, opponent), self.access()));
        // Whether a placement closes a mill.
        let may_convert = || {
            let closing = lines::closing(own, self.game.rules().diagonals);
            !(closing & !(own | opponent)).is_empty()
        };
        match (wdl, file) {
            (Some(wdl), Some(file)) if file.is_quiet() && wdl != Wdl::Win && may_convert() => {
                Stored::AtLeast(wdl)
            }
            (Some(wdl), _) => Stored::Exact(wdl),
            (None, Some(file)) if self.malom.is_empty() || file.is_usable() => Stored::Unknown,
            (None, _) => self.wdl_elsewhere(sector, men),
        }
    }

    #[cold]
    fn wdl_elsewhere(&self, sector: Sector, men: Men) -> Stored {
        match self.malom.get(sector).and_then(|file| file.value(men, self.access())) {
            Some(value) => Stored::Exact(value.into()),
            None if answers(&self.game, sector).is_some() => Stored::LeftOut,
            None => Stored::Unknown,
        }
    }

    /// Returns the value of a position of a sector for the side to move, which has the men `own`, or `None` if the
    /// distance is unknown. If the distance of a win is not stored, looks at the moves.
    pub fn value(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        let men = [own, opponent];
        let by_file = self.usable(sector, SectorFile::has_distances).and_then(|file| {
            let stored = file.value_if(sector.index_of(own, opponent), self.access());
            stored.or_else(|| self.win_by_moves(sector, men))
        });
        by_file.or_else(|| self.malom.get(sector)?.value(men, self.access()))
    }

    /// Returns the value of a position of a sector for the side to move, with or without its distance.
    pub(super) fn read(&self, sector: Sector, men: Men, has_distance: bool) -> Option<Value> {
        if has_distance {
            self.value(sector, men[0], men[1])
        } else {
            self.wdl(sector, men[0], men[1]).map(Value::without_distance)
        }
    }

    /// Whether the tablebase knows where any draws come to rest.
    pub fn has_draws(&self) -> bool {
        self.files().any(SectorFile::has_draws) || !self.malom.is_empty()
    }

    /// Returns where a drawn position of a sector comes to rest for the side to move, which has the men `own`, or
    /// `None` if it is not drawn, or that is unknown.
    pub fn draw_value(
        &self,
        sector: Sector,
        own: SquareSet,
        opponent: SquareSet,
    ) -> Option<DrawValue> {
        if let Some(file) = self.usable(sector, SectorFile::has_draws) {
            return file.draw_value_if(sector.index_of(own, opponent), self.access());
        }
        let malom = self.malom.get(sector).filter(|_| self.fits_malom);
        malom?.draw_value([own, opponent], self.access())
    }

    fn access(&self) -> DiskAccess<'_> {
        self.pending.as_deref()
    }

    /// Returns win, draw or loss for the side to move, if no removal is owed and a file stores the value: a fast probe
    /// for the search tree.
    ///
    /// The position must be one of the game.
    pub fn probe_wdl<R: Rules>(&self, position: &Position<R>) -> Option<Wdl> {
        if position.pending() > 0 {
            return None;
        }
        let stored = self.stored_wdl(self.game().sector_of(position)?, men(position));
        if let Stored::Exact(wdl) = stored { Some(wdl) } else { None }
    }

    /// Computes a value that is not stored from the moves of the position.
    #[cold]
    fn wdl_by_moves(&self, sector: Sector, men: Men, stored: Stored) -> Option<Wdl> {
        let bounds = [Wdl::Loss, Wdl::Win];
        from_start!(self.game(), |start| {
            self.search(&sector.set_up(start, men[0], men[1]), stored, bounds)
        })
    }

    /// Computes the value of a position from what is stored for it and for the positions that its moves lead to, by an
    /// alpha-beta search of few plies: exact between the bounds, beyond them a bound itself. Moves whose value is
    /// stored come first; both groups are ordered by the evaluation, unless reading values from memory takes no longer.
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
        let reached = moves.iter().filter(is_wanted).map(|&mv| position.after(mv));
        let reached = if self.is_in_memory {
            Either::Left(reached)
        } else {
            let mut reached: ArrayVec<_, MAX_MOVES> = reached.collect();
            reached.sort_by_cached_key(|after| {
                if after.plays_on(side) { -evaluate(after) } else { evaluate(after) }
            });
            Either::Right(reached.into_iter())
        };
        for after in reached {
            if best >= beta {
                return Some(best);
            }
            match self.stored_of(&after) {
                Stored::Exact(wdl) => {
                    best = best.max(if after.plays_on(side) { wdl } else { wdl.before_move() });
                }
                stored => later.push((after, stored)),
            }
        }
        for (after, stored) in later {
            if best >= beta {
                break;
            }
            let bounds = [alpha.max(best), beta];
            let value = if after.plays_on(side) {
                self.search(&after, stored, bounds)?
            } else {
                let [alpha, beta] = bounds.map(Wdl::before_move);
                self.search(&after, stored, [beta, alpha])?.before_move()
            };
            best = best.max(value);
        }
        Some(best)
    }

    /// Returns what is known of a position without looking at its moves.
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

    /// Whether a decided position without a removal owed ends before `turns` turns have been played, or `None` if
    /// distances are unknown. Reads the distance only if the sector has distances that long.
    pub fn ends_before<R: Rules>(&self, position: &Position<R>, turns: u16) -> Option<bool> {
        let sector = self.game().sector_of(position)?;
        let is_before = |end: u8| u16::from(end) < turns;
        let longest = self.file(sector).and_then(|file| file.statistics().longest());
        if longest.is_some_and(is_before) {
            return Some(true);
        }
        self.read(sector, men(position), true)?.turns().map(is_before)
    }

    /// Returns the value of a position for the side to move, a [`Wdl`] or a [`Value`] with the distance, or `None` if a
    /// needed sector or distance is missing. A removal that is owed belongs to the turn that earned it.
    ///
    /// The position must be one of the game; draws by history do not count.
    pub fn probe<V: Probe, R: Rules>(&self, position: &Position<R>) -> Option<V> {
        value(position, &|position| self.stored(position, V::HAS_DISTANCE)).map(V::from)
    }

    /// Returns the value of a legal move for the side that plays it.
    pub fn probe_move<V: Probe, R: Rules>(&self, position: &Position<R>, mv: Move) -> Option<V> {
        let stored = |position: &Position<R>| self.stored(position, V::HAS_DISTANCE);
        value_for(position.to_move(), &position.after(mv), &stored).map(V::from)
    }

    /// Returns where a drawn position comes to rest, for the side to move, or `None` if it is not drawn, or that is
    /// unknown. A removal that is owed belongs to the turn that earned it.
    ///
    /// The position must be one of the game.
    pub fn probe_draw<R: Rules>(&self, position: &Position<R>) -> Option<DrawValue> {
        if !self.has_draws() || position.ending().is_some() {
            return None;
        }
        if position.pending() == 0 {
            let sector = self.game().sector_of(position)?;
            return self.draw_value(sector, position.own_men(), position.opponent_men());
        }
        if self.probe::<Wdl, R>(position)? != Wdl::Draw {
            return None;
        }
        // In the placing phase no turns are stored to choose by.
        let (order, sector) = (self.draw_order(), self.game().sector_of(position));
        let preference = |&value: &DrawValue| {
            sector.map_or((order.rank_of(value), 0), |sector| order.preference(sector, value))
        };
        let moves = position.moves().into_iter();
        moves.filter_map(|mv| self.probe_draw_move(position, mv)).max_by_key(preference)
    }

    /// Returns where a legal move that draws comes to rest, for the side that plays it; see
    /// [`probe_draw`](Self::probe_draw).
    pub fn probe_draw_move<R: Rules>(&self, position: &Position<R>, mv: Move) -> Option<DrawValue> {
        let after = position.after(mv);
        let value = self.probe_draw(&after)?;
        let is_same_turn = after.plays_on(position.to_move());
        Some(if is_same_turn { value } else { value.before_move() })
    }

    /// Returns the stored value of a position in which no removal is owed, with or without its distance.
    fn stored<R: Rules>(&self, position: &Position<R>, has_distance: bool) -> Option<Value> {
        self.read(self.game().sector_of(position)?, men(position), has_distance)
    }

    /// Returns the files that the values of a position and of its moves come from, with or without distances, each
    /// once.
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

    /// Returns the value of a position with its distance; see [`probe`](Self::probe).
    pub fn probe_value<R: Rules>(&self, position: &Position<R>) -> Option<Value> {
        self.probe(position)
    }

    /// Computes the value of a won position if the file of its sector leaves out distances of wins.
    #[cold]
    fn win_by_moves(&self, sector: Sector, [own, opponent]: Men) -> Option<Value> {
        let leaves_out = self.file(sector).is_some_and(SectorFile::leaves_out_wins);
        if !leaves_out || self.wdl(sector, own, opponent)? != Wdl::Win {
            return None;
        }
        let best = from_start!(self.game(), |start| {
            self.shortest_win(&sector.set_up(start, own, opponent))
        });
        best.filter(|value| value.is_win())
    }

    /// Returns the best value that a move leads to, with its distance if it is a win; `None` if a value is unknown.
    pub(super) fn shortest_win<R: Rules>(&self, position: &Position<R>) -> Option<Value> {
        let side = position.to_move();
        best_move(position, &|after| {
            let value = self.stored(after, false)?;
            // The distance matters only if this side wins.
            let matters = value.is_loss() || value.is_win() && after.to_move() == side;
            if matters { self.stored(after, true) } else { Some(value) }
        })
    }

    /// Loads all values of a sector, with their distances if its file has any.
    ///
    /// # Errors
    ///
    /// When the file, or that of a sector that its moves lead to, is missing or damaged, or lacks distances.
    pub fn load(&self, file: &SectorFile) -> Result<Solved, FileError> {
        self.load_unless(file, &[], || Ok(()))
    }

    /// Like [`load`](Self::load), but fails with the error of `check`, which is called now and then.
    ///
    /// * `loaded`: sectors in memory, which are not read again.
    pub(super) fn load_unless<E: From<FileError> + Send>(
        &self,
        file: &SectorFile,
        loaded: &[Solved],
        check: impl Fn() -> Result<(), E> + Sync,
    ) -> Result<Solved, E> {
        let solved = file.load_unless(&check)?;
        if !file.leaves_out_wins() {
            return Ok(solved);
        }
        let mut read = Vec::new();
        for sector in self.game().leads_to(file.sector()) {
            let path = file.path().with_file_name(file_name(sector));
            let missing = || FileError::new(&path, io::Error::from(io::ErrorKind::NotFound));
            let next = self.file(sector).ok_or_else(missing)?;
            if !next.has_distances() {
                return Err(FileError::new(&path, Flaw::NoDistances).into());
            }
            if loaded.iter().all(|solved| solved.sector != sector) {
                read.push(next.load_unless(&check)?);
            }
        }
        let next: Vec<&Solved> = loaded.iter().chain(&read).collect();
        from_start!(self.game(), |start| self.with_wins(start, solved, &next, file, check))
    }

    /// Returns a sector with the distances of its wins, given the sectors that its moves lead to; if they do not
    /// suffice, its file is to blame. A win that no move confirms gets no distance.
    fn with_wins<R: Rules, E: From<FileError> + Send>(
        &self,
        start: &Position<R>,
        solved: Solved,
        next: &[&Solved],
        file: &SectorFile,
        check: impl Fn() -> Result<(), E> + Sync,
    ) -> Result<Solved, E> {
        let sector = solved.sector;
        let side = sector.to_move();
        let stored = |after: &Position<R>| {
            let reached = self.game().sector_of(after)?;
            let solved = next.iter().find(|solved| solved.sector == reached)?;
            let index = reached.index_of(after.own_men(), after.opponent_men());
            match solved.values()[index] {
                value if value.is_win() && after.to_move() == side => self.probe(after),
                value => Some(value),
            }
        };
        let mut values = solved.into_values();
        values.par_chunks_mut(AT_A_TIME).enumerate().try_for_each(|(part, values)| {
            check()?;
            let positions = sector.positions_from(part * AT_A_TIME).zip(values);
            for ([own, opponent], value) in positions.filter(|(_, value)| value.is_win()) {
                let best = best_move(&sector.set_up(start, own, opponent), &stored);
                let best = best.ok_or_else(|| FileError::new(file.path(), Flaw::NoDistances))?;
                *value = if best.is_win() { best } else { *value };
            }
            Ok::<(), E>(())
        })?;
        Ok(Solved::from_values(sector, values))
    }
}

/// Returns the value of a position for the side to move, or `None` if a stored value is unknown.
///
/// * `stored`: the value of a position that has not ended and in which no removal is owed.
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

/// Returns the value of the best move of a position that has moves, with the arguments of [`value`].
pub(super) fn best_move<R: Rules>(
    position: &Position<R>,
    stored: &impl Fn(&Position<R>) -> Option<Value>,
) -> Option<Value> {
    let (moves, side) = (position.moves(), position.to_move());
    let mut values = moves.iter().map(|&mv| value_for(side, &position.after(mv), stored));
    values.try_fold(Value::LOST, |best, value| Some(best.max(value?)))
}

/// Returns the value, for the side that has just moved, of the position after its move. A pass counts as a
/// turn.
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

/// Returns the men on the board of the side to move and of the opponent.
fn men<R: Rules>(position: &Position<R>) -> Men {
    [position.own_men(), position.opponent_men()]
}

/// The number of positions that one thread handles at a time.
const AT_A_TIME: usize = 1 << 12;
