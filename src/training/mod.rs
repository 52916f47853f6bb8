//! Training the evaluation of Nine Men's Morris from a tablebase.
//!
//! Each set of weights is fitted by logistic regression to examples: positions with the expected
//! result of the game. For a pair of men counts and for a stage of placing the results are those of
//! the tablebase.
//!
//! ```text
//! examples      positions, and what they are worth
//! regression    features of a position, fitting weights, rounding them for the file
//! metrics       how well weights predict held-out examples
//! ```

mod examples;
mod metrics;
mod regression;

use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;

use crate::board::SquareSet;
use crate::evaluate::weights::{PAIRS, content};
use crate::position::Position;
use crate::rules::Standard;
use crate::tablebase::{Sector, Solvable, Tablebase};
use crate::whole_file;
pub use metrics::Metrics;
use regression::{Example, fit, quantise, sum};

/// One example in this many is held out to measure the weights.
const HELD_OUT: usize = 10;

/// How many positions of a set go with each game that is played.
const POSITIONS_PER_GAME: u64 = 2;

/// What the training depends on; the same settings and tablebase give the same weights.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of positions for each pair of men counts, at least 10; half as many games are
    /// played.
    pub positions: usize,
    /// Whether only the stages of placing are trained.
    pub placing_only: bool,
}

/// A trained set of weights.
#[derive(Clone, Debug)]
pub struct TrainedSet {
    /// The men counts or the stage of placing that it is for.
    pub name: String,
    /// How well it predicts held-out examples.
    pub metrics: Metrics,
    /// Its index in the file.
    index: usize,
    weights: Vec<f32>,
}

/// The sets that could be trained.
#[derive(Clone, Debug)]
pub struct TrainedWeights {
    /// The sets.
    pub sets: Vec<TrainedSet>,
}

impl Training {
    /// Trains all sets for which the tablebase has the values; `advance` is called after each.
    #[must_use]
    pub fn run(&self, tablebase: &Tablebase, advance: &(dyn Fn() + Sync)) -> TrainedWeights {
        let games = self.positions as u64 / POSITIONS_PER_GAME;
        let played = examples::play_games(self.seed, 0..games);
        let mut sets = Vec::new();
        if !self.placing_only {
            sets = self.train_sectors(tablebase, &examples::by_sector(&played), advance);
        }
        sets.extend(train_placing(tablebase, &examples::by_stage(&played), advance));
        TrainedWeights { sets }
    }

    fn train_sectors(
        &self,
        tablebase: &Tablebase,
        played: &[Vec<(SquareSet, SquareSet)>],
        advance: &(dyn Fn() + Sync),
    ) -> Vec<TrainedSet> {
        let sectors = Solvable::STANDARD.moving();
        let train = |sector: Sector| {
            let number = examples::number_of(sector);
            let played = &played[number];
            let examples =
                examples::of_sector(tablebase, sector, played, self.positions, self.seed)?;
            let set = TrainedSet::fitted(sector.to_string(), number, &examples);
            advance();
            Some(set)
        };
        sectors.into_par_iter().filter_map(train).collect()
    }
}

/// Trains the stages of placing as far as the tablebase has the values.
fn train_placing(
    tablebase: &Tablebase,
    played: &[Vec<Position<Standard>>],
    advance: &(dyn Fn() + Sync),
) -> Vec<TrainedSet> {
    let train = |(stage, positions): (usize, &Vec<Position<Standard>>)| {
        let examples = examples::of_stage(tablebase, positions)?;
        let name = format!("hand {}{}", stage / 2 + 1, ["-", "="][stage % 2]);
        let set = TrainedSet::fitted(name, PAIRS + stage, &examples);
        advance();
        Some(set)
    };
    played.par_iter().enumerate().filter_map(train).collect()
}

impl TrainedSet {
    /// Fits weights to all but some of the examples, which are in random order, and measures them
    /// on the others.
    fn fitted(name: String, index: usize, examples: &[Example]) -> Self {
        let (held_out, examples) = examples.split_at(examples.len() / HELD_OUT);
        let weights = fit(examples);
        let metrics = Metrics::of(held_out, |example| sum(&weights, &example.features));
        Self { name, metrics, index, weights }
    }
}

impl TrainedWeights {
    /// The means over all sets.
    #[must_use]
    pub fn mean(&self) -> Metrics {
        let metrics: Vec<Metrics> = self.sets.iter().map(|set| set.metrics).collect();
        Metrics::mean(&metrics)
    }

    /// Writes the file of weights, whole or not at all; sets that were not trained stay those of the
    /// program.
    ///
    /// # Errors
    ///
    /// When the system refuses; what was written is removed.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut content = Box::new(*content());
        for set in &self.sets {
            content.sets[set.index] = quantise(&set.weights);
        }
        whole_file::save(path, |mut file| file.write_all(bytemuck::bytes_of(&*content)))
    }
}
