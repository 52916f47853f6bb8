//! The endgame databases of a session: the user's own, and small ones that solve themselves.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::error::Error;
use super::options::Options;
use super::output::Output;
use crate::knowledge::endgame::{self, Build, BuildError, Tables, Unwatched};
use crate::rules::{Identity, RuleSet};

/// The databases, opened by the first `isready` or search.
#[derive(Default)]
pub(super) struct Databases {
    tables: Option<Arc<Tables>>,
    /// The thread that solves the small ones, if they are not there yet.
    solver: Option<JoinHandle<Result<(), BuildError>>>,
    /// Whether solving them has begun, or is of no use.
    is_tried: bool,
}

impl Databases {
    /// Has the next search open them anew.
    pub(super) fn close(&mut self) {
        self.tables = None;
    }

    /// What a search may use; it never waits for anything to be solved, but what is missing of the
    /// small databases begins to be.
    pub(super) fn for_search(&mut self, options: &Options, output: &Output) -> Option<Arc<Tables>> {
        let tables = self.open(options, output)?;
        if !tables.has_small() && !self.is_tried {
            self.is_tried = true;
            self.solver = Build::small().and_then(start);
        }
        Some(tables)
    }

    /// Opens what is there, if that has not been done.
    pub(super) fn open(&mut self, options: &Options, output: &Output) -> Option<Arc<Tables>> {
        if !options.use_databases || !options.rules.is_standard() {
            return None;
        }
        if self.solver.as_ref().is_some_and(JoinHandle::is_finished) {
            self.end_solver();
        }
        let tables = self.tables.get_or_insert_with(|| open_first(options, output));
        if tables.files().any(|file| !file.is_usable()) {
            report(tables, output);
            *tables = Arc::new(tables.with(&Tables::open_small()));
        }
        report(tables, output);
        Some(Arc::clone(tables))
    }

    /// Lets the small databases in, or says in the log why there are none; while another engine
    /// solves them it is tried again.
    fn end_solver(&mut self) {
        match self.solver.take().map(JoinHandle::join) {
            Some(Ok(Ok(()))) => {
                let with_small =
                    |tables: &Arc<Tables>| Arc::new(tables.with(&Tables::open_small()));
                self.tables = self.tables.as_ref().map(with_small);
            }
            Some(Ok(Err(BuildError::Busy { .. }))) => self.is_tried = false,
            Some(Ok(Err(error))) => log::warn!("the small databases: {error}"),
            Some(Err(_)) | None => log::error!("the small databases: the solver ended badly"),
        }
    }
}

/// Tells of files that were found unusable since the last time.
pub(super) fn report(tables: &Tables, output: &Output) {
    for error in tables.take_errors() {
        output.error(&Error::refused(error));
    }
}

/// Opens all databases and tells if those that the user asks for are not there.
fn open_first(options: &Options, output: &Output) -> Arc<Tables> {
    let path = &options.database_path;
    let folder = if path.is_empty() { endgame::default_folder() } else { Some(path.into()) };
    let own = folder.map(|folder| Tables::open(&folder, identity())).unwrap_or_default();
    report(&own, output);
    if own.files().next().is_none() && !path.is_empty() {
        output.line(format_args!(
            "info string no databases of Millstone in {path}; millstone db build makes them"
        ));
    }
    let tables = Arc::new(own.with(&Tables::open_small()));
    warm(Arc::clone(&tables), options.database_cache);
    tables
}

fn identity() -> Identity {
    RuleSet::NINE_MENS_MORRIS.identity()
}

/// Reads values on a thread of its own, so that they are in memory when a search wants them.
fn warm(tables: Arc<Tables>, mebibytes: usize) {
    if mebibytes > 0 {
        let started = thread::Builder::new().spawn(move || tables.warm(mebibytes << 20));
        started.map_or_else(|error| log::warn!("the databases are not read: {error}"), drop);
    }
}

/// Solves what is missing on one thread, beside the search.
fn start(build: Build) -> Option<JoinHandle<Result<(), BuildError>>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    thread::Builder::new().spawn(move || pool.install(|| build.run(&Unwatched))).ok()
}
