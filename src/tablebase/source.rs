//! Where the values of a position come from: a file of our own, or one of Malom that fills in.

use std::path::Path;

use super::compact::answers;
use super::disk::DiskAccess;
use super::draw_value::DrawValue;
use super::file::SectorFile;
use super::folder::Tablebase;
use super::sector::{Men, Sector};
use super::value::{Value, Wdl};
use crate::board::{SquareSet, lines};

/// What a source may tell of the positions of its sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Whether they are won, drawn or lost, or a lower bound of that.
    Wdl,
    /// How far away the end is.
    Distances,
    /// Where draws come to rest.
    Draws,
}

/// A file with the values of a sector.
pub trait Source {
    /// Its path, or its name if it lies elsewhere.
    fn path(&self) -> &Path;

    /// Whether no damage has been found, so that it gives values.
    fn is_usable(&self) -> bool;

    /// Whether it gives an answer.
    fn has(&self, answer: Answer) -> bool;

    /// The value of the position with these men, or `None` if the file is damaged, does not have its distance, or has
    /// to be read from the disk and that is not waited for.
    fn value(&self, men: Men, access: DiskAccess<'_>) -> Option<Value>;

    /// Where the position with these men comes to rest, or `None` if it is not drawn, the file says nothing of
    /// that, or as in [`value`](Self::value).
    fn draw_value(&self, men: Men, access: DiskAccess<'_>) -> Option<DrawValue>;
}

impl Source for SectorFile {
    fn path(&self) -> &Path {
        self.path()
    }

    fn is_usable(&self) -> bool {
        self.is_usable()
    }

    fn has(&self, answer: Answer) -> bool {
        match answer {
            Answer::Wdl => true,
            Answer::Distances => self.has_distances(),
            Answer::Draws => self.has_draws(),
        }
    }

    fn value(&self, [own, opponent]: Men, access: DiskAccess<'_>) -> Option<Value> {
        self.value_if(self.sector().index_of(own, opponent), access)
    }

    fn draw_value(&self, [own, opponent]: Men, access: DiskAccess<'_>) -> Option<DrawValue> {
        self.draw_value_if(self.sector().index_of(own, opponent), access)
    }
}

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
    fn malom(&self, sector: Sector) -> Option<&dyn Source> {
        self.malom.get(sector).map(|file| file as &dyn Source)
    }

    /// The source of an answer for a sector, or `None` if that is not known.
    pub(super) fn source_of(&self, sector: Sector, answer: Answer) -> Option<&dyn Source> {
        let own = self.file(sector).map(|file| file as &dyn Source);
        let malom = self.malom(sector).filter(|_| answer != Answer::Draws || self.fits_malom);
        let mut sources = own.into_iter().chain(malom);
        sources.find(|source| source.has(answer) && source.is_usable())
    }

    /// The file that the values of a sector come from, with or without distances, or `None` if they are not known.
    /// Where a compact tablebase leaves the sector out, it is the one that quiet moves lead to.
    pub fn source(&self, sector: Sector, has_distances: bool) -> Option<&Path> {
        let answer = if has_distances { Answer::Distances } else { Answer::Wdl };
        self.source_of(sector, answer).map(Source::path).or_else(|| {
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
        match self.malom(sector).and_then(|source| source.value(men, self.access())) {
            Some(value) => Stored::Exact(value.into()),
            None if answers(&self.game, sector).is_some() => Stored::LeftOut,
            None => Stored::Unknown,
        }
    }

    /// The value of a position of a sector for the side with `own` men, which is to move, or `None` if the
    /// distance is not known. Where that of a win is not stored, moves are looked at.
    pub fn value(&self, sector: Sector, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        let (source, men) = (self.source_of(sector, Answer::Distances)?, [own, opponent]);
        let by_moves = || self.win_by_moves(sector, men);
        let by_malom = || self.malom(sector)?.value(men, self.access());
        source.value(men, self.access()).or_else(by_moves).or_else(by_malom)
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
        self.source_of(sector, Answer::Draws)?.draw_value([own, opponent], self.access())
    }

    #[inline]
    fn access(&self) -> DiskAccess<'_> {
        self.pending.as_deref().map_or(DiskAccess::Blocking, DiskAccess::NonBlocking)
    }
}
