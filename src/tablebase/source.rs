//! Where the values of a position come from: a file of our own, or one of Malom that fills in.

use std::path::Path;

use super::compact::answers;
use super::disk::DiskAccess;
use super::draw_value::DrawValue;
use super::file::SectorFile;
use super::folder::Tablebase;
use super::malom::MalomFile;
use super::sector::{Men, Sector};
use super::value::{Value, Wdl};
use crate::board::{SquareSet, lines};

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// Its value.
    Exact(Wdl),
    /// A lower bound: its value is that, or what a conversion reaches.
    AtLeast(Wdl),
    /// Nothing, since the value follows from all of its moves.
    LeftOut,
    /// Nothing.
    Unknown,
}

impl Tablebase {
    /// The file of our own for a sector, if it is not damaged and has what is wanted.
    fn usable(&self, sector: Sector, has: impl Fn(&SectorFile) -> bool) -> Option<&SectorFile> {
        self.file(sector).filter(|file| has(file) && file.is_usable())
    }

    /// The file that tells of a sector: ours if it has what is wanted, else that of Malom, which has all.
    pub(super) fn source_of(
        &self,
        sector: Sector,
        has: impl Fn(&SectorFile) -> bool,
    ) -> Option<&Path> {
        let malom = || self.malom.get(sector).filter(|file| file.is_usable()).map(MalomFile::path);
        self.usable(sector, has).map(SectorFile::path).or_else(malom)
    }

    /// The file that tells where draws of a sector come to rest.
    pub(super) fn draw_source(&self, sector: Sector) -> Option<&Path> {
        let own = self.usable(sector, SectorFile::has_draws);
        let is_known = own.is_some() || self.fits_malom;
        self.source_of(sector, SectorFile::has_draws).filter(|_| is_known)
    }

    /// The file that the values of a sector come from, with or without distances, or `None` if they are not known.
    /// Where a compact tablebase leaves the sector out, it is the one that quiet moves lead to.
    pub fn source(&self, sector: Sector, has_distances: bool) -> Option<&Path> {
        self.source_of(sector, |file| file.has_distances() || !has_distances).or_else(|| {
            let answers = answers(&self.game, sector).filter(|_| !has_distances)?;
            self.source(answers, false)
        })
    }

    /// Whether a position of a sector is won, drawn or lost for the side with `own` men, which is to move;
    /// none if that is not known. Where it is not stored, moves are looked at.
    #[inline]
    pub fn wdl(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Wdl> {
        let men = [own, opponent];
        match self.stored_wdl(sector, men) {
            Stored::Exact(wdl) => Some(wdl),
            Stored::Unknown => None,
            stored => self.wdl_by_moves(sector, men, stored),
        }
    }

    /// What is stored of a position, or a file of Malom says.
    #[inline]
    pub(super) fn stored_wdl(&self, sector: Sector, men: Men) -> Stored {
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

    /// The value of a position of a sector for the side with `own` men, which is to move, or `None` if the
    /// distance is not known. Where that of a win is not stored, moves are looked at.
    pub fn value(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        let men = [own, opponent];
        let by_moves = || self.win_by_moves(sector, men);
        let by_malom = || self.malom.get(sector)?.value(men, self.access());
        let file = self.usable(sector, SectorFile::has_distances);
        let by_file = |file: &SectorFile| {
            file.value_if(sector.index_of(own, opponent), self.access()).or_else(by_moves)
        };
        file.and_then(by_file).or_else(by_malom)
    }

    /// The value of a position of a sector for the side to move, with or without its distance.
    pub(super) fn read(
        &self,
        sector: Sector,
        [own, opponent]: Men,
        has_distance: bool,
    ) -> Option<Value> {
        if has_distance {
            self.value(sector, own, opponent)
        } else {
            self.wdl(sector, own, opponent).map(Value::without_distance)
        }
    }

    /// Whether it is known of any draws where they come to rest.
    pub fn has_draws(&self) -> bool {
        self.files().any(SectorFile::has_draws) || !self.malom.is_empty()
    }

    /// Where a drawn position of a sector comes to rest for the side with `own` men, which is to move, or `None` if
    /// it is not drawn, or that is not known.
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

    #[inline]
    fn access(&self) -> DiskAccess<'_> {
        self.pending.as_deref()
    }
}
