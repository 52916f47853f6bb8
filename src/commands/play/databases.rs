//! The endgame databases of the engine at the board.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use millstone::rules::RuleSet;
use millstone::tablebase::{self, SmallSolver, Tablebase};

/// The user's databases, and small ones that solve themselves beside the first search.
pub struct Databases {
    /// Opened by the first search.
    tablebase: Option<Arc<Tablebase>>,
    folder: Option<PathBuf>,
    solver: SmallSolver,
}

impl Databases {
    /// Those of a folder; of the usual one if none is given.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self {
            tablebase: None,
            folder: folder.or_else(tablebase::default_folder),
            solver: SmallSolver::default(),
        }
    }

    /// What a search may use; it never waits for anything to be solved.
    pub fn for_search(&mut self) -> Arc<Tablebase> {
        let folder = self.folder.as_deref();
        let tablebase = self.tablebase.get_or_insert_with(|| open(folder));
        self.solver.finish(tablebase);
        self.solver.begin(tablebase);
        Arc::clone(tablebase)
    }
}

/// Opens what is there and tells what is damaged.
fn open(folder: Option<&Path>) -> Arc<Tablebase> {
    let identity = RuleSet::NINE_MENS_MORRIS.identity();
    let own = folder.map(|folder| Tablebase::open(folder, identity)).unwrap_or_default();
    own.take_errors().iter().for_each(|error| {
        let _ = writeln!(io::stderr(), "millstone: {error}");
    });
    Arc::new(own.with(&Tablebase::open_small()))
}
