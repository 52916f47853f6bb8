//! What earlier games taught, in the transposition table.
//!
//! Each lesson is stored for all symmetric positions, as a record that does not age, and again
//! whenever the table is emptied, until lessons fill their share: what was taught last comes first,
//! and of what was taught at once the most useful.

use std::collections::HashSet;

use super::engine::Engine;
use super::hooks::comes_in_time;
use super::parameters::LESSONS_SHARE;
use super::tt::Entry;
use crate::learning::{Image, Lesson, Lessons};
use crate::position::TextError;
use crate::rules::{DrawRules, RuleSet};

impl Engine {
    /// Teaches lessons about positions of a game, beside those taught before.
    ///
    /// Lessons about other games are left out, and where the draw rules are not the usual ones, so are
    /// estimates and what the n-move rule may overtake.
    pub fn teach(&mut self, lessons: &Lessons, rules: &RuleSet, draws: DrawRules) {
        let game = rules.identity();
        let of_game = |lesson: &Lesson| lesson.subject.game == game && stands(lesson, draws);
        let mut chosen: Vec<Lesson> = lessons.iter().filter(of_game).collect();
        chosen.sort_by_key(|lesson| lesson.finding.use_to_keep());
        let mut taught = Vec::new();
        for lesson in chosen {
            match records(&lesson, rules) {
                Ok(records) => taught.extend(records),
                Err(error) => log::debug!("{lesson}: {error}"),
            }
        }
        if !self.lessons.is_empty() {
            let keys: HashSet<u64> = taught.iter().map(|(key, _)| *key).collect();
            self.lessons.retain(|(key, _)| !keys.contains(key));
        }
        self.lessons.extend(&taught);
        self.store_lessons(taught.len());
    }

    /// Forgets all lessons and every search before.
    pub fn unteach(&mut self) {
        self.lessons.clear();
        self.clear();
    }

    /// Puts so many of the records that come first into the table, as far as there is room.
    pub(super) fn store_lessons(&self, count: usize) {
        let room = self.table.capacity() / LESSONS_SHARE;
        for &(key, record) in self.lessons.iter().rev().take(room.min(count)) {
            self.table.store_lasting(key, record);
        }
    }
}

/// Whether a lesson holds under the draw rules: an estimate is about a game drawn as usual.
fn stands(lesson: &Lesson, draws: DrawRules) -> bool {
    let score = lesson.finding.score;
    if score.is_mate() { comes_in_time(score, 0, draws) } else { draws == DrawRules::default() }
}

/// The records of a lesson, with the keys of all symmetric positions.
fn records(lesson: &Lesson, rules: &RuleSet) -> Result<Vec<(u64, Entry)>, TextError> {
    let finding = lesson.finding;
    let images = lesson.subject.images(rules, finding.best)?;
    // What is proven answers a search of any depth.
    let depth = if finding.score.is_mate() { u8::MAX } else { finding.depth };
    let record = |Image { key, best }| {
        (key, Entry { best, score: finding.score, depth, bound: finding.bound })
    };
    Ok(images.into_iter().map(record).collect())
}
