//! The position that a lesson is about.
//!
//! All 16 images of a position under the symmetries of the board are worth the same, so one of them
//! stands for all: the one whose men have the least numbers. Counters of moves do not matter either.

use crate::board::{Side, Symmetry};
use crate::position::{Move, Position, TextError};
use crate::rules::{Extras, Identity, RuleSet, Rules};

/// A position of a game, the same for all symmetric ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// The game.
    pub game: Identity,
    /// The position as text, its counters at their beginning.
    pub position: String,
}

/// A position that a lesson holds for as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// The key of the position.
    pub key: u64,
    /// The best move as it is there.
    pub best: Option<Move>,
}

impl Subject {
    /// The subject that a position belongs to, and the symmetry that leads to it.
    #[must_use]
    pub fn of<R: Rules>(position: &Position<R>) -> (Self, Symmetry) {
        let symmetry = to_representative(position);
        let text = position.image(symmetry).without_counters().to_string();
        (Self { game: position.rules().identity(), position: text }, symmetry)
    }

    /// All positions that share the subject, each once, with what a best move of it is there.
    ///
    /// # Errors
    ///
    /// When the text is no position of the game, which must be the one of the subject.
    pub fn images(&self, rules: &RuleSet, best: Option<Move>) -> Result<Vec<Image>, TextError> {
        let position = Position::from_text(&self.position, *rules)?;
        let mut images: Vec<Image> = Vec::with_capacity(Symmetry::COUNT);
        for symmetry in Symmetry::all() {
            let key = position.image(symmetry).key();
            if images.iter().all(|image| image.key != key) {
                images.push(Image { key, best: best.map(|mv| mv.image(symmetry)) });
            }
        }
        Ok(images)
    }
}

/// The symmetry that shows the image with the least numbers; what only some games remember decides
/// between images with the same men.
fn to_representative<R: Rules>(position: &Position<R>) -> Symmetry {
    let is_plain = *position.extras() == Extras::NONE;
    let order = |symmetry: &Symmetry| {
        let men = Side::ALL.map(|side| symmetry.set(position.men(side)).bits());
        let rest = if is_plain { String::new() } else { position.image(*symmetry).to_string() };
        (men, rest)
    };
    Symmetry::all().min_by_key(order).unwrap_or(Symmetry::IDENTITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::PRESETS;
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn symmetric_positions_of_every_game_are_one_subject() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        for preset in &PRESETS {
            let mut position = Position::start(preset.rules);
            for _ in 0..60 {
                let Some(&mv) = position.moves().choose(&mut random) else { break };
                position = position.after(mv);
                let (subject, symmetry) = Subject::of(&position);
                for symmetry in Symmetry::all() {
                    assert_eq!(Subject::of(&position.image(symmetry)).0, subject);
                }
                let Some(&best) = position.moves().first() else { continue };
                let best = best.image(symmetry);
                let images = subject.images(&preset.rules, Some(best)).unwrap();
                let own = images.iter().filter(|image| image.key == position.key());
                let own: Vec<Move> = own.filter_map(|image| image.best).collect();
                assert!(own.len() == 1 && position.is_legal(own[0]), "{subject:?}");
            }
        }
    }

    #[test]
    fn counters_make_no_other_subject() {
        let read =
            |text: &str| Subject::of(&Position::from_text(text, RuleSet::default()).unwrap());
        let text = "@**O****/*O**@***/O***@*@O b m s 4 0 4 0 0 0 0 0 0 0 0 9 14";
        let (subject, symmetry) = read(text);
        assert_eq!(read(&text.replace("9 14", "0 3")), (subject.clone(), symmetry));
        assert_eq!(read(&subject.position), (subject, Symmetry::IDENTITY));
    }
}
