//! What earlier games taught, in the transposition table.
//!
//! Each lesson is stored for all symmetric positions, as a record that does not age, and again
//! whenever the table is emptied. The most useful ones come first, until they fill their share.

use std::cmp::Reverse;

use super::engine::Engine;
use super::parameters::LESSONS_SHARE;
use super::table::Record;
use crate::knowledge::learning::{Image, Lesson, Lessons};
use crate::position::TextError;
use crate::rules::{DrawRules, RuleSet};
use crate::score::ScoreKind;

impl Engine {
    /// Teaches lessons about positions of a game, beside those taught before; lessons about other games,
    /// and wins and losses that the draw rules may overtake, are left out.
    pub fn teach(&mut self, lessons: &Lessons, rules: &RuleSet, draws: DrawRules) {
        let game = rules.identity();
        let of_game = |lesson: &Lesson| lesson.subject.game == game && ends_in_time(lesson, draws);
        let mut chosen: Vec<Lesson> = lessons.iter().filter(of_game).collect();
        chosen.sort_by_key(|lesson| Reverse(lesson.finding.use_to_keep()));
        let taught = self.lessons.len();
        for lesson in chosen {
            match records(&lesson, rules) {
                Ok(records) => self.lessons.extend(records),
                Err(error) => log::debug!("{lesson}: {error}"),
            }
        }
        self.store_lessons(taught);
    }

    /// Forgets all lessons and every search before.
    pub fn unteach(&mut self) {
        self.lessons.clear();
        self.clear();
    }

    /// Puts the lessons from a number on into the table.
    pub(super) fn store_lessons(&self, first: usize) {
        let room = self.table.capacity() / LESSONS_SHARE;
        for &(key, record) in self.lessons.iter().take(room).skip(first) {
            self.table.store_lasting(key, record);
        }
    }
}

/// Whether a win or loss that begins right after a placement or removal comes before any draw by slides.
fn ends_in_time(lesson: &Lesson, draws: DrawRules) -> bool {
    match lesson.finding.score.kind() {
        ScoreKind::Estimate(_) => true,
        ScoreKind::WinIn(turns) | ScoreKind::LossIn(turns) => turns <= draws.first_limit(),
    }
}

/// The records of a lesson, with the keys of all symmetric positions.
fn records(lesson: &Lesson, rules: &RuleSet) -> Result<Vec<(u64, Record)>, TextError> {
    let finding = lesson.finding;
    let images = lesson.subject.images(rules, finding.best)?;
    let record = |Image { key, best }| {
        (key, Record { best, score: finding.score, depth: finding.depth, bound: finding.bound })
    };
    Ok(images.into_iter().map(record).collect())
}
