//! Building the databases of a folder.
//!
//! Sectors are solved in pairs, each after those that its removals come to, which are read back
//! from their files, so that memory holds no more than one pair and what it needs. A sector whose
//! file is there is not solved again: a build that was broken off, in whatever way, goes on where
//! it was, and the files are the same byte for byte.

mod error;
mod plan;

use std::fs;
use std::path::{Path, PathBuf};

pub use error::BuildError;
pub use plan::Plan;

use super::file::{self, FileError, SectorFile};
use super::folders::{free_name, path};
use super::sector::Sector;
use super::solve::solve;
use super::solved::Solved;
use super::watcher::{Unwatched, Watcher};
use crate::file_lock::FileLock;
use crate::rules::RuleSet;

/// What to build, and where.
#[derive(Clone, Debug)]
pub struct Build {
    /// The folder of the files.
    pub folder: PathBuf,
    /// The most men of both sides together, 6 to 18.
    pub most_men: usize,
    /// Whether the distances are kept too.
    pub has_distances: bool,
    /// The most memory to use, in bytes.
    pub most_memory: Option<u64>,
}

/// Follows a build.
pub trait Follower: Watcher {
    /// So much is left to do; told again when a file turns out damaged.
    fn plans(&self, _plan: &Plan) {}

    /// A file that cannot be used has got another name; its sector is solved again.
    fn sets_aside(&self, _error: &FileError, _name: &Path) {}

    /// A pair of sectors is begun.
    fn begins(&self, _pair: &[Sector]) {}

    /// A sector is solved and its file written.
    fn wrote(&self, _file: &SectorFile) {}
}

impl Follower for Unwatched {}

impl Build {
    /// Solves what is missing and writes it.
    ///
    /// # Errors
    ///
    /// When the folder holds databases of another game or is in use, when memory or disk do not
    /// suffice, when the system refuses to read or write, and when the follower says stop. Files
    /// that were finished before stay.
    pub fn run(&self, follower: &dyn Follower) -> Result<(), BuildError> {
        fs::create_dir_all(&self.folder).map_err(|error| self.io(error))?;
        let _lock = self.lock()?;
        loop {
            let plan = self.plan(follower)?;
            follower.plans(&plan);
            self.check(&plan)?;
            match self.carry_out(&plan, follower) {
                Err(BuildError::File(error)) if error.may_be_set_aside() => {
                    self.set_aside(&error, follower)?;
                }
                result => return result,
            }
        }
    }

    /// Keeps others from building in the same folder.
    fn lock(&self) -> Result<FileLock, BuildError> {
        let lock = FileLock::try_acquire(&self.folder.join("build.lock"));
        let lock = lock.map_err(|error| self.io(error))?;
        lock.ok_or_else(|| BuildError::Busy { folder: self.folder.clone() })
    }

    fn carry_out(&self, plan: &Plan, follower: &dyn Follower) -> Result<(), BuildError> {
        for pair in &plan.pairs {
            self.check_disk(plan.disk_of(pair))?;
            follower.begins(pair);
            for solved in self.solve(pair, follower)? {
                if self.find(solved.sector)?.is_none() {
                    follower.wrote(&self.write(&solved)?);
                }
            }
        }
        Ok(())
    }

    fn solve(&self, pair: &[Sector], follower: &dyn Follower) -> Result<Vec<Solved>, BuildError> {
        let mut smaller: Vec<Solved> = Vec::new();
        for sector in pair.iter().filter_map(|sector| sector.after_removal()) {
            if smaller.iter().all(|solved| solved.sector != sector) {
                smaller.push(self.open(sector)?.load()?);
            }
        }
        let find = |sector| {
            let mut known = smaller.iter();
            known.find(|solved| solved.sector == sector).expect("smaller sectors are loaded first")
        };
        solve(pair[0], find, follower).map_err(|_| BuildError::Stopped)
    }

    fn write(&self, solved: &Solved) -> Result<SectorFile, BuildError> {
        let path = path(&self.folder, solved.sector);
        let identity = RuleSet::NINE_MENS_MORRIS.identity();
        file::write(&path, solved, identity, self.has_distances)
            .map_err(|error| BuildError::Io { path, error })?;
        Ok(self.open(solved.sector)?)
    }

    fn open(&self, sector: Sector) -> Result<SectorFile, FileError> {
        let identity = RuleSet::NINE_MENS_MORRIS.identity();
        SectorFile::open(&path(&self.folder, sector), sector, identity)
    }

    /// The file of a sector, if there is one with all that is wanted.
    fn find(&self, sector: Sector) -> Result<Option<SectorFile>, FileError> {
        match self.open(sector) {
            Ok(file) => Ok((file.has_distances() || !self.has_distances).then_some(file)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Gives a file that cannot be used another name.
    fn set_aside(&self, error: &FileError, follower: &dyn Follower) -> Result<(), BuildError> {
        let name = free_name(error.path(), ".damaged");
        fs::rename(error.path(), &name).map_err(|error| self.io(error))?;
        follower.sets_aside(error, &name);
        Ok(())
    }

    fn io(&self, error: std::io::Error) -> BuildError {
        BuildError::Io { path: self.folder.clone(), error }
    }
}
