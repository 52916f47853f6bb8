//! What all requests share: rules, engines, tablebases.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use millstone::rules::RuleSet;
use millstone::tablebase::{EngineTablebase, Solvable, Tablebase};

use super::guard::Guard;
use super::searches::Pool;
use super::{Arguments, descriptors, lock};
use crate::commands::arguments::TablebaseFolder;
use crate::commands::complain;

/// What all requests share.
pub struct Site {
    pub guard: Guard,
    /// The rules of games that name none.
    pub rules: RuleSet,
    /// Engines that play.
    pub players: Arc<Pool>,
    /// Engines that analyze and review.
    pub analysts: Arc<Pool>,
    /// The tablebases of the games that were looked at, unless the user does without.
    tablebases: Option<Mutex<Vec<(Solvable, EngineTablebase)>>>,
    /// Where the tablebase of the usual game is.
    tablebase_folder: TablebaseFolder,
}

impl Site {
    /// A site with what the command line says, which listens at an address.
    pub fn new(arguments: &Arguments, rules: RuleSet, address: SocketAddr) -> Self {
        let pool = || Pool::new(arguments.searches, arguments.hash);
        let site = Self {
            guard: Guard::new(address, &arguments.hosts),
            rules,
            players: pool(),
            analysts: pool(),
            tablebases: (!arguments.tablebase.no_tablebase).then(Mutex::default),
            tablebase_folder: arguments.tablebase.at.clone(),
        };
        site.tablebase(&rules);
        site
    }

    /// The tablebase of a game as it is now, if it can have one, with the small sectors once they are
    /// solved.
    pub fn tablebase(&self, rules: &RuleSet) -> Option<Arc<Tablebase>> {
        let game = Solvable::of(rules).ok()?;
        let mut tablebases = lock(self.tablebases.as_ref()?);
        let known = tablebases.iter().position(|(other, _)| *other == game);
        let place = known.unwrap_or(tablebases.len());
        if known.is_none() {
            tablebases.push((game, EngineTablebase::default()));
        }
        let (_, tablebase) = &mut tablebases[place];
        let mut sources = self.tablebase_folder.sources(game);
        sources.folder = sources.folder.filter(|_| *rules == self.rules);
        let mut left_out = 0;
        let report = &mut |error: &dyn Error| {
            if is_limit(error) { left_out += 1 } else { complain(error) }
        };
        let reserve = known.is_none().then(descriptors::reserve);
        let opened = tablebase.open(sources, report);
        drop(reserve);
        if left_out > 0 {
            complain(format_args!(
                "files of the tablebase left out, since too few may be open: {left_out}; raise ulimit -n"
            ));
        }
        tablebase.solve_small_in_background();
        Some(opened)
    }

    /// Whether tablebases are used.
    pub fn has_tablebases(&self) -> bool {
        self.tablebases.is_some()
    }
}

/// Whether an error comes from the limit of open files.
fn is_limit(error: &dyn Error) -> bool {
    successors(error.source(), |&error| error.source())
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(descriptors::is_limit)
}
