//! The endgame databases of a session: the user's own, and small ones that solve themselves.

use std::sync::Arc;
use std::thread;

use super::error::Error;
use super::lines::Output;
use super::options::Options;
use crate::rules::{Identity, RuleSet};
use crate::tablebase::{self, SmallSolver, Tablebase};

/// The databases, opened by the first `isready` or search.
#[derive(Default)]
pub(super) struct Databases {
    tablebase: Option<Arc<Tablebase>>,
    solver: SmallSolver,
}

impl Databases {
    /// Has the next search open them anew.
    pub(super) fn close(&mut self) {
        self.tablebase = None;
    }

    /// What a search may use; it never waits for anything to be solved, but what is missing of the
    /// small databases begins to be.
    pub(super) fn for_search(
        &mut self,
        options: &Options,
        output: &Output,
    ) -> Option<Arc<Tablebase>> {
        let tablebase = self.open(options, output)?;
        self.solver.begin(&tablebase);
        Some(tablebase)
    }

    /// Opens what is there, if that has not been done.
    pub(super) fn open(&mut self, options: &Options, output: &Output) -> Option<Arc<Tablebase>> {
        if !options.use_databases || !options.rules.is_standard() {
            return None;
        }
        let tablebase = self.tablebase.get_or_insert_with(|| open_first(options, output));
        self.solver.finish(tablebase);
        if tablebase.files().any(|file| !file.is_usable()) {
            report(tablebase, output);
            *tablebase = Arc::new(tablebase.with(&Tablebase::open_small()));
        }
        report(tablebase, output);
        Some(Arc::clone(tablebase))
    }
}

/// Tells of files that were found unusable since the last time.
pub(super) fn report(tablebase: &Tablebase, output: &Output) {
    for error in tablebase.take_errors() {
        output.error(&Error::refused(error));
    }
}

/// Opens all databases and tells if those that the user asks for are not there.
fn open_first(options: &Options, output: &Output) -> Arc<Tablebase> {
    let path = &options.database_path;
    let folder = if path.is_empty() { tablebase::default_folder() } else { Some(path.into()) };
    let own = folder.map(|folder| Tablebase::open(&folder, identity())).unwrap_or_default();
    report(&own, output);
    if own.files().next().is_none() && !path.is_empty() {
        output.line(format_args!(
            "info string no databases of Millstone in {path}; millstone db build makes them"
        ));
    }
    let tablebase = Arc::new(own.with(&Tablebase::open_small()));
    warm(Arc::clone(&tablebase), options.database_cache);
    tablebase
}

fn identity() -> Identity {
    RuleSet::NINE_MENS_MORRIS.identity()
}

/// Reads values on a thread of its own, so that they are in memory when a search wants them.
fn warm(tablebase: Arc<Tablebase>, mebibytes: usize) {
    if mebibytes > 0 {
        let started = thread::Builder::new().spawn(move || tablebase.warm(mebibytes << 20));
        started.map_or_else(|error| log::warn!("the databases are not read: {error}"), drop);
    }
}
