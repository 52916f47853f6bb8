//! Training the evaluation of a game on its tablebase.
//!
//! Each set of weights is fitted by logistic regression to examples: positions with the expected result of the
//! game, which the tablebase supplies. The games, the sectors and the stages follow from the rules. The file is
//! the one for the [board](crate::evaluate::Weights) and keeps the sets that the game does not have.
//!
//! ```text
//! examples      positions and their values
//! regression    features of a position, fitting weights, measuring them on held-out examples, rounding them
//! ```

mod examples;
mod regression;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;

use crate::evaluate::Weights;
use crate::system::whole_file;
use crate::tablebase::{Sector, Solvable, Tablebase};
use examples::TrainingPosition;
pub use regression::Metrics;
use regression::{fit, quantise, sum};

/// One example in this many is held out to measure the weights.
const HELD_OUT: usize = 10;

/// The positions of a set for each game played.
const POSITIONS_PER_GAME: u64 = 2;

/// The settings of a training run; the same settings and tablebase give the same weights.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of positions for each pair of men counts, at least 10; half as many games are
    /// played.
    pub positions: usize,
    /// Whether to train only the placing stages.
    pub placing_only: bool,
}

/// A trained set of weights.
#[derive(Clone, Debug)]
pub struct TrainedSet {
    /// The men counts or the placing stage of the set.
    pub name: String,
    /// How well the set predicts held-out examples.
    pub metrics: Metrics,
    /// The number of the set in the file.
    number: usize,
    weights: Vec<f32>,
}

/// The sets that could be trained.
#[derive(Clone, Debug)]
pub struct TrainedWeights {
    /// The sets.
    pub sets: Vec<TrainedSet>,
    /// The program's weights for the board.
    weights: Weights,
}

impl Training {
    /// Returns the number of sets to train for a game.
    pub fn count_sets(&self, game: &Solvable) -> usize {
        self.sets(game).len()
    }

    /// Trains all sets for which the tablebase has the values; `advance` is called after each.
    pub fn run(&self, tablebase: &Tablebase, advance: &(dyn Fn() + Sync)) -> TrainedWeights {
        let game = tablebase.game();
        let weights = Weights::of(game.rules().diagonals);
        let sets = self.sets(game);
        let games = self.positions as u64 / POSITIONS_PER_GAME;
        let mut played: BTreeMap<usize, Vec<TrainingPosition>> = BTreeMap::new();
        for seen in examples::play_games(game, self.seed, games) {
            if let Some(number) = number(weights, seen.0).filter(|n| sets.contains_key(n)) {
                played.entry(number).or_default().push(seen);
            }
        }
        let train = |(&number, &sector): (&usize, &Sector)| {
            let played = played.get(&number).map_or(&[][..], Vec::as_slice);
            let (name, examples) = if sector.is_placing() {
                let stage = number - weights.pairs();
                let name = format!("hand {}{}", stage / 2 + 1, ["-", "="][stage % 2]);
                (name, examples::of_positions(tablebase, played)?)
            } else {
                let seed = self.seed ^ number as u64;
                let wanted = self.positions;
                let examples = examples::of_sector(tablebase, sector, played, wanted, seed)?;
                (sector.to_string(), examples)
            };
            // Examples are in random order.
            let (held_out, examples) = examples.split_at(examples.len() / HELD_OUT);
            if held_out.is_empty() {
                return None;
            }
            let weights = fit(examples);
            let metrics = Metrics::of(held_out, |example| sum(&weights, &example.features));
            advance();
            Some(TrainedSet { name, metrics, number, weights })
        };
        TrainedWeights { weights, sets: sets.par_iter().filter_map(train).collect() }
    }

    /// Returns the sets of a game by their numbers, each with one of its sectors.
    fn sets(&self, game: &Solvable) -> BTreeMap<usize, Sector> {
        let weights = Weights::of(game.rules().diagonals);
        let sectors = if self.placing_only { game.placing() } else { game.sectors() };
        let sets = sectors.into_iter();
        sets.filter_map(|sector| Some((number(weights, sector)?, sector))).collect()
    }
}

/// Returns the number of the set that the positions of a sector train, or `None` if all men are placed and no set
/// covers their numbers.
fn number(weights: Weights, sector: Sector) -> Option<usize> {
    let (on_board, hands) = examples::numbers(sector);
    let trains = sector.is_placing() || weights.has_pair(on_board);
    trains.then(|| weights.number(on_board, hands))
}

impl TrainedWeights {
    /// Returns the means over all sets with equal weight, and the number of all examples.
    pub fn mean(&self) -> Metrics {
        let over = |get: fn(&Metrics) -> Option<f64>| {
            let known: Vec<f64> = self.sets.iter().filter_map(|set| get(&set.metrics)).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        Metrics {
            examples: self.sets.iter().map(|set| set.metrics.examples).sum(),
            log_loss: over(|metrics| Some(metrics.log_loss)).unwrap_or_default(),
            constant_log_loss: over(|metrics| Some(metrics.constant_log_loss)).unwrap_or_default(),
            wins_over_draws: over(|metrics| metrics.wins_over_draws),
            draws_over_losses: over(|metrics| metrics.draws_over_losses),
        }
    }

    /// Writes the weights file, whole or not at all. Sets that were not trained are copied from the program.
    ///
    /// # Errors
    ///
    /// When the system refuses; what was written is removed.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let trained = self.sets.iter().map(|set| (set.number, quantise(&set.weights)));
        let content = self.weights.file_with(trained);
        whole_file::save(path, |mut file| file.write_all(&content))
    }
}
