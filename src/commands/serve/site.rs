//! What all requests share: rules, engines, tablebases.

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::iter::successors;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use millstone::api;
use millstone::rules::RuleSet;
use millstone::tablebase::{EngineTablebase, Solvable, Tablebase, default_folder};

use super::guard::Guard;
use super::searches::{POOLS, Pool};
use super::{Arguments, descriptors, lock};
use crate::commands::arguments::TablebaseFolder;
use crate::commands::complain;

/// How often to look whether small sectors are solved.
const INTERVAL: Duration = Duration::from_millis(50);

/// The tablebase of a game that was looked at, and when its folder was changed before that was opened.
type Opened = (EngineTablebase, Option<SystemTime>);

/// What all requests share.
pub struct Site {
    pub guard: Guard,
    rules: RuleSet,
    /// The engines of each role.
    pub pools: [Arc<Pool>; POOLS],
    /// The tablebases of the games that were looked at, unless the user does without.
    tablebases: Option<Mutex<HashMap<Solvable, Opened>>>,
    /// Where the tablebase of the usual game is.
    tablebase_folder: TablebaseFolder,
}

impl Site {
    /// A site with what the command line says, which listens at an address.
    pub fn new(arguments: &Arguments, rules: RuleSet, address: SocketAddr) -> Self {
        let site = Self {
            guard: Guard::new(address, &arguments.hosts),
            rules,
            pools: [(); POOLS].map(|()| Pool::new(arguments.searches, arguments.hash)),
            tablebases: (!arguments.tablebase.no_tablebase).then(Mutex::default),
            tablebase_folder: arguments.tablebase.at.clone(),
        };
        site.open(&rules);
        site
    }

    /// The tablebase of a game, and whether small sectors are being solved.
    fn open(&self, rules: &RuleSet) -> Option<(Arc<Tablebase>, bool)> {
        let game = Solvable::of(rules).ok()?;
        let mut tablebases = lock(self.tablebases.as_ref()?);
        let reserve = (!tablebases.contains_key(&game)).then(descriptors::reserve);
        let (tablebase, changed) = tablebases.entry(game).or_default();
        let mut sources = self.tablebase_folder.sources(game);
        sources.folder = sources.folder.filter(|_| *rules == self.rules);
        let folder = sources.folder.map(Path::to_owned).or_else(|| default_folder(&game));
        let now = folder.and_then(|folder| folder.metadata().ok()?.modified().ok());
        if *changed != now {
            // Files were built there, or removed.
            tablebase.close();
            *changed = now;
        }
        let mut left_out = 0;
        let report = &mut |error: &dyn Error| {
            if is_limit(error) { left_out += 1 } else { complain(error) }
        };
        let opened = tablebase.open(sources, report);
        drop(reserve);
        if left_out > 0 {
            complain(format_args!(
                "files of the tablebase left out, since too few may be open: {left_out}; raise ulimit -n"
            ));
        }
        tablebase.solve_small_in_background();
        Some((opened, tablebase.is_solving()))
    }
}

impl api::Site for Site {
    fn rules(&self) -> &RuleSet {
        &self.rules
    }

    fn has_tablebases(&self) -> bool {
        self.tablebases.is_some()
    }

    fn tablebase_with_small(
        &self,
        rules: &RuleSet,
        is_awaited: &dyn Fn() -> bool,
    ) -> Option<Arc<Tablebase>> {
        loop {
            let (tablebase, is_solving) = self.open(rules)?;
            if !is_solving || !is_awaited() {
                return Some(tablebase);
            }
            sleep(INTERVAL);
        }
    }

    fn seed(&self) -> u64 {
        rand::random()
    }
}

/// Whether an error comes from the limit of open files.
fn is_limit(error: &dyn Error) -> bool {
    successors(error.source(), |&error| error.source())
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(descriptors::is_limit)
}
