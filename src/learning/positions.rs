//! A collection of learned positions.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::mem;

use super::position::{CanonicalPosition, LearnedPosition, SearchResult};
use crate::rules::Identity;

/// Learned positions of any games, with one result each, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedPositions(BTreeMap<CanonicalPosition, SearchResult>);

impl LearnedPositions {
    /// The most positions that a file keeps.
    pub const MAX: usize = 50_000;

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The result for a position.
    pub fn get(&self, position: &CanonicalPosition) -> Option<&SearchResult> {
        self.0.get(position)
    }

    /// All learned positions, sorted by game and position text.
    pub fn iter(&self) -> impl Iterator<Item = LearnedPosition> {
        let each = self.0.iter().map(|(position, &result)| (position.clone(), result));
        each.map(|(position, result)| LearnedPosition { position, result })
    }

    /// The games of the positions, in ascending order.
    pub fn games(&self) -> Vec<Identity> {
        let mut games: Vec<Identity> = self.0.keys().map(|position| position.game).collect();
        games.dedup();
        games
    }

    /// Adds a learned position, unless there is an equal or better result. Returns whether it was added.
    pub fn insert(&mut self, learned: LearnedPosition) -> bool {
        let LearnedPosition { position, result } = learned;
        let is_better = self.0.get(&position).is_none_or(|known| result.is_better_than(known));
        if is_better {
            self.0.insert(position, result);
        }
        is_better
    }

    /// Removes the least useful positions until at most `keep` are left.
    pub fn prune(&mut self, keep: usize) {
        if self.len() > keep {
            let mut positions: Vec<_> = mem::take(&mut self.0).into_iter().collect();
            positions.sort_by_key(|(_, result)| Reverse(result.usefulness()));
            self.0.extend(positions.into_iter().take(keep));
        }
    }
}

impl Extend<LearnedPosition> for LearnedPositions {
    fn extend<I: IntoIterator<Item = LearnedPosition>>(&mut self, positions: I) {
        for learned in positions {
            self.insert(learned);
        }
    }
}

impl FromIterator<LearnedPosition> for LearnedPositions {
    fn from_iter<I: IntoIterator<Item = LearnedPosition>>(positions: I) -> Self {
        let mut all = Self::default();
        all.extend(positions);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::Standard;
    use crate::score::{Bound, Score};

    /// The learned position after a placement.
    fn learned(mv: &str, depth: u8, score: Score) -> LearnedPosition {
        let mut position = Position::start(Standard);
        position = position.after(mv.parse().unwrap());
        LearnedPosition::new(
            &position,
            SearchResult { score, bound: Bound::Exact, depth, best: None },
        )
    }

    #[test]
    fn mates_beat_estimates_and_deeper_beats_shallower_in_any_order() {
        let from_worst = [
            learned("d6", 9, Score::estimate(20)),
            learned("f4", 9, Score::estimate(30)),
            learned("b4", 10, Score::estimate(-5)),
            learned("d2", 5, Score::mated_in(5)),
            learned("d6", 8, Score::mated_in(7)),
        ];
        for (at, worse) in from_worst.iter().enumerate() {
            for better in &from_worst[at + 1..] {
                for pair in [[worse, better], [better, worse]] {
                    let positions: LearnedPositions = pair.into_iter().cloned().collect();
                    assert_eq!(positions.len(), 1, "all are symmetric");
                    assert_eq!(positions.get(&better.position), Some(&better.result));
                }
            }
        }
    }

    #[test]
    fn the_least_useful_positions_go_first() {
        let from_best = [
            learned("d6", 14, Score::mate_in(13)),
            learned("d7", 14, Score::mated_in(5)),
            learned("f6", 12, Score::estimate(-300)),
            learned("g7", 12, Score::estimate(80)),
        ];
        for keep in 0..=from_best.len() {
            let mut positions: LearnedPositions = from_best.iter().cloned().collect();
            positions.prune(keep);
            assert_eq!(positions, from_best[..keep].iter().cloned().collect());
        }
    }
}
