//! Lessons for tests: positions of random games, with findings that could be.

#![allow(dead_code, reason = "each test program needs some of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use millstone::learning::{Finding, Lesson, Lessons};
use millstone::position::Position;
use millstone::rules::{PRESETS, RuleSet};
use millstone::score::{Bound, Score};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// So many lessons about different positions of all games.
pub fn random(count: usize, seed: u64) -> Lessons {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut lessons = Lessons::default();
    while lessons.len() < count {
        let rules = PRESETS.choose(&mut random).expect("there are games").rules;
        let mut position = Position::start(rules);
        for _ in 0..random.random_range(6..60) {
            let Some(&mv) = position.moves().choose(&mut random) else { break };
            position = position.after(mv);
        }
        if position.ending().is_none() {
            lessons.insert(lesson(&position, &mut random));
        }
    }
    lessons
}

fn lesson(position: &Position<RuleSet>, random: &mut Xoshiro256PlusPlus) -> Lesson {
    let score = match random.random_range(0..4) {
        0 => Score::mate_in(random.random_range(1..40)),
        1 => Score::mated_in(random.random_range(0..40)),
        _ => Score::estimate(random.random_range(-900..900)),
    };
    let best = position.moves().choose(random).copied();
    Lesson::of(
        position,
        Finding { score, bound: Bound::Exact, depth: random.random_range(5..30), best },
    )
}

/// Parts of some lessons, each lesson being in one of them.
pub fn parts(lessons: &Lessons, count: usize) -> Vec<Lessons> {
    let mut parts = vec![Lessons::default(); count];
    for (index, lesson) in lessons.iter().enumerate() {
        parts[index % count].insert(lesson);
    }
    parts
}

/// Writes a new learning file.
pub fn write(path: &Path, lessons: &Lessons) {
    millstone::learning::LearningFile::new(path).add(lessons).expect("a new file");
}

/// The lines of a file that tell of positions, by what is in their columns; each line must be good.
pub fn read_lines(path: &Path) -> BTreeMap<String, Lesson> {
    let text = fs::read_to_string(path).expect("the file is there");
    assert!(text.is_empty() || text.ends_with('\n'), "the last line is whole");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let parse = |line: &str| line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    lines.map(|line| (line.to_owned(), parse(line))).collect()
}
