//! The endgame databases of the engine at the board.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use millstone::knowledge::endgame::{self, Build, BuildError, Tables, Unwatched};
use millstone::rules::RuleSet;

/// The user's databases, and small ones that solve themselves beside the first search.
pub struct Databases {
    /// Opened by the first search.
    tables: Option<Arc<Tables>>,
    folder: Option<PathBuf>,
    solver: Option<JoinHandle<Result<(), BuildError>>>,
}

impl Databases {
    /// Those of a folder; of the usual one if none is given.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { tables: None, folder: folder.or_else(endgame::default_folder), solver: None }
    }

    /// What a search may use; it never waits for anything to be solved.
    pub fn for_search(&mut self) -> Arc<Tables> {
        if self.solver.as_ref().is_some_and(JoinHandle::is_finished) {
            self.end_solver();
        }
        if let Some(tables) = &self.tables {
            return Arc::clone(tables);
        }
        let identity = RuleSet::NINE_MENS_MORRIS.identity();
        let own = self.folder.as_ref().map(|folder| Tables::open(folder, identity));
        let own = own.unwrap_or_default();
        own.take_errors().iter().for_each(|error| eprintln!("millstone: {error}"));
        let tables = Arc::new(own.with(&Tables::open_small()));
        if !tables.has_small() {
            self.solver = Build::small().and_then(start);
        }
        self.tables = Some(Arc::clone(&tables));
        tables
    }

    /// Lets the small databases in, or says in the log why there are none.
    fn end_solver(&mut self) {
        match self.solver.take().map(JoinHandle::join) {
            Some(Ok(Ok(()))) => {
                let with_small =
                    |tables: &Arc<Tables>| Arc::new(tables.with(&Tables::open_small()));
                self.tables = self.tables.as_ref().map(with_small);
            }
            Some(Ok(Err(error))) => log::warn!("the small databases: {error}"),
            Some(Err(_)) | None => log::error!("the small databases: the solver ended badly"),
        }
    }
}

/// Solves what is missing on one thread, beside the search.
fn start(build: Build) -> Option<JoinHandle<Result<(), BuildError>>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    thread::Builder::new().spawn(move || pool.install(|| build.run(&Unwatched))).ok()
}
