//! The endgame databases of a session: the user's own, and small ones that solve themselves.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use super::error::Error;
use super::options::Options;
use super::output::Output;
use crate::knowledge::endgame::{self, Build, BuildError, Sector, Tables, Unwatched};
use crate::rules::{Identity, RuleSet};

/// The most men of both sides together in the sectors that are solved on first use.
const SMALL_MEN: usize = 7;

/// The databases, opened by the first `isready` or search.
#[derive(Default)]
pub(super) struct Databases {
    tables: Option<Arc<Tables>>,
    /// The thread that solves the small ones, if they are not there yet.
    solver: Option<JoinHandle<Result<(), BuildError>>>,
    /// Whether they were to be solved before; it is tried once.
    is_tried: bool,
}

impl Databases {
    /// Has the next search open them anew.
    pub(super) fn close(&mut self) {
        self.tables = None;
    }

    /// What a search may use; it never waits for anything to be solved.
    pub(super) fn get(&mut self, options: &Options, output: &Output) -> Option<Arc<Tables>> {
        if !options.use_databases || !options.rules.is_standard() {
            return None;
        }
        if self.solver.as_ref().is_some_and(JoinHandle::is_finished) {
            self.end_solver(options);
        }
        let tables = self.tables.get_or_insert_with(|| open_first(options, output));
        report(tables, output);
        let is_complete = small_sectors().all(|sector| tables.file(sector).is_some());
        if !is_complete && !self.is_tried {
            self.is_tried = true;
            self.solver = endgame::cache_folder().and_then(solve_small);
        }
        Some(Arc::clone(tables))
    }

    /// Lets the small databases in, or says in the log why there are none; while another engine
    /// solves them it is tried again.
    fn end_solver(&mut self, options: &Options) {
        match self.solver.take().map(JoinHandle::join) {
            Some(Ok(Ok(()))) => {
                let tables = add_small(open(options));
                // What is wrong with files has been told already.
                drop(tables.take_errors());
                self.tables = Some(Arc::new(tables));
            }
            Some(Ok(Err(BuildError::Busy { .. }))) => self.is_tried = false,
            Some(Ok(Err(error))) => log::warn!("the small databases: {error}"),
            _ => {}
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
    let own = open(options);
    let path = &options.database_path;
    if own.files().next().is_none() && !path.is_empty() {
        output.line(format_args!(
            "info string no databases of Millstone in {path}; millstone db build makes them"
        ));
    }
    let tables = Arc::new(add_small(own));
    warm(Arc::clone(&tables), options.database_cache);
    tables
}

/// Opens the user's databases.
fn open(options: &Options) -> Tables {
    let path = &options.database_path;
    let folder = if path.is_empty() { endgame::default_folder() } else { Some(path.into()) };
    folder.map(|folder| Tables::open(&folder, identity())).unwrap_or_default()
}

/// Adds the small databases where the user has none.
fn add_small(mut tables: Tables) -> Tables {
    if let Some(folder) = endgame::cache_folder() {
        tables.add(Tables::open(&folder, identity()));
    }
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

fn small_sectors() -> impl Iterator<Item = Sector> {
    Sector::all().filter(|sector| sector.men() <= SMALL_MEN)
}

/// Solves the small sectors on one thread, beside the search.
fn solve_small(folder: PathBuf) -> Option<JoinHandle<Result<(), BuildError>>> {
    let build = Build { folder, most_men: SMALL_MEN, has_distances: true, most_memory: None };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
    thread::Builder::new().spawn(move || pool.install(|| build.run(&Unwatched))).ok()
}
