//! Learned positions for tests: positions of random games with plausible results.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::client::Client;
use crate::random::{IndexedRandom, Random, RngExt, random_position, seeded};
use millstone::learning::{LearnedPosition, LearnedPositions, LearningFile, SearchResult};
use millstone::position::Position;
use millstone::rules::{PRESETS, RuleSet};
use millstone::score::{Bound, Score};
use tempfile::TempDir;

/// Black wins in seven turns.
pub const LONG_WIN: &str = "***OO@*O/****O*@@/@**@@@@@ b m s 4 0 9 0 0 0 0 0 0 0 0 3 34";

pub fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for tests")
}

/// An engine that learns in a file, without a tablebase.
pub fn engine(home: &Path, file: &Path) -> Client {
    let file = format!("LearningFile={}", file.display());
    let options = ["Hash=1", "UsePerfectDatabase=false", &file, "Learning=true"];
    Client::start_in(home, &[]).with(&options)
}

/// Different positions of all games, as many as `count`.
pub fn random(count: usize, seed: u64) -> LearnedPositions {
    let mut random = seeded(seed);
    let mut positions = LearnedPositions::default();
    while positions.len() < count {
        let rules = PRESETS.choose(&mut random).expect("there are games").rules;
        let plies = random.random_range(6..60);
        let position = random_position(rules, plies, &mut random);
        if position.ending().is_none() {
            positions.insert(learned(&position, &mut random));
        }
    }
    positions
}

fn learned(position: &Position<RuleSet>, random: &mut Random) -> LearnedPosition {
    let score = match random.random_range(0..4) {
        0 => Score::mate_in(random.random_range(1..40)),
        1 => Score::mated_in(random.random_range(0..40)),
        _ => Score::estimate(random.random_range(-900..900)),
    };
    let (best, depth) = (position.moves().choose(random).copied(), random.random_range(5..30));
    LearnedPosition::new(position, SearchResult { score, bound: Bound::Exact, depth, best })
}

/// Splits positions into parts.
pub fn parts(positions: &LearnedPositions, count: usize) -> Vec<LearnedPositions> {
    let mut parts = vec![LearnedPositions::default(); count];
    for (index, learned) in positions.iter().enumerate() {
        parts[index % count].insert(learned);
    }
    parts
}

/// Writes a new learning file.
pub fn write(path: &Path, positions: &LearnedPositions) {
    LearningFile::new(path).add(positions, Duration::ZERO).expect("nobody else writes it");
}

/// The learned positions of a file by their lines, all of which must be good.
pub fn read_lines(path: &Path) -> BTreeMap<String, LearnedPosition> {
    let text = fs::read_to_string(path).expect("the file is there");
    assert!(text.is_empty() || text.ends_with('\n'), "the last line is whole");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parse = |line: &str| line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    lines.map(|line| (line.to_owned(), parse(line))).collect()
}
