//! The tablebase of a session, opened by the first `isready` or search.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::command::Error;
use super::lines::Output;
use super::options::Options;
use crate::tablebase::{EngineTablebase, Solvable, Sources, Tablebase};

/// The tablebase for a search. Missing small sectors are solved in the background, so the search does not
/// wait for them.
pub(super) fn for_search(
    engine: &mut EngineTablebase,
    options: &Options,
    output: &Output,
) -> Option<Arc<Tablebase>> {
    let tablebase = open(engine, options, output)?;
    if options.use_tablebase {
        engine.solve_small_in_background();
    }
    Some(tablebase)
}

/// The tablebase, opened if necessary, if the options ask for one.
pub(super) fn open(
    engine: &mut EngineTablebase,
    options: &Options,
    output: &Output,
) -> Option<Arc<Tablebase>> {
    let game = Solvable::of(&options.rules).ok()?;
    let (has_book, has_files) = (options.own_book, options.use_tablebase);
    if !has_book && !has_files {
        return None;
    }
    let path = &options.tablebase_path;
    let folder = (!path.is_empty()).then_some(Path::new(path));
    let is_new = !engine.is_open(&game);
    let sources = Sources { game, folder, has_book, has_files };
    let tablebase = engine.open(sources, &mut |error| output.error(&Error::refused(error)));
    if is_new && has_files {
        warm(Arc::clone(&tablebase), options.tablebase_cache as usize);
    }
    let is_any = has_files || tablebase.files().next().is_some();
    is_any.then_some(tablebase)
}

/// Preloads values on another thread.
fn warm(tablebase: Arc<Tablebase>, mebibytes: usize) {
    if mebibytes > 0 {
        let warm = move || {
            let is_read = tablebase.warm(mebibytes << 20);
            is_read.unwrap_or_else(|error| log::warn!("the tablebase is not read: {error}"));
        };
        let started = thread::Builder::new().spawn(warm);
        started.map_or_else(|error| log::warn!("the tablebase is not read: {error}"), drop);
    }
}
