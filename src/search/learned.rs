//! Learned positions in the transposition table.
//!
//! Each learned position is stored for all symmetric positions, in an entry that does not age, and
//! again whenever the table is emptied, until learned positions fill their share of the table:
//! those added last come first, and of those added at once the most useful.

use std::collections::HashSet;

use super::draw::mate_precedes_n_move_rule;
use super::engine::Engine;
use super::tt::Entry;
use crate::learning::{LearnedPosition, LearnedPositions};
use crate::rules::{DrawRules, RuleSet};

impl Engine {
    /// Adds learned positions of a game to those added before.
    ///
    /// Positions of other games are left out. So are mates that the n-move rule of `draws` may
    /// overtake, and all estimates unless `draws` are the usual draw rules.
    pub fn add_learned(&mut self, positions: &LearnedPositions, rules: &RuleSet, draws: DrawRules) {
        let game = rules.identity();
        let counts = |learned: &LearnedPosition| {
            learned.position.game == game && holds_under(learned, draws)
        };
        let mut chosen: Vec<LearnedPosition> = positions.iter().filter(counts).collect();
        chosen.sort_by_key(|learned| learned.result.usefulness());
        let mut added = Vec::new();
        for learned in chosen {
            let result = learned.result;
            // A mate answers a search of any depth.
            let depth = if result.score.is_mate() { u8::MAX } else { result.depth };
            let entry = |best| Entry::new(best, result.score, depth, result.bound);
            match learned.position.images(rules, result.best) {
                Ok(images) => {
                    added.extend(images.iter().map(|image| (image.key, entry(image.best))));
                }
                Err(error) => log::debug!("{learned}: {error}"),
            }
        }
        if !self.learned.is_empty() {
            let keys: HashSet<u64> = added.iter().map(|(key, _)| *key).collect();
            self.learned.retain(|(key, _)| !keys.contains(key));
        }
        self.learned.extend(&added);
        self.store_learned(added.len());
    }

    /// Forgets all learned positions and every search before.
    pub fn forget_learned(&mut self) {
        self.learned.clear();
        self.clear();
    }
}

/// Whether a result holds under the draw rules; an estimate assumes the usual ones.
fn holds_under(learned: &LearnedPosition, draws: DrawRules) -> bool {
    let score = learned.result.score;
    if score.is_mate() {
        mate_precedes_n_move_rule(score, 0, draws)
    } else {
        draws == DrawRules::default()
    }
}
