//! The endgame databases of a session: the user's own, and small ones that solve themselves.

use std::sync::Arc;
use std::thread;

use super::error::Error;
use super::options::Options;
use super::output::Output;
use crate::knowledge::endgame::{self, SmallSolver, Tables};
use crate::rules::{Identity, RuleSet};

/// The databases, opened by the first `isready` or search.
#[derive(Default)]
pub(super) struct Databases {
    tables: Option<Arc<Tables>>,
    solver: SmallSolver,
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
        self.solver.begin(&tables);
        Some(tables)
    }

    /// Opens what is there, if that has not been done.
    pub(super) fn open(&mut self, options: &Options, output: &Output) -> Option<Arc<Tables>> {
        if !options.use_databases || !options.rules.is_standard() {
            return None;
        }
        let tables = self.tables.get_or_insert_with(|| open_first(options, output));
        self.solver.finish(tables);
        if tables.files().any(|file| !file.is_usable()) {
            report(tables, output);
            *tables = Arc::new(tables.with(&Tables::open_small()));
        }
        report(tables, output);
        Some(Arc::clone(tables))
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
