//! A compact tablebase: what a probe finds out by looking at moves is not stored.
//!
//! In the placing phase a file says what the quiet moves of a position are worth at least; what its conversions
//! reach, a probe looks up. A sector whose quiet moves all lead to stored ones has no file: of the moving phase
//! the one of each pair in which the side to move has fewer men, and every second ply of placing.
//!
//! See: Ronald de Man, the tablebases of Syzygy, 2013, which leave positions with winning captures free.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file::{self, FileError, SectorFile};
use super::folder::sector_path;
use super::observer::{SolveObserver, Stopped, check};
use super::sector::Sector;
use super::solvable::Solvable;
use super::solve::{Known, SolveError, conversions};
use crate::system::whole_file;

/// The name of the file that lists those of a compact tablebase.
const INDEX: &str = "index.txt";

/// Whether a compact tablebase of a game has no file of a sector, since the quiet moves of its positions lead to
/// sectors that have one.
#[must_use]
pub fn is_left_out(game: &Solvable, sector: Sector) -> bool {
    if game.rules().may_move_in_placing {
        return false;
    }
    if sector.is_placing() {
        sector.men_in_hand() % 2 == 1
    } else {
        sector.own() < sector.opponent()
    }
}

/// Why there is no compact tablebase.
#[derive(Debug, Error)]
pub enum CompactError {
    /// A sector is missing or cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system refused to read or write.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The observer stopped it.
    #[error("stopped")]
    Stopped,
}

impl From<Stopped> for CompactError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
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
        game.sectors().into_iter().filter(move |&sector| !is_left_out(&game, sector))
    }

    /// Writes what is missing, and the list of all files.
    ///
    /// # Errors
    ///
    /// When a sector is missing or damaged, the system refuses, or the observer stops it.
    pub fn run(
        &self,
        observer: &dyn SolveObserver,
        written: &dyn Fn(&SectorFile),
    ) -> Result<(), CompactError> {
        fs::create_dir_all(self.to).map_err(|error| io_error(self.to, error))?;
        for sector in self.sectors() {
            check(observer)?;
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

    fn write(&self, sector: Sector, observer: &dyn SolveObserver) -> Result<(), CompactError> {
        let open = |sector| self.open(self.from, sector);
        let known = Known::new(self.game, &open);
        let solved = self.open(self.from, sector)?.load()?;
        let (path, identity) = (sector_path(self.to, sector), self.game.rules().identity());
        let conversions = conversions(&self.game, sector, &known, observer);
        let conversions = conversions.map_err(|error| self.explain(error))?;
        let written = match conversions {
            Some(conversions) => file::write_quiet(&path, &solved, &conversions, identity),
            None => file::write(&path, &solved, identity, false).map(drop),
        };
        written.map_err(|error| io_error(&path, error))
    }

    /// Why the conversions of a sector are not known.
    fn explain(&self, error: SolveError) -> CompactError {
        match error {
            SolveError::Stopped(_) => CompactError::Stopped,
            SolveError::File(error) => error.into(),
            SolveError::Unusable(sector) | SolveError::TooLong(sector) => {
                match self.open(self.from, sector) {
                    Err(error) => error.into(),
                    Ok(_) => io_error(self.from, io::ErrorKind::NotFound.into()),
                }
            }
            SolveError::Scratch(error) => io_error(self.from, error),
        }
    }

    /// Lists the files with their bytes and the CRC-32 of each.
    fn write_index(&self) -> Result<(), CompactError> {
        let mut lines = Vec::new();
        for sector in self.sectors() {
            let path = sector_path(self.to, sector);
            let bytes = fs::read(&path).map_err(|error| io_error(&path, error))?;
            let checksum = crc32fast::hash(&bytes);
            lines.push(format!("{sector}.mill {} {checksum:08x}\n", bytes.len()));
        }
        let path = self.to.join(INDEX);
        let index = lines.concat();
        let written = whole_file::write(&path, |mut file| file.write_all(index.as_bytes()));
        written.map_err(|error| io_error(&path, error))
    }
}

fn io_error(path: &Path, error: io::Error) -> CompactError {
    CompactError::Io { path: path.to_owned(), error }
}
