//! All of the training.

use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;

use super::example::Example;
use super::figures::Figures;
use super::fit::{fit, sum};
use super::placing::Placing;
use super::quantise::quantise;
use super::{games, moving, placing};
use crate::board::SquareSet;
use crate::evaluate::weights::{Content, MAGIC, PAIRS};
use crate::position::Position;
use crate::rules::Standard;
use crate::tablebase::{Sector, Tablebase};
use crate::whole_file;

/// Of how many positions one is kept apart from learning.
const APART: usize = 10;

/// How many positions of a set go with each game that is played.
const POSITIONS_PER_GAME: u64 = 2;

/// How much is learned from.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What all random choices follow from.
    pub seed: u64,
    /// Positions for each set of weights.
    pub positions: usize,
}

/// A set of weights that was learned.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// Which positions it is for.
    pub name: String,
    /// How well it explains positions kept apart.
    pub figures: Figures,
    /// Its place in the file.
    index: usize,
    weights: Vec<f32>,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Lessons {
    /// The sets.
    pub sets: Vec<Lesson>,
}

impl Plan {
    /// Learns all sets whose positions the databases know; `advance` is called after each.
    #[must_use]
    pub fn run(&self, tablebase: &Tablebase, advance: &(dyn Fn() + Sync)) -> Lessons {
        let played = games::play(self.seed, 0..self.positions as u64 / POSITIONS_PER_GAME);
        let mut sets = self.learn_moving(tablebase, &moving::by_sector(&played), advance);
        sets.extend(learn_placing(tablebase, &placing::by_stage(&played), advance));
        Lessons { sets }
    }

    fn learn_moving(
        &self,
        tablebase: &Tablebase,
        played: &[Vec<(SquareSet, SquareSet)>],
        advance: &(dyn Fn() + Sync),
    ) -> Vec<Lesson> {
        let sectors: Vec<Sector> = Sector::all().collect();
        let learn = |sector: Sector| {
            let played = &played[sector.index()];
            let examples = moving::examples(tablebase, sector, played, self.positions, self.seed);
            let lesson = learn(sector.to_string(), sector.index(), &examples?);
            advance();
            Some(lesson)
        };
        sectors.into_par_iter().filter_map(learn).collect()
    }
}

/// Learns the stages of placing, the last one first, as far as the databases know how it ends.
fn learn_placing(
    tablebase: &Tablebase,
    played: &[Vec<Position<Standard>>],
    advance: &dyn Fn(),
) -> Vec<Lesson> {
    let mut placing = Placing { tablebase, learned: Vec::new() };
    let mut lessons = Vec::new();
    for (stage, positions) in played.iter().enumerate() {
        let Some(examples) = placing.examples(positions) else { break };
        let name = format!("hand {}{}", stage / 2 + 1, ["-", "="][stage % 2]);
        let lesson = learn(name, PAIRS + stage, &examples);
        placing.learned.push(lesson.weights.clone());
        lessons.push(lesson);
        advance();
    }
    lessons
}

/// Fits all but some of the examples, which are in no order, and measures on the others.
fn learn(name: String, index: usize, examples: &[Example]) -> Lesson {
    let (apart, learned) = examples.split_at(examples.len() / APART);
    let weights = fit(learned);
    let figures = Figures::of(apart, |example| sum(&weights, &example.features));
    Lesson { name, figures, index, weights }
}

impl Lessons {
    /// The figures of all sets together.
    #[must_use]
    pub fn mean(&self) -> Figures {
        let figures: Vec<Figures> = self.sets.iter().map(|lesson| lesson.figures).collect();
        Figures::mean(&figures)
    }

    /// Writes the file of the weights, which is there whole or not at all.
    ///
    /// # Errors
    ///
    /// When the system refuses; what was written is removed.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut content = bytemuck::zeroed_box::<Content>();
        content.magic = MAGIC;
        for lesson in &self.sets {
            content.sets[lesson.index] = quantise(&lesson.weights);
        }
        whole_file::save(path, |mut file| file.write_all(bytemuck::bytes_of(&*content)))
    }
}
