//! A learned position: a canonical position and a search result.
//!
//! The 16 images of a position under the symmetries of the board have the same value, so one of them, the
//! canonical position, represents all. Move counters are left out.

use std::sync::LazyLock;

use crate::board::{Side, Symmetry};
use crate::position::{Move, Position, TextError};
use crate::rules::{Extras, Identity, PRESETS, Preset, RuleSet, Rules};
use crate::score::{Bound, Score};

/// A position and a search result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedPosition {
    /// The position.
    pub position: CanonicalPosition,
    /// The result, with the best move of the canonical position.
    pub result: SearchResult,
}

/// A position of a game that represents all symmetric ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalPosition {
    /// The game.
    pub game: Identity,
    /// The position text with initial counters.
    pub text: String,
}

/// A search result for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResult {
    /// An estimate, or a mate counted from the position.
    pub score: Score,
    /// How the score relates to the value.
    pub bound: Bound,
    /// The depth of the search in placements and slides, 1 to 255.
    pub depth: u8,
    /// The best move, if there is one.
    pub best: Option<Move>,
}

impl LearnedPosition {
    /// The learned position of a result, whose best move is one in `position`.
    pub fn new<R: Rules>(position: &Position<R>, result: SearchResult) -> Self {
        let (position, symmetry) = CanonicalPosition::of(position);
        let best = result.best.map(|mv| mv.image(symmetry));
        Self { position, result: SearchResult { best, ..result } }
    }
}

impl SearchResult {
    /// Whether this result replaces another one for the same position: a mate beats an estimate, then the
    /// greater depth counts, then an exact score beats a bound.
    ///
    /// This is a total order, so results may be merged in any order.
    pub fn is_better_than(&self, other: &Self) -> bool {
        let rank = |result: &Self| {
            let Self { score, bound, depth, best } = *result;
            (score.is_mate(), depth, bound as u8, score, best.map(Move::bits))
        };
        rank(self) > rank(other)
    }

    /// The priority in pruning: mates before estimates, then results that take longer to find again, then
    /// estimates far from zero.
    pub fn usefulness(&self) -> (bool, u16, u16) {
        match self.score.turns() {
            Some(turns) => (true, turns, self.depth.into()),
            None => (false, self.depth.into(), self.score.hundredths().unsigned_abs()),
        }
    }
}

impl CanonicalPosition {
    /// The canonical position of a position, and the symmetry that leads to it: that whose image has the smallest
    /// sets of men, White's first. If the rules remember more than men, the text decides between images with the
    /// same men.
    pub fn of<R: Rules>(position: &Position<R>) -> (Self, Symmetry) {
        let is_plain = *position.extras() == Extras::NONE;
        let order = |symmetry: &Symmetry| {
            let men = Side::ALL.map(|side| symmetry.set(position.men(side)).bits());
            let text = if is_plain { String::new() } else { position.image(*symmetry).to_string() };
            (men, text)
        };
        let symmetry = Symmetry::all().min_by_key(order).unwrap_or(Symmetry::IDENTITY);
        let text = position.image(symmetry).without_counters().to_string();
        (Self { game: position.rules().identity(), text }, symmetry)
    }

    /// The keys of all positions that this one represents, without duplicates, and the symmetries that lead to
    /// them.
    ///
    /// # Errors
    ///
    /// If the text is not a position of the rules.
    pub fn images(&self, rules: &RuleSet) -> Result<Vec<(u64, Symmetry)>, TextError> {
        let position = Position::from_text(&self.text, *rules)?;
        let image = |symmetry| (position.image(symmetry).key(), symmetry);
        let mut images: Vec<_> = Symmetry::all().map(image).collect();
        images.sort_by_key(|&(key, _)| key);
        images.dedup_by_key(|&mut (key, _)| key);
        Ok(images)
    }
}

/// The preset with an identity; `None` for rules without a name.
pub fn preset_of(game: Identity) -> Option<&'static Preset> {
    static GAMES: LazyLock<[Identity; PRESETS.len()]> =
        LazyLock::new(|| PRESETS.map(|preset| preset.rules.identity()));
    GAMES.iter().position(|identity| *identity == game).map(|index| &PRESETS[index])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    #[test]
    fn symmetric_positions_of_every_game_have_one_canonical_position() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        for preset in &PRESETS {
            let mut position = Position::start(preset.rules);
            for _ in 0..60 {
                let Some(&mv) = position.moves().choose(&mut random) else { break };
                position = position.after(mv);
                let (canonical, symmetry) = CanonicalPosition::of(&position);
                for symmetry in Symmetry::all() {
                    assert_eq!(CanonicalPosition::of(&position.image(symmetry)).0, canonical);
                }
                let Some(&best) = position.moves().first() else { continue };
                let best = best.image(symmetry);
                let images = canonical.images(&preset.rules).unwrap();
                let own = images.iter().filter(|(key, _)| *key == position.key());
                let own: Vec<Move> = own.map(|&(_, symmetry)| best.image(symmetry)).collect();
                assert!(own.len() == 1 && position.is_legal(own[0]), "{canonical:?}");
            }
        }
    }

    #[test]
    fn counters_do_not_matter() {
        let read = |text: &str| {
            CanonicalPosition::of(&Position::from_text(text, RuleSet::default()).unwrap())
        };
        let text = "@**O****/*O**@***/O***@*@O b m s 4 0 4 0 0 0 0 0 0 0 0 9 14";
        let (canonical, symmetry) = read(text);
        assert_eq!(read(&text.replace("9 14", "0 3")), (canonical.clone(), symmetry));
        assert_eq!(read(&canonical.text), (canonical, Symmetry::IDENTITY));
    }
}
