//! The engine: what persists between searches.
//!
//! Learned positions stay in the transposition table. Each is stored for all symmetric positions, in entries
//! that do not age, and again whenever the table is emptied, until learned positions fill their share of the
//! table. Positions added last take precedence, and the most useful among positions added together.

use std::collections::HashSet;
use std::sync::Arc;

use bytemuck::{CheckedBitPattern, NoUninit};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::{IndexedRandom, SliceRandom};

use super::draw::precedes_n_move_rule;
use super::known_root::{Class, KnownRoot, known_lines, probe_root};
use super::limits::Limits;
use super::monte_carlo::{self, Kept};
use super::parameters::{Features, Full, LEARNED_SHARE, MAX_THREADS};
use super::report::{Observer, Report, Variation};
use super::root::{RootMoves, ending, legal_moves};
use super::skill::Skill;
use super::threads::{self, Helpers};
use super::tt::{Entry, TranspositionTable};
use super::worker::{MATE_SALT, Root};
use crate::clusters::SizeError;
use crate::evaluate::evaluate;
use crate::game::Game;
use crate::learning::{LearnedPosition, LearnedPositions};
use crate::position::Move;
use crate::rules::{DrawRules, RuleSet, Rules};
use crate::score::{Bound, Score};
use crate::tablebase::Tablebase;

/// How a move is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, CheckedBitPattern, NoUninit)]
#[repr(u8)]
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

/// Options of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How a move is chosen.
    pub algorithm: Algorithm,
    /// The seed for shuffling the root moves, so that one of several best moves is chosen at random.
    pub shuffle: Option<u64>,
    /// The number of threads, 1 to [`MAX_THREADS`]. With one, a search is reproducible.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { algorithm: Algorithm::default(), shuffle: None, threads: 1 }
    }
}

/// Searches games; owns the transposition table.
///
/// Whatever changes the table borrows the engine mutably, so no search can be running.
pub struct Engine {
    table: TranspositionTable,
    /// The tree of the last Monte-Carlo search.
    kept: Kept,
    /// The threads that help with a search.
    helpers: Helpers,
    /// The entries of learned positions with their keys, the most important ones last.
    learned: Vec<(u64, Entry)>,
    /// The tablebase, if there is one.
    pub tablebase: Option<Arc<Tablebase>>,
    /// The options of the next search.
    pub settings: Settings,
}

impl Engine {
    /// An engine with an empty table of `mebibytes` MiB, at least 1.
    ///
    /// # Errors
    ///
    /// If the memory cannot be allocated.
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

    /// Replaces the table with one of `mebibytes` MiB, at least 1, that holds only learned positions.
    ///
    /// # Errors
    ///
    /// If the memory cannot be allocated; the old table stays.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), SizeError> {
        self.table = TranspositionTable::new(mebibytes)?;
        self.store_learned(self.learned.len());
        Ok(())
    }

    /// Forgets earlier searches. Only learned positions stay in the table.
    pub fn clear(&mut self) {
        self.table.clear();
        self.store_learned(self.learned.len());
        self.kept = Kept::default();
        self.helpers.clear();
    }

    /// Provides the memory of the table, so that the next search does not wait for it: only on Linux, and only of a
    /// table of up to 256 MiB.
    pub fn get_ready(&self) {
        self.table.clusters.populate();
    }

    /// Searches for the best move.
    ///
    /// The report has no move when the game is over or none of the moves to search is legal.
    pub fn search(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer) -> Report {
        match game.to_standard() {
            Some(game) => self.search_with::<_, Full>(&game, limits, observer),
            None => self.search_with::<_, Full>(game, limits, observer),
        }
    }

    /// Searches for a move and makes the mistakes of a skill level.
    ///
    /// The seed determines the mistakes. The observer gets the reports of the search itself, without mistakes.
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
        skill.choose_with_mistakes(&mut report, &mut random);
        report
    }

    /// Searches for the best move with the enhancements of `F`.
    pub fn search_with<R: Rules, F: Features>(
        &mut self,
        game: &Game<R>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> Report {
        let algorithm = self.settings.algorithm;
        let mut moves = legal_moves(game, limits);
        if moves.is_empty() {
            return Report::default();
        }
        if algorithm == Algorithm::Random {
            return self.random_move(game, &moves);
        }
        if let Some(seed) = self.settings.shuffle {
            moves.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        }
        let rules = game.rules();
        let is_used = |tablebase: &&Arc<Tablebase>| F::ON.tablebase && tablebase.is_of(rules);
        let tablebase = self.tablebase.as_ref().filter(is_used).map(|tablebase| {
            tablebase.bring(game.position());
            tablebase.without_waiting()
        });
        let tablebase = tablebase.as_ref();
        let root = Root { game, tablebase, known: None, lines: &[], limits, algorithm };
        let (to_search, known) = probe_root(root, moves, observer);
        if to_search.is_empty() {
            return self.search_known::<R, F>(root, KnownRoot::ranked(known), observer);
        }
        let rest = if limits.asks_for_all() { &known[..] } else { &[] };
        let lines = &known_lines(root, rest, observer);
        self.search_moves::<R, F>(Root { lines, ..root }, to_search, observer)
    }

    /// Takes the shortest win of a known root, or searches the moves that keep its value.
    fn search_known<R: Rules, F: Features>(
        &mut self,
        root: Root<'_, R>,
        mut known: KnownRoot,
        observer: &mut dyn Observer,
    ) -> Report {
        if root.limits.search_moves.is_empty() {
            observer.known_root(&known);
        }
        let mut report = if known.class() == Class::Won && known.moves()[0].ranked.turns().is_some()
        {
            // The tablebase looks at each move once.
            let hits = known.moves().len() as u64;
            Report { depth: 1, nodes: hits, tablebase_hits: hits, ..Report::default() }
        } else {
            let moves = known.candidates().iter().map(|known| known.ranked.mv).collect();
            let searched_root = Root {
                // For a draw or loss, the tablebase gives all lines the same value: a search
                // without it shows where the opponent can go wrong.
                tablebase: root.tablebase.filter(|_| known.class() > Class::Drawn),
                known: Some(&known),
                ..root
            };
            let mut report = self.search_moves::<R, F>(searched_root, moves, observer);
            known.record_search_scores(&mut report.lines);
            report
        };
        let (told, most) = (report.lines.len(), root.limits.multi_pv.max(1));
        if told < most {
            // A candidate of a draw that the search has not reached is told as no better than those
            // that it has; only a line that an iteration has found proves that.
            let missed = known.candidates().len().saturating_sub(told);
            let last = report.lines.last().filter(|_| known.class() == Class::Drawn);
            let last = last.map(|&Variation { depth, score, bound, .. }| (depth, score, bound));
            let rest = known_lines(root, &known.moves()[told..], observer);
            for (index, line) in rest.into_iter().enumerate() {
                report.lines.push(match last.filter(|_| index < missed) {
                    Some((depth @ 1.., score, Bound::Exact)) => {
                        Variation { depth, score, bound: Bound::Upper, ..line }
                    }
                    Some((_, most, _)) => Variation { score: line.score.min(most), ..line },
                    None => line,
                });
            }
            report.lines.truncate(most);
            report = report.reaching(0);
            // The lines of an aborted iteration are those of the result alone.
            let is_aborted = report.lines.first().is_some_and(|line| line.depth > report.depth);
            let adds = report.lines.len() > told && !is_aborted;
            if adds && (told == 0 || report.depth > 0) {
                observer.progress(&report);
            }
        }
        report.known = Some(known);
        report
    }

    /// Searches some moves of a root.
    fn search_moves<R: Rules, F: Features>(
        &mut self,
        root: Root<'_, R>,
        moves: Vec<Move>,
        observer: &mut dyn Observer,
    ) -> Report {
        self.table.start_generation();
        if root.algorithm == Algorithm::MonteCarlo {
            // A known root is evaluated differently, so it does not share its tree with other searches.
            let mut own = Kept::default();
            let kept = if root.known.is_some() { &mut own } else { &mut self.kept };
            return monte_carlo::search(root, &self.table, kept, moves, observer);
        }
        let is_complete = moves.len() == root.game.moves().len();
        let moves = RootMoves::new(moves, is_complete);
        self.helpers.set_count(self.settings.threads.clamp(1, MAX_THREADS) - 1);
        threads::deepen::<R, F>(root, &self.table, moves, observer, &mut self.helpers)
    }

    /// A random one of at least one move, all with the same probability.
    ///
    /// The choice depends on the position and the seed of the settings.
    fn random_move<R: Rules>(&self, game: &Game<R>, moves: &[Move]) -> Report {
        let seed = self.settings.shuffle.unwrap_or_default() ^ game.position().key();
        let choice = moves.choose(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let mv = *choice.expect("there is a move");
        let estimate = evaluate(game.position());
        let score = ending(game, mv, Score::DRAW).unwrap_or(estimate);
        let line = Variation { score, pv: vec![mv], ..Variation::default() };
        Report { lines: vec![line], ..Report::default() }.reaching(0)
    }

    /// Adds the learned positions of a game to the ones added before.
    ///
    /// Leaves out positions of other games, mates that the n-move rule of `draws` may forestall,
    /// and all estimates unless `draws` are the default draw rules.
    pub fn add_learned(&mut self, positions: &LearnedPositions, rules: &RuleSet, draws: DrawRules) {
        let game = rules.identity();
        let counts = |LearnedPosition { position, result }: &LearnedPosition| {
            let is_valid = result.score.is_mate() || draws == DrawRules::default();
            position.game == game && is_valid && precedes_n_move_rule(result.score, 0, 0, draws)
        };
        let mut chosen: Vec<LearnedPosition> = positions.iter().filter(counts).collect();
        chosen.sort_by_key(|learned| learned.result.usefulness());
        let mut added = Vec::new();
        for learned in chosen {
            let result = learned.result;
            // A mate answers a search of any depth.
            let depth = if result.score.is_mate() { u8::MAX } else { result.depth };
            let salts = if result.score.is_mate() { &[0, MATE_SALT][..] } else { &[0] };
            let entries = |(key, symmetry)| {
                let best = result.best.map(|mv| mv.image(symmetry));
                let entry = Entry::new(best, result.score, depth, result.bound);
                salts.iter().map(move |salt| (key ^ salt, entry))
            };
            let images = learned.position.images(rules);
            let images = images.inspect_err(|error| log::debug!("{learned}: {error}"));
            added.extend(images.into_iter().flatten().flat_map(entries));
        }
        if !self.learned.is_empty() {
            let keys: HashSet<u64> = added.iter().map(|(key, _)| *key).collect();
            self.learned.retain(|(key, _)| !keys.contains(key));
        }
        self.learned.extend(&added);
        self.store_learned(added.len());
    }

    /// Forgets all learned positions and all earlier searches.
    pub fn forget_learned(&mut self) {
        self.learned.clear();
        self.clear();
    }

    /// Stores the last `count` learned positions in the table, or as many as fit their share of it.
    fn store_learned(&self, count: usize) {
        let room = self.table.clusters.capacity() / LEARNED_SHARE;
        for &(key, entry) in self.learned.iter().rev().take(room.min(count)) {
            self.table.store_lasting(key, entry);
        }
    }
}
