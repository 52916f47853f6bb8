//! The value of a quiet position, estimated without search.
//!
//! ```text
//! patterns, stage -> learned   Nine Men's Morris, by weights trained from the tablebase
//! weights                      those weights
//! hand_set                     every other game
//! ```

mod hand_set;
mod learned;
mod patterns;
mod stage;
pub mod weights;

use std::any::TypeId;
use std::sync::LazyLock;

use crate::board::SquareSet;
use crate::position::Position;
use crate::rules::{Identity, RuleSet, Rules, Standard};
use crate::score::Score;

pub(crate) use hand_set::evaluate as evaluate_by_hand;
pub(crate) use patterns::{Patterns, RINGS, SECTORS};
pub(crate) use stage::{LOSSES, STAGES, losses, stage};

/// Estimates the position for the side to move; a removal that is owed does not count.
#[inline]
#[must_use]
pub fn evaluate<R: Rules>(position: &Position<R>) -> Score {
    if is_learned::<R>() {
        let (own, opponent, hands) = seen_by_side_to_move(position);
        learned::evaluate(own, opponent, hands)
    } else {
        hand_set::evaluate(position)
    }
}

/// The version of the evaluation of a game: estimates by other weights have another number.
#[must_use]
pub fn version(game: Identity) -> u32 {
    static LEARNED: LazyLock<(Identity, u32)> =
        LazyLock::new(|| (RuleSet::NINE_MENS_MORRIS.identity(), weights::checksum()));
    let (standard, checksum) = *LEARNED;
    if game == standard { checksum } else { hand_set::VERSION }
}

/// A part of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// What it counts.
    pub name: &'static str,
    /// What it is worth to the side to move, in hundredths of a man.
    pub worth: f64,
}

/// The terms of the estimate; their sum is the estimate except for rounding.
#[must_use]
pub fn terms<R: Rules>(position: &Position<R>) -> Vec<Term> {
    if is_learned::<R>() {
        let (own, opponent, hands) = seen_by_side_to_move(position);
        learned::terms(own, opponent, hands)
    } else {
        hand_set::terms(position)
    }
}

/// Whether the game has trained weights; known at compile time.
#[inline]
fn is_learned<R: Rules>() -> bool {
    TypeId::of::<R>() == TypeId::of::<Standard>()
}

/// The men of the side to move, those of the opponent, and how many both have in hand.
#[inline]
fn seen_by_side_to_move<R: Rules>(position: &Position<R>) -> (SquareSet, SquareSet, [u8; 2]) {
    let side = position.to_move();
    let hands = [side, !side].map(|side| position.in_hand(side));
    (position.men(side), position.men(!side), hands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;

    const TEXTS: [&str; 3] = [
        "*O******/*****@**/@****O** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3",
        "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10",
        "@**O****/*O**@***/****@*@O w m s 3 0 4 0 0 0 0 0 0 0 0 0 10",
    ];

    fn check_symmetries<R: Rules>(rules: R) {
        for text in TEXTS {
            let position = Position::from_text(text, rules).unwrap();
            for symmetry in Symmetry::all() {
                assert_eq!(evaluate(&position.image(symmetry)), evaluate(&position));
            }
        }
    }

    fn check_terms<R: Rules>(rules: R) {
        for text in TEXTS {
            let position = Position::from_text(text, rules).unwrap();
            let sum: f64 = terms(&position).iter().map(|term| term.worth).sum();
            assert_eq!(Score::estimate(sum.floor() as i32), evaluate(&position));
        }
    }

    #[test]
    fn symmetric_positions_are_worth_the_same() {
        check_symmetries(Standard);
        check_symmetries(RuleSet::default());
    }

    #[test]
    fn terms_add_up_to_the_estimate() {
        check_terms(Standard);
        check_terms(RuleSet::default());
    }

    #[test]
    fn who_has_more_men_is_better() {
        for [more, fewer] in [
            [
                "OO@*@*O*/@*O*****/******** w p p 4 5 3 5 0 0 0 0 0 0 0 0 5",
                "OO@*@*O*/@*O***@*/******** w p p 4 5 4 5 0 0 0 0 0 0 0 0 5",
            ],
            [
                "O@*@O*O*/@*O*@*@*/*O*@*O*O w m s 7 0 6 0 0 0 0 0 0 0 0 0 10",
                "O@*@O*O*/@*O*@*@*/*O*@***O w m s 6 0 6 0 0 0 0 0 0 0 0 0 10",
            ],
        ] {
            let score = |text| evaluate(&Position::from_text(text, Standard).unwrap());
            assert!(score(more) > score(fewer), "{more}");
        }
    }
}
