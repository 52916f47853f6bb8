//! A compact tablebase: what a probe finds out by looking at moves is not stored.
//!
//! In the placing phase a file says what the quiet moves of a position are worth at least; what its conversions
//! reach, a probe looks up. A sector whose quiet moves all lead to stored ones has no file: of the moving phase
//! the one of each pair in which the side to move has fewer men, and every second ply of placing.
//!
//! See: Ronald de Man, the tablebases of Syzygy, 2013, which leave positions with winning captures free.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::build::{explain, make_folder};
use super::build_error::BuildError;
use super::file::{self, FileError, SectorFile};
use super::folder::sector_path;
use super::observer::SolveObserver;
use super::sector::Sector;
use super::solvable::Solvable;
use super::solve::{Known, conversions};
use crate::system::whole_file;

/// The name of the file that lists those of a compact tablebase.
const INDEX: &str = "index.txt";

/// The sector that the quiet moves of another one lead to, if a compact tablebase of the game has no file of that
/// one.
#[must_use]
pub fn answers(game: &Solvable, sector: Sector) -> Option<Sector> {
    if game.rules().may_move_in_placing {
        None
    } else if sector.is_placing() {
        let is_left_out = sector.men_in_hand() % 2 == 1;
        is_left_out.then(|| game.after_placement(sector, 0)).flatten()
    } else {
        (sector.own() < sector.opponent()).then(|| sector.reply())
    }
}

/// Makes a compact tablebase of a whole one.
pub struct Compact<'a> {
    /// The game.
    pub game: Solvable,
    /// The folder with a file of every sector.
    pub from: &'a Path,
    /// The folder of the compact tablebase. Sectors that it has are not written again.
    pub to: &'a Path,
}

impl Compact<'_> {
    /// The sectors that have a file in it.
    pub fn sectors(&self) -> impl Iterator<Item = Sector> {
        let game = self.game;
        game.sectors().into_iter().filter(move |&sector| answers(&game, sector).is_none())
    }

    /// Writes what is missing, and the list of all files.
    ///
    /// # Errors
    ///
    /// When both folders are the same, a sector is missing or damaged, the system refuses, or the observer stops it.
    pub fn run(
        &self,
        observer: &dyn SolveObserver,
        written: &dyn Fn(&SectorFile),
    ) -> Result<(), BuildError> {
        let failed = |error| BuildError::io(self.to, error);
        make_folder(self.to).map_err(failed)?;
        if fs::canonicalize(self.to).map_err(failed)?
            == fs::canonicalize(self.from).map_err(|error| BuildError::io(self.from, error))?
        {
            return Err(BuildError::Same { folder: self.to.to_owned() });
        }
        for sector in self.sectors() {
            if observer.should_stop() {
                return Err(BuildError::Stopped);
            }
            match self.open(self.to, sector) {
                Err(error) if !error.is_missing() => return Err(error.into()),
                Err(_) => {
                    self.write(sector, observer)?;
                    written(&self.open(self.to, sector)?);
                }
                Ok(_) => observer.advance(sector.len() as u64),
            }
        }
        self.write_index()
    }

    /// Whether all files are there, and the list of them, which comes last.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.to.join(INDEX).exists()
            && self.sectors().all(|sector| sector_path(self.to, sector).exists())
    }

    fn open(&self, folder: &Path, sector: Sector) -> Result<SectorFile, FileError> {
        SectorFile::open(&sector_path(folder, sector), sector, self.game.rules().identity())
    }

    fn write(&self, sector: Sector, observer: &dyn SolveObserver) -> Result<(), BuildError> {
        let open = |sector| self.open(self.from, sector);
        let known = Known::new(self.game, &open);
        let solved = self.open(self.from, sector)?.load()?;
        let (path, identity) = (sector_path(self.to, sector), self.game.rules().identity());
        let conversions = conversions(&self.game, sector, &known, observer);
        let conversions =
            conversions.map_err(|error| explain(error, &self.game, self.from, open))?;
        let written = match conversions {
            Some(conversions) => file::write_quiet(&path, &solved, &conversions, identity),
            None => file::write(&path, &solved, identity, false).map(drop),
        };
        written.map_err(|error| BuildError::io(&path, error))
    }

    /// Lists the files with their bytes and the CRC-32 of each.
    fn write_index(&self) -> Result<(), BuildError> {
        let mut lines = Vec::new();
        for sector in self.sectors() {
            let path = sector_path(self.to, sector);
            let bytes = fs::read(&path).map_err(|error| BuildError::io(&path, error))?;
            let checksum = crc32fast::hash(&bytes);
            lines.push(format!("{sector}.mill {} {checksum:08x}\n", bytes.len()));
        }
        let path = self.to.join(INDEX);
        let index = lines.concat();
        let written = whole_file::write(&path, |mut file| file.write_all(index.as_bytes()));
        written.map_err(|error| BuildError::io(&path, error))
    }
}
