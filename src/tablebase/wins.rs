//! Distances of wins that are not stored: they follow from those of losses.
//!
//! A won position is won in one turn more than the soonest loss that a move leaves the opponent in.

use std::io;

use rayon::prelude::*;

use super::file::{FileError, Flaw, SectorFile};
use super::folder::{Tablebase, file_name};
use super::probe::best_move;
use super::sector::{Men, Sector, Solvable, from_start};
use super::value::{Solved, Value, Wdl};
use crate::position::Position;
use crate::rules::Rules;

/// Whether the distances of wins of a sector are left out. Where turns may pass, positions may lead to one another in
/// a circle. A side that flies has few positions and so many moves that a look at all of them takes long.
pub(super) fn are_left_out(game: &Solvable, sector: Sector) -> bool {
    game.ends_if_blocked() && !game.flies(sector.own(), sector.hands()[0])
}

/// How many positions are looked at by one thread at a time.
const AT_A_TIME: usize = 1 << 12;

impl Tablebase {
    /// The value of a position of a sector whose file leaves out distances of wins, if it is won.
    #[cold]
    pub(super) fn win_by_moves(&self, sector: Sector, [own, opponent]: Men) -> Option<Value> {
        let leaves_out = self.file(sector).is_some_and(SectorFile::leaves_out_wins);
        if !leaves_out || self.wdl(sector, own, opponent)? != Wdl::Win {
            return None;
        }
        from_start!(self.game(), |start| {
            self.shortest_win(&sector.set_up(start, own, opponent))
        })
    }

    fn shortest_win<R: Rules>(&self, position: &Position<R>) -> Option<Value> {
        let side = position.to_move();
        let best = best_move(position, &|after| {
            let value = self.stored(after, false)?;
            // Of what is no win for this side the distance does not matter.
            let matters = value.is_loss() || value.is_win() && after.to_move() == side;
            if matters { self.stored(after, true) } else { Some(value) }
        });
        best.filter(|value| value.is_win())
    }

    /// All values of a sector, with their distances if its file has any. `loaded` are sectors in memory, which are
    /// not read again.
    ///
    /// # Errors
    ///
    /// When the file, or one of a sector that its moves lead to, is missing or damaged, or lacks distances.
    pub fn load(&self, file: &SectorFile, loaded: &[Solved]) -> Result<Solved, FileError> {
        let solved = file.load()?;
        if !file.leaves_out_wins() {
            return Ok(solved);
        }
        let mut read = Vec::new();
        for sector in self.game().leads_to(file.sector()) {
            let path = file.path().with_file_name(file_name(sector));
            let missing = || FileError::new(&path, io::Error::from(io::ErrorKind::NotFound));
            let next = self.file(sector).ok_or_else(missing)?;
            if !next.has_distances() {
                return Err(FileError::new(&path, Flaw::NoDistances));
            }
            if loaded.iter().all(|solved| solved.sector != sector) {
                read.push(next.load()?);
            }
        }
        let next: Vec<&Solved> = loaded.iter().chain(&read).collect();
        let values = from_start!(self.game(), |start| self.with_wins(start, solved, &next));
        values.ok_or_else(|| FileError::new(file.path(), Flaw::NoDistances))
    }

    /// A sector with the distances of its wins, given the sectors that its moves lead to. A win for which no move
    /// speaks is left without one.
    fn with_wins<R: Rules>(
        &self,
        start: &Position<R>,
        solved: Solved,
        next: &[&Solved],
    ) -> Option<Solved> {
        let sector = solved.sector;
        let side = sector.to_move();
        let stored = |after: &Position<R>| {
            let mover = after.to_move();
            let reached = self.game().sector_of(after)?;
            let solved = next.iter().find(|solved| solved.sector == reached)?;
            let index = reached.index_of(after.men(mover), after.men(!mover));
            match solved.values()[index] {
                value if value.is_win() && mover == side => self.probe(after),
                value => Some(value),
            }
        };
        let mut values = solved.into_values();
        let parts = values.par_chunks_mut(AT_A_TIME).enumerate();
        parts.try_for_each(|(part, values)| {
            let positions = sector.positions_from(part * AT_A_TIME);
            for ((own, opponent), value) in positions.zip(values) {
                if value.is_win() {
                    let best = best_move(&sector.set_up(start, own, opponent), &stored)?;
                    *value = if best.is_win() { best } else { *value };
                }
            }
            Some(())
        })?;
        Some(Solved::from_values(sector, values))
    }
}
