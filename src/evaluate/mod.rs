//! The value of a quiet position, estimated without search.
//!
//! ```text
//! learned    games on the board without diagonals, by weights trained from the tablebase of Nine Men's Morris
//! patterns     the patterns that they belong to
//! weights      the weights, and the stages of a game that have their own
//! hand_set   games on the board with diagonals
//! chances    what a drawn position is worth against an opponent who errs
//! ```

mod chances;
mod hand_set;
mod learned;
mod patterns;
pub mod weights;

use std::sync::LazyLock;

use crate::board::{Diagonals, SquareSet};
use crate::position::Position;
use crate::rules::{Identity, RuleSet, Rules};
use crate::score::Score;

pub use chances::chances;
pub(crate) use hand_set::evaluate as evaluate_by_hand;
pub(crate) use patterns::{GROUPS, Patterns, RINGS};
pub(crate) use weights::{LOSSES, STAGES, losses, stage};

/// Which weights estimate the positions of a game.
///
/// A search chooses them once, for the rules of its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// Those trained for Nine Men's Morris. For other games on its board they are better by far or, as in Lasker
    /// Morris, no worse.
    Learned,
    /// Those set by hand, for games on the board with diagonals.
    HandSet,
}

impl Evaluation {
    /// The weights for a game.
    #[must_use]
    pub fn of(rules: &RuleSet) -> Self {
        match rules.diagonals {
            Diagonals::Without => Self::Learned,
            Diagonals::With => Self::HandSet,
        }
    }

    /// Estimates the position for the side to move; a removal that is owed does not count.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as a call it costs a search 0.8 % more instructions")]
    #[must_use]
    pub fn estimate<R: Rules>(self, position: &Position<R>) -> Score {
        match self {
            Self::Learned => {
                let (own, opponent, hands) = seen_by_side_to_move(position);
                learned::evaluate(own, opponent, hands)
            }
            Self::HandSet => hand_set::evaluate(position),
        }
    }

    /// The terms whose sum is the estimate of the position but for rounding.
    #[must_use]
    pub fn terms<R: Rules>(self, position: &Position<R>) -> Vec<Term> {
        match self {
            Self::Learned => {
                let (own, opponent, hands) = seen_by_side_to_move(position);
                learned::terms(own, opponent, hands)
            }
            Self::HandSet => hand_set::terms(position),
        }
    }
}

/// Estimates the position for the side to move by the weights for its game.
///
/// ```
/// use millstone::evaluate::evaluate;
/// use millstone::position::Position;
/// use millstone::rules::{RuleSet, Standard};
///
/// let text = "*O******/*****@**/@****O** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3";
/// let compiled = Position::from_text(text, Standard)?;
/// let at_run_time = Position::from_text(text, RuleSet::NINE_MENS_MORRIS)?;
/// assert_eq!(evaluate(&compiled), evaluate(&at_run_time));
/// # Ok::<(), millstone::position::TextError>(())
/// ```
#[must_use]
pub fn evaluate<R: Rules>(position: &Position<R>) -> Score {
    Evaluation::of(position.rules()).estimate(position)
}

/// The version of the weights for a game: another number for other weights.
#[must_use]
pub fn version(game: Identity) -> u32 {
    static LEARNED: LazyLock<(Identity, u32)> =
        LazyLock::new(|| (RuleSet::NINE_MENS_MORRIS.identity(), weights::checksum()));
    let (standard, checksum) = *LEARNED;
    if game == standard { checksum } else { checksum.wrapping_add(hand_set::VERSION) }
}

/// A term of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// What it counts.
    pub name: &'static str,
    /// The value for the side to move, in hundredths of a man.
    pub value: f64,
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
    use crate::rules::{Preset, Standard};

    const TEXTS: [&str; 3] = [
        "*O******/*****@**/@****O** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3",
        "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10",
        "@**O****/*O**@***/****@*@O w m s 3 0 4 0 0 0 0 0 0 0 0 0 10",
    ];

    const BOTH: [Evaluation; 2] = [Evaluation::Learned, Evaluation::HandSet];

    fn position(text: &str) -> Position<RuleSet> {
        Position::from_text(text, RuleSet::NINE_MENS_MORRIS).unwrap()
    }

    #[test]
    fn symmetric_positions_are_worth_the_same() {
        for (position, evaluation) in TEXTS.map(position).iter().flat_map(|p| BOTH.map(|e| (p, e)))
        {
            let expected = evaluation.estimate(position);
            for symmetry in Symmetry::all() {
                assert_eq!(evaluation.estimate(&position.image(symmetry)), expected);
            }
        }
    }

    #[test]
    fn terms_add_up_to_the_estimate() {
        for (position, evaluation) in TEXTS.map(position).iter().flat_map(|p| BOTH.map(|e| (p, e)))
        {
            let sum: f64 = evaluation.terms(position).iter().map(|term| term.value).sum();
            assert_eq!(Score::estimate(sum.floor() as i32), evaluation.estimate(position));
        }
    }

    #[test]
    fn the_rules_choose_the_weights_whatever_their_type() {
        assert_eq!(Evaluation::of(&Standard), Evaluation::Learned);
        assert_eq!(Evaluation::of(&RuleSet::NINE_MENS_MORRIS), Evaluation::Learned);
        let of = |name| Evaluation::of(&Preset::named(name).unwrap().rules);
        assert_eq!(of("lasker"), Evaluation::Learned);
        assert_eq!(of("morabaraba"), Evaluation::HandSet);
        for text in TEXTS {
            let compiled = Position::from_text(text, Standard).unwrap();
            assert_eq!(evaluate(&position(text)), evaluate(&compiled), "{text}");
            assert_ne!(evaluate(&position(text)), evaluate_by_hand(&compiled), "{text}");
        }
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
