//! The databases at hand.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use super::classes::Classes;
use super::file::{FileError, SectorFile};
use super::folders::path;
use super::sector::Sector;
use super::value::Value;
use super::wdl::Wdl;
use crate::board::SquareSet;
use crate::rules::Identity;

/// The files of sectors, as far as they are there and good.
pub struct Tablebase {
    files: Box<[Option<Arc<SectorFile>>; Sector::COUNT]>,
    errors: Mutex<Vec<FileError>>,
}

impl Default for Tablebase {
    /// No databases at all.
    fn default() -> Self {
        Self { files: Box::new([const { None }; Sector::COUNT]), errors: Mutex::default() }
    }
}

impl Tablebase {
    /// Opens the databases of a game in a folder; sectors that are not there are left out, and so
    /// are those whose file cannot be used.
    #[must_use]
    pub fn open(folder: &Path, identity: Identity) -> Self {
        let mut tables = Self::default();
        let mut errors = Vec::new();
        for sector in Sector::all() {
            match SectorFile::open(&path(folder, sector), sector, identity) {
                Ok(file) => {
                    Classes::prepare(sector.opponent());
                    tables.files[sector.index()] = Some(Arc::new(file));
                }
                Err(error) if error.is_missing() => {}
                Err(error) => errors.push(error),
            }
        }
        *tables.errors() = errors;
        tables
    }

    /// The same with what others have and these lack: a file, one without damage, or distances.
    #[must_use]
    pub fn with(&self, others: &Self) -> Self {
        let mut files = self.files.clone();
        for (file, other) in files.iter_mut().zip(&*others.files) {
            let rank = |file: &Option<Arc<SectorFile>>| {
                file.as_ref().map(|file| (file.is_usable(), file.has_distances()))
            };
            if rank(other) > rank(file) {
                file.clone_from(other);
            }
        }
        let errors = self.take_errors().into_iter().chain(others.take_errors());
        Self { files, errors: Mutex::new(errors.collect()) }
    }

    /// The same without the files that are damaged anywhere, each of which is read whole.
    #[must_use]
    pub fn checked(mut self) -> Self {
        let damaged = |file: &Arc<SectorFile>| file.check().is_err();
        let files = self.files.iter_mut().filter(|file| file.as_ref().is_some_and(damaged));
        let errors: Vec<_> = files.filter_map(|file| file.take()?.take_damage()).collect();
        self.errors().extend(errors);
        self
    }

    /// The files that were found unusable since this was last asked.
    pub fn take_errors(&self) -> Vec<FileError> {
        let mut errors = std::mem::take(&mut *self.errors());
        errors.extend(self.files().filter_map(SectorFile::take_damage));
        errors
    }

    fn errors(&self) -> MutexGuard<'_, Vec<FileError>> {
        self.errors.lock().expect("no thread panics while it holds the lock")
    }

    /// Reads and checks values up to a number of bytes, so that they are in memory.
    pub fn warm(&self, bytes: usize) {
        let mut left = bytes;
        for file in self.files() {
            file.warm(left);
            left = left.saturating_sub(file.wdl_bytes());
        }
    }

    /// The file of a sector, if it is there.
    #[inline]
    #[must_use]
    pub fn file(&self, sector: Sector) -> Option<&SectorFile> {
        self.files[sector.index()].as_deref()
    }

    /// All files that are there.
    pub fn files(&self) -> impl Iterator<Item = &SectorFile> {
        self.files.iter().flatten().map(Arc::as_ref)
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
