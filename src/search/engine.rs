//! The engine: what stays from one search to the next.

use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::hooks::{Features, Full, OpenWindows};
use super::limits::Limits;
use super::monte_carlo::Kept;
use super::observer::{Observer, Report};
use super::parameters::MAX_THREADS;
use super::root::RootMoves;
use super::threads::Shared;
use super::tt::{Entry, TranspositionTable};
use super::worker::Worker;
use crate::clusters::SizeError;
use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::tablebase::Tablebase;

/// How the value of the root is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Alpha-beta with open windows.
    AlphaBeta,
    /// Alpha-beta with a null window for every move but the first, within a window around the value
    /// expected.
    PrincipalVariation,
    /// Null windows only, from a first guess.
    #[default]
    MtdF,
    /// A tree that grows where it promises most.
    MonteCarlo,
    /// No search: any legal move.
    Random,
}

/// What a search does differently on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How the value of the root is found.
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
/// Changing the table needs the engine for oneself, so no search can run meanwhile.
pub struct Engine {
    pub(super) table: TranspositionTable,
    /// The tree of the last Monte-Carlo search.
    pub(super) kept: Kept,
    /// The entries of learned positions with their keys, those that come first at the end.
    pub(super) learned: Vec<(u64, Entry)>,
    /// The endgame databases, if there are any.
    pub tablebase: Option<Arc<Tablebase>>,
    /// What the next search does differently.
    pub settings: Settings,
}

impl Engine {
    /// An engine with an empty table of a size in MiB, at least 1.
    ///
    /// # Errors
    ///
    /// When the memory cannot be had.
    pub fn new(mebibytes: usize) -> Result<Self, SizeError> {
        Ok(Self {
            table: TranspositionTable::new(mebibytes)?,
            kept: Kept::default(),
            learned: Vec::new(),
            tablebase: None,
            settings: Settings::default(),
        })
    }

    /// Replaces the table by one without searches of another size in MiB, at least 1.
    ///
    /// # Errors
    ///
    /// When the memory cannot be had; the old table stays.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), SizeError> {
        self.table = TranspositionTable::new(mebibytes)?;
        self.store_learned(self.learned.len());
        Ok(())
    }

    /// Forgets every search before, but no learned position.
    pub fn clear(&mut self) {
        self.table.clear();
        self.store_learned(self.learned.len());
        self.kept.clear();
    }

    /// Looks for the best move of the side to move.
    ///
    /// The report has no move when the game is over or none of the moves to choose from is legal.
    pub fn search<R: Rules>(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Report {
        if self.settings.algorithm == Algorithm::Random {
            return self.random_move(game, limits);
        }
        if let Some(known) = self.known_best(game, limits, observer) {
            return known;
        }
        match self.settings.algorithm {
            Algorithm::AlphaBeta => self.search_with::<R, OpenWindows>(game, limits, observer),
            _ => self.search_with::<R, Full>(game, limits, observer),
        }
    }

    /// The same with chosen enhancements.
    pub fn search_with<R: Rules, F: Features>(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Report {
        self.table.start_generation();
        let mut moves = self.root_moves(game, limits);
        if let Some(tablebase) =
            self.tablebase_for(game).filter(|_| F::ON.tablebase && limits.multi_pv == 1)
        {
            tablebase.keep_best(game.position(), &mut moves);
        }
        if moves.is_empty() {
            return Report::default();
        }
        if self.settings.algorithm == Algorithm::MonteCarlo {
            return self.monte_carlo(game, moves, limits, observer);
        }
        let moves = RootMoves::new(moves, limits.search_moves.is_empty());
        let threads = self.settings.threads.clamp(1, MAX_THREADS);
        let shared = Shared::new(&self.table, self.tablebase_for(game), limits, threads);
        let report = shared.with_helpers::<R, F, _>(game, threads - 1, || {
            let mut worker = Worker::<R, F>::new(game, &shared, observer);
            worker.deepen(self.settings.algorithm, limits, moves)
        });
        let tally = &shared.tally;
        Report { nodes: tally.nodes(), tablebase_hits: tally.tablebase_hits(), ..report }
    }

    /// The databases, if they belong to the game.
    pub(super) fn tablebase_for<R: Rules>(&self, game: &Game<R>) -> Option<&Tablebase> {
        self.tablebase.as_deref().filter(|_| game.position().rules().is_standard())
    }

    pub(super) fn root_moves<R: Rules>(&self, game: &Game<R>, limits: &Limits) -> Vec<Move> {
        let mut moves = legal_moves(game, limits);
        if let Some(seed) = self.settings.shuffle {
            moves.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        }
        moves
    }
}

/// The legal moves that the limits leave to choose from.
pub(super) fn legal_moves<R: Rules>(game: &Game<R>, limits: &Limits) -> Vec<Move> {
    let mut moves: Vec<Move> = game.moves().into_iter().collect();
    if !limits.search_moves.is_empty() {
        moves.retain(|mv| limits.search_moves.contains(mv));
    }
    moves
}
