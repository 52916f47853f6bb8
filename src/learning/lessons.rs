//! Many lessons, in the order of the file.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::finding::Finding;
use super::lesson::Lesson;
use super::subject::Subject;
use crate::rules::Identity;

/// Lessons about positions of any games, one about each position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lessons(BTreeMap<Subject, Finding>);

impl Lessons {
    /// The most lessons that a file keeps, about 5 MB of text.
    pub const MOST: usize = 50_000;

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is known of a position.
    #[must_use]
    pub fn find(&self, subject: &Subject) -> Option<&Finding> {
        self.0.get(subject)
    }

    /// All lessons, sorted by game and position.
    pub fn iter(&self) -> impl Iterator<Item = Lesson> {
        let lesson = |(subject, finding): (&Subject, &Finding)| Lesson {
            subject: subject.clone(),
            finding: *finding,
        };
        self.0.iter().map(lesson)
    }

    /// The games that there are lessons about, in order.
    #[must_use]
    pub fn games(&self) -> Vec<Identity> {
        let mut games: Vec<Identity> = self.0.keys().map(|subject| subject.game).collect();
        games.dedup();
        games
    }

    /// Adds a lesson, unless there is a better one about the position; whether it was added.
    pub fn insert(&mut self, lesson: Lesson) -> bool {
        match self.0.entry(lesson.subject) {
            Entry::Vacant(entry) => {
                entry.insert(lesson.finding);
                true
            }
            Entry::Occupied(mut entry) => {
                let is_better = lesson.finding.is_better_than(entry.get());
                if is_better {
                    entry.insert(lesson.finding);
                }
                is_better
            }
        }
    }

    /// Leaves out what is known of a position.
    pub fn remove(&mut self, subject: &Subject) -> Option<Finding> {
        self.0.remove(subject)
    }

    /// Takes out the least useful lessons, so that so many stay at most; how many it takes.
    pub fn prune(&mut self, keep: usize) -> usize {
        let mut subjects: Vec<(_, Subject)> = self
            .0
            .iter()
            .map(|(subject, finding)| (finding.use_to_keep(), subject.clone()))
            .collect();
        subjects.sort_by_key(|(use_to_keep, _)| Reverse(*use_to_keep));
        let pruned = subjects.get(keep..).unwrap_or_default();
        for (_, subject) in pruned {
            self.remove(subject);
        }
        pruned.len()
    }
}

impl Extend<Lesson> for Lessons {
    fn extend<I: IntoIterator<Item = Lesson>>(&mut self, lessons: I) {
        lessons.into_iter().for_each(|lesson| {
            self.insert(lesson);
        });
    }
}

impl FromIterator<Lesson> for Lessons {
    fn from_iter<I: IntoIterator<Item = Lesson>>(lessons: I) -> Self {
        let mut all = Self::default();
        all.extend(lessons);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::Standard;
    use crate::score::{Bound, Score};

    /// A lesson about the position after a placement.
    fn lesson(mv: &str, depth: u8, score: Score) -> Lesson {
        let mut position = Position::start(Standard);
        position = position.after(mv.parse().unwrap());
        Lesson::of(&position, Finding { score, bound: Bound::Exact, depth, best: None })
    }

    #[test]
    fn proven_beats_estimated_and_deeper_beats_shallower_in_any_order() {
        let from_worst = [
            lesson("d6", 9, Score::estimate(20)),
            lesson("f4", 9, Score::estimate(30)),
            lesson("b4", 10, Score::estimate(-5)),
            lesson("d2", 5, Score::mated_in(5)),
            lesson("d6", 8, Score::mated_in(7)),
        ];
        for (at, worse) in from_worst.iter().enumerate() {
            for better in &from_worst[at + 1..] {
                for pair in [[worse, better], [better, worse]] {
                    let lessons: Lessons = pair.into_iter().cloned().collect();
                    assert_eq!(lessons.len(), 1, "all are symmetric");
                    assert_eq!(lessons.find(&better.subject), Some(&better.finding));
                }
            }
        }
    }

    #[test]
    fn the_least_useful_lessons_go_first() {
        let from_best = [
            lesson("d6", 14, Score::mate_in(13)),
            lesson("d7", 14, Score::mated_in(5)),
            lesson("f6", 12, Score::estimate(-300)),
            lesson("g7", 12, Score::estimate(80)),
        ];
        for keep in 0..=from_best.len() {
            let mut lessons: Lessons = from_best.iter().cloned().collect();
            assert_eq!(lessons.prune(keep), from_best.len() - keep);
            assert_eq!(lessons, from_best[..keep].iter().cloned().collect());
        }
    }
}
