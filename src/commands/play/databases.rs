//! The tablebase of the engine at the board.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use millstone::tablebase::{EngineTablebase, Tablebase};

/// The tablebase of a folder, or of the default one if none is given.
pub struct Databases {
    folder: Option<PathBuf>,
    tablebase: EngineTablebase,
}

impl Databases {
    /// Opens nothing yet.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, tablebase: EngineTablebase::default() }
    }

    /// The tablebase for a search, which never waits until something is solved.
    pub fn for_search(&mut self) -> Arc<Tablebase> {
        let tablebase = self.tablebase.open(self.folder.as_deref(), &mut |error| {
            let _ = writeln!(io::stderr(), "millstone: {error}");
        });
        self.tablebase.solve_small_in_background();
        tablebase
    }
}
