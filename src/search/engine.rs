//! The engine: what stays from one search to the next.

use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::drivers::Driver;
use super::features::{Features, Full, OpenWindows};
use super::known_root::{Class, KnownRoot};
use super::limits::Limits;
use super::monte_carlo::{self, Kept};
use super::observer::{Observer, Report, Variation};
use super::parameters::{LEARNED_SHARE, MAX_THREADS};
use super::root_moves::{RootMoves, legal_moves};
use super::root_probe::{known_variations, probe_root};
use super::skill::Skill;
use super::threads::{self, Helpers};
use super::tt::{Entry, TranspositionTable};
use super::worker::{Context, Root};
use crate::clusters::SizeError;
use crate::evaluate::evaluate;
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::tablebase::Tablebase;

/// How a move is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Alpha-beta with open windows.
    AlphaBeta,
    /// Principal variation search: alpha-beta with a null window for every move but the first,
    /// within an aspiration window.
    PrincipalVariation,
    /// MTD(f): alpha-beta with null windows only, from a first guess.
    #[default]
    MtdF,
    /// Monte-Carlo tree search.
    MonteCarlo,
    /// Any legal move, without a search.
    Random,
}

/// What a search does differently on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How a move is chosen.
    pub algorithm: Algorithm,
    /// Takes the root moves in an order drawn from this seed, and so one of the best at random.
    pub shuffle: Option<u64>,
    /// How many threads search, 1 to [`MAX_THREADS`]. With one, each search is the same each time.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { algorithm: Algorithm::default(), shuffle: None, threads: 1 }
    }
}

/// Searches games; owns the transposition table.
///
/// Whatever changes the table borrows the engine mutably, so no search can run meanwhile.
pub struct Engine {
    pub(super) table: TranspositionTable,
    /// The tree of the last Monte-Carlo search.
    pub(super) kept: Kept,
    /// The threads that help with a search.
    helpers: Helpers,
    /// The entries of learned positions with their keys, the most important ones last.
    pub(super) learned: Vec<(u64, Entry)>,
    /// The tablebase, if there is one.
    pub tablebase: Option<Arc<Tablebase>>,
    /// What the next search does differently.
    pub settings: Settings,
}

impl Engine {
    /// An engine with an empty table of a size in MiB, at least 1.
    ///
    /// # Errors
    ///
    /// When the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<Self, SizeError> {
        Ok(Self {
            table: TranspositionTable::new(mebibytes)?,
            kept: Kept::default(),
            helpers: Helpers::default(),
            learned: Vec::new(),
            tablebase: None,
            settings: Settings::default(),
        })
    }

    /// Replaces the table by one of another size in MiB, at least 1, which holds nothing but learned
    /// positions.
    ///
    /// # Errors
    ///
    /// When the memory cannot be allocated; the old table stays.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), SizeError> {
        self.table = TranspositionTable::new(mebibytes)?;
        self.store_learned(self.learned.len());
        Ok(())
    }

    /// Empties the table but for learned positions, and forgets all else of the searches before.
    pub fn clear(&mut self) {
        self.table.clear();
        self.store_learned(self.learned.len());
        self.kept.clear();
        self.helpers.clear();
    }

    /// Looks for the best move of the side to move.
    ///
    /// The report has no move when the game is over or none of the moves to choose from is legal.
    pub fn search(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer) -> Report {
        match game.to_standard() {
            Some(game) => self.search_by_rules(&game, limits, observer),
            None => self.search_by_rules(game, limits, observer),
        }
    }

    /// The same by rules that are compiled or read.
    fn search_by_rules<R: Rules>(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Report {
        // Plain alpha-beta differs from the others only by having no null windows.
        match self.settings.algorithm {
            Algorithm::AlphaBeta => self.search_with::<R, OpenWindows>(game, limits, observer),
            _ => self.search_with::<R, Full>(game, limits, observer),
        }
    }

    /// Looks for a move with the mistakes of a level of skill.
    ///
    /// The seed decides which mistakes. The observer gets the reports of the search without the
    /// mistakes.
    pub fn search_with_skill(
        &mut self,
        game: &Game,
        limits: &Limits,
        skill: Skill,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Report {
        if skill.is_full() {
            return self.search(game, limits, observer);
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let limits = skill.limited(game, limits, &mut random);
        let mut report = self.search(game, &limits, observer);
        skill.err(&mut report, &mut random);
        report
    }

    /// Looks for the best move with the enhancements of `F`.
    pub fn search_with<R: Rules, F: Features>(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Report {
        let driver = match self.settings.algorithm {
            Algorithm::AlphaBeta => Some(Driver::AlphaBeta),
            Algorithm::PrincipalVariation => Some(Driver::PrincipalVariation),
            Algorithm::MtdF => Some(Driver::MtdF),
            Algorithm::MonteCarlo => None,
            Algorithm::Random => return self.random_move(game, limits),
        };
        let mut moves = legal_moves(game, limits);
        if let Some(seed) = self.settings.shuffle {
            moves.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        }
        let rules = game.rules();
        let is_used = |tablebase: &&Arc<Tablebase>| F::ON.tablebase && tablebase.is_of(rules);
        let tablebase = self.tablebase.as_ref().filter(is_used);
        let tablebase = tablebase.map(|tablebase| tablebase.without_waiting());
        let root = Root { game, tablebase: tablebase.as_ref(), known: None, limits };
        if moves.is_empty() {
            return Report::default();
        }
        match probe_root(root, moves, observer) {
            Ok(known) => self.search_known::<R, F>(driver, root, known, observer),
            Err(moves) => self.search_moves::<R, F>(driver, root, moves, observer),
        }
    }

    /// Plays the shortest win of a root that the tablebase knows, or searches the moves that keep its
    /// value.
    fn search_known<R: Rules, F: Features>(
        &mut self,
        driver: Option<Driver>,
        root: Root<'_, R>,
        mut known: KnownRoot,
        observer: &mut dyn Observer,
    ) -> Report {
        if root.limits.search_moves.is_empty() {
            observer.known_root(&known);
        }
        let multi_pv = root.limits.multi_pv.max(1);
        let mut report = if known.has_shortest_win() {
            let mut variations = known_variations(root, &known, 0..multi_pv, observer);
            let others = variations.split_off(1);
            let Variation { score, pv, .. } = variations.pop().unwrap_or_default();
            let hits = known.moves().len() as u64;
            let report = Report { depth: 1, score, pv, others, ..Report::default() };
            Report { nodes: hits, tablebase_hits: hits, ..report }
        } else {
            let moves = known.candidates().iter().map(|known| known.mv).collect();
            let searched_root = Root {
                // A draw or a loss is the same everywhere by the tablebase: what it leaves to the
                // opponent to get wrong is seen without it.
                tablebase: root.tablebase.filter(|_| known.class() > Class::Draw),
                known: Some(&known),
                ..root
            };
            let searched = known.candidates().len();
            let mut report = self.search_moves::<R, F>(driver, searched_root, moves, observer);
            known.take_chances(report.scores_mut());
            // The MultiPV lines that are left for moves that need no search.
            report.others.extend(known_variations(root, &known, searched..multi_pv, observer));
            report
        };
        report.known = Some(known);
        report
    }

    /// Searches some moves of a root.
    fn search_moves<R: Rules, F: Features>(
        &mut self,
        driver: Option<Driver>,
        root: Root<'_, R>,
        moves: Vec<Move>,
        observer: &mut dyn Observer,
    ) -> Report {
        self.table.start_generation();
        if root.known.is_some() {
            // What is estimated of a known root is not what was estimated on the way to it.
            self.kept.clear();
        }
        let context = Context { root, table: &self.table };
        let is_complete = moves.len() == root.game.moves().len();
        let Some(driver) = driver else {
            return monte_carlo::search(context, &mut self.kept, moves, observer);
        };
        let moves = RootMoves::new(moves, is_complete);
        self.helpers.set_count(self.settings.threads.clamp(1, MAX_THREADS) - 1);
        threads::deepen::<R, F>(context, driver, moves, observer, &mut self.helpers)
    }

    /// One of the moves to choose from, each as likely as the others, without a search: the weakest
    /// opponent that keeps to the rules.
    ///
    /// The choice follows from the seed of the settings, or from the position alone without one.
    fn random_move<R: Rules>(&self, game: &Game<R>, limits: &Limits) -> Report {
        let seed = self.settings.shuffle.unwrap_or_default() ^ game.position().key();
        let moves = legal_moves(game, limits);
        let choice = moves.choose(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        choice.map_or_else(Report::default, |&mv| Report {
            score: evaluate(game.position()),
            pv: vec![mv],
            ..Report::default()
        })
    }

    /// Stores the last `count` learned positions in the table, as many as fit their share of it.
    pub(super) fn store_learned(&self, count: usize) {
        let room = self.table.capacity() / LEARNED_SHARE;
        for &(key, entry) in self.learned.iter().rev().take(room.min(count)) {
            self.table.store_lasting(key, entry);
        }
    }
}
