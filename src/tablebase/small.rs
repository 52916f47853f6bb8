//! Small databases, which programs solve for themselves when they first want them.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::build::{Build, BuildError};
use super::file::SectorFile;
use super::folders::cache_folder;
use super::sector::Sector;
use super::tables::Tablebase;
use super::watcher::Unwatched;
use crate::rules::RuleSet;

/// The most men of both sides together in small databases.
pub const SMALL_MEN: usize = 7;

impl Build {
    /// Solves what is missing of the small databases, in the user's cache; none if the system names
    /// no folder for that.
    #[must_use]
    pub fn small() -> Option<Self> {
        let folder = cache_folder()?;
        Some(Self { folder, most_men: SMALL_MEN, has_distances: true, most_memory: None })
    }
}

impl Tablebase {
    /// Opens the small databases of the user's cache; what is damaged is left out, so that it will be
    /// solved again.
    #[must_use]
    pub fn open_small() -> Self {
        let identity = RuleSet::NINE_MENS_MORRIS.identity();
        let folder = cache_folder();
        folder.map(|folder| Self::open(&folder, identity).checked()).unwrap_or_default()
    }

    /// Whether all small databases are there.
    #[must_use]
    pub fn has_small(&self) -> bool {
        let is_there = |sector| self.file(sector).is_some_and(SectorFile::is_usable);
        Sector::all().filter(|sector| sector.men() <= SMALL_MEN).all(is_there)
    }
}

/// Solves the small databases beside whatever else the program does.
#[derive(Debug, Default)]
pub struct SmallSolver {
    thread: Option<JoinHandle<Result<(), BuildError>>>,
    /// Whether solving has begun, or is of no use.
    is_tried: bool,
}

impl SmallSolver {
    /// Begins to solve what is missing in databases, unless that has been tried.
    pub fn begin(&mut self, tablebase: &Tablebase) {
        if !tablebase.has_small() && !self.is_tried {
            self.is_tried = true;
            self.thread = Build::small().and_then(start);
        }
    }

    /// Lets the small databases in once they are solved, or says in the log why there are none.
    ///
    /// While another program solves them it will be tried again.
    pub fn finish(&mut self, tablebase: &mut Arc<Tablebase>) {
        let Some(thread) = self.thread.take_if(|thread| thread.is_finished()) else { return };
        match join(thread) {
            Ok(()) => *tablebase = Arc::new(tablebase.with(&Tablebase::open_small())),
            Err(BuildError::Busy { .. }) => self.is_tried = false,
            Err(error) => log::warn!("the small databases: {error}"),
        }
    }
}

fn join(thread: JoinHandle<Result<(), BuildError>>) -> Result<(), BuildError> {
    thread.join().expect("solving does not panic")
}

/// Solves on one thread.
fn start(build: Build) -> Option<JoinHandle<Result<(), BuildError>>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    thread::Builder::new().spawn(move || pool.install(|| build.run(&Unwatched))).ok()
}
