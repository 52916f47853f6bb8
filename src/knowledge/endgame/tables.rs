//! The databases at hand.

use std::path::{Path, PathBuf};

use super::file::{FileError, SectorFile};
use super::sector::Sector;
use super::value::Value;
use super::wdl::Wdl;
use crate::board::SquareSet;
use crate::rules::Identity;

/// The files of sectors, as far as they are there and good.
pub struct Tables {
    files: Box<[Option<SectorFile>; Sector::COUNT]>,
    errors: Vec<FileError>,
}

impl Default for Tables {
    /// No databases at all.
    fn default() -> Self {
        Self { files: Box::new([const { None }; Sector::COUNT]), errors: Vec::new() }
    }
}

/// Where databases are if nobody says otherwise: in the user's folder for data.
#[must_use]
pub fn default_folder() -> Option<PathBuf> {
    dirs::data_local_dir().map(|data| data.join("millstone").join("endgame"))
}

/// The file of a sector in a folder.
#[must_use]
pub fn path(folder: &Path, sector: Sector) -> PathBuf {
    folder.join(format!("{sector}.mill"))
}

impl Tables {
    /// Opens the databases of a game in a folder; sectors that are not there are left out, and so
    /// are those whose file cannot be used.
    #[must_use]
    pub fn open(folder: &Path, identity: Identity) -> Self {
        let mut tables = Self::default();
        for sector in Sector::all() {
            match SectorFile::open(&path(folder, sector), sector, identity) {
                Ok(file) => tables.files[sector.index()] = Some(file),
                Err(error) if error.is_missing() => {}
                Err(error) => tables.errors.push(error),
            }
        }
        tables
    }

    /// Adds what another set has and this one lacks.
    pub fn add(&mut self, others: Self) {
        for (file, other) in self.files.iter_mut().zip(*others.files) {
            if file.is_none() {
                *file = other;
            }
        }
        self.errors.extend(others.errors);
    }

    /// The files that cannot be used, those in which reading has found damage included.
    pub fn errors(&self) -> impl Iterator<Item = String> {
        let damages = self.files().filter_map(SectorFile::damage);
        self.errors.iter().map(ToString::to_string).chain(damages.map(|error| error.to_string()))
    }

    /// The file of a sector, if it is there.
    #[inline]
    #[must_use]
    pub fn file(&self, sector: Sector) -> Option<&SectorFile> {
        self.files[sector.index()].as_ref()
    }

    /// All files that are there.
    pub fn files(&self) -> impl Iterator<Item = &SectorFile> {
        self.files.iter().flatten()
    }

    /// Whether a position with all men placed is won, drawn or lost for the side with `own` men,
    /// which is to move; none if that is not known.
    #[inline]
    #[must_use]
    pub fn wdl(&self, own: SquareSet, opponent: SquareSet) -> Option<Wdl> {
        let (file, number) = self.find(own, opponent)?;
        file.wdl(number)
    }

    /// The value of a position with all men placed for the side with `own` men, which is to move;
    /// none if the distance is not known.
    #[must_use]
    pub fn value(&self, own: SquareSet, opponent: SquareSet) -> Option<Value> {
        let (file, number) = self.find(own, opponent)?;
        file.value(number)
    }

    #[inline]
    fn find(&self, own: SquareSet, opponent: SquareSet) -> Option<(&SectorFile, usize)> {
        let sector = Sector::new(own.len() as usize, opponent.len() as usize)?;
        let file = self.file(sector)?;
        Some((file, sector.number(sector.place(own, opponent))))
    }
}
