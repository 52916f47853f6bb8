//! What all requests share: rules, engines, tablebases.

use std::error::Error;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use millstone::locks::lock;
use millstone::rules::RuleSet;
use millstone::tablebase::{EngineTablebase, Solvable, Sources, Tablebase};

use super::arguments::Arguments;
use super::searches::Pool;
use crate::commands::complain;

/// All that requests share.
pub struct Site {
    /// The rules of games that name none.
    pub rules: RuleSet,
    /// Engines that play.
    pub players: Arc<Pool>,
    /// Engines that analyze and review.
    pub analysts: Arc<Pool>,
    /// The tablebases of the games that were looked at, unless the user does without.
    tablebases: Option<Mutex<Vec<(Solvable, EngineTablebase)>>>,
    /// The folder of the tablebase of the game that requests mean which name none.
    tablebase_folder: Option<PathBuf>,
}

impl Site {
    /// A site with what the command line says.
    pub fn new(arguments: &Arguments, rules: RuleSet) -> Self {
        let pool = || Pool::new(arguments.searches, arguments.hash);
        let site = Self {
            rules,
            players: pool(),
            analysts: pool(),
            tablebases: (!arguments.no_tablebase).then(Mutex::default),
            tablebase_folder: arguments.tablebase.clone(),
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
        let folder = self.tablebase_folder.as_deref().filter(|_| *rules == self.rules);
        let report = &mut |error: &dyn Error| complain(error);
        let opened =
            tablebase.open(Sources { game, folder, has_book: true, has_files: true }, report);
        tablebase.solve_small_in_background();
        Some(opened)
    }

    /// Whether tablebases are used.
    pub fn has_tablebases(&self) -> bool {
        self.tablebases.is_some()
    }
}
