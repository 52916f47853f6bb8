//! The value of a quiet position, estimated without search.
//!
//! ```text
//! learned    by weights trained from the tablebases of two games, one on each board
//! patterns     the patterns that they belong to
//! weights      the weights, and the stages of a game that have their own
//! hand_set   by weights set by hand: placing on the board with diagonals
//! chances    what a drawn position is worth against an opponent who errs
//! ```
//!
//! All games on a board share its weights. Those of the board without diagonals are trained from the
//! tablebase of Nine Men's Morris; for other games they are better by far than those set by hand or, as in
//! Lasker Morris, no worse. Those of the board with diagonals are trained from the moving phase of Twelve
//! Men's Morris in which a full board is drawn, `--variant "twelve board_full_action=Draw"`; placing is
//! estimated by hand there. Against an engine that estimates by hand in both phases, 300 games at 5000 nodes
//! a move from balanced random openings (for Experimental trained by a tenth of the positions):
//!
//! | game | won | drawn | lost | Elo, 95 % error |
//! |---|---|---|---|---|
//! | Twelve Men's Morris, full board drawn | 168 | 22 | 110 | +68, 22 |
//! | Twelve Men's Morris | 169 | 19 | 112 | +67, 22 |
//! | Morabaraba | 169 | 14 | 117 | +61, 22 |
//! | Dooz | 190 | 24 | 86 | +126, 31 |
//! | Da San Qi | 186 | 0 | 114 | +85, 25 |
//! | Zhi Qi | 165 | 20 | 115 | +58, 23 |
//! | Experimental | 168 | 11 | 121 | +55, 21 |

mod chances;
mod hand_set;
mod learned;
mod patterns;
mod weights;

use std::sync::LazyLock;

use crate::board::{Diagonals, SquareSet};
use crate::position::Position;
use crate::rules::{Identity, RuleSet, Rules};
use crate::score::Score;

pub use chances::chances;
pub(crate) use hand_set::evaluate as evaluate_by_hand;
pub(crate) use patterns::{GROUPS, Patterns, RINGS};
pub use weights::Weights;
pub(crate) use weights::{LOSSES, SCALE_BITS, Set};

/// Estimates the position for the side to move; a removal that is owed does not count.
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
#[inline(always)]
#[expect(clippy::inline_always, reason = "as a call it costs a search 0.8 % more instructions")]
#[must_use]
pub fn evaluate<R: Rules>(position: &Position<R>) -> Score {
    let (own, opponent, hands) = seen_by_side_to_move(position);
    match learned_weights(position, hands) {
        Some(weights) => learned::evaluate(weights, own, opponent, hands),
        None => hand_set::evaluate(position),
    }
}

/// The terms whose sum is the estimate of the position but for rounding.
#[must_use]
pub fn terms<R: Rules>(position: &Position<R>) -> Vec<Term> {
    let (own, opponent, hands) = seen_by_side_to_move(position);
    match learned_weights(position, hands) {
        Some(weights) => learned::terms(weights, own, opponent, hands),
        None => hand_set::terms(position),
    }
}

/// The trained weights for a position; none if it is estimated by those set by hand.
#[inline]
fn learned_weights<R: Rules>(position: &Position<R>, hands: [u8; 2]) -> Option<Weights> {
    let diagonals = position.rules().diagonals;
    let is_learned = diagonals == Diagonals::Without || hands == [0, 0];
    is_learned.then(|| Weights::of(diagonals))
}

/// The version of the weights for a game: another number for other weights.
#[must_use]
pub fn version(game: Identity) -> u32 {
    static VERSIONS: LazyLock<(Identity, u32, u32)> = LazyLock::new(|| {
        let checksum = |diagonals| Weights::of(diagonals).checksum();
        let [standard, other] = [Diagonals::Without, Diagonals::With].map(checksum);
        let others = standard.wrapping_add(other).wrapping_add(hand_set::VERSION);
        (RuleSet::NINE_MENS_MORRIS.identity(), standard, others)
    });
    let (nine_mens_morris, standard, others) = *VERSIONS;
    if game == nine_mens_morris { standard } else { others }
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
    use crate::board::{BySide, Side, Symmetry};
    use crate::rules::{PRESETS, Standard};

    const TEXTS: [&str; 3] = [
        "*O******/*****@**/@****O** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3",
        "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10",
        "@**O****/*O**@***/****@*@O w m s 3 0 4 0 0 0 0 0 0 0 0 0 10",
    ];

    const GAMES: [RuleSet; 2] = [RuleSet::NINE_MENS_MORRIS, RuleSet::TWELVE_MENS_MORRIS];

    fn position(text: &str, rules: RuleSet) -> Position<RuleSet> {
        Position::from_text(text, rules).unwrap()
    }

    /// The estimate and its terms, by the weights for the game or by those set by hand.
    fn estimated(position: &Position<RuleSet>) -> [(Score, Vec<Term>); 2] {
        let by_hand = (hand_set::evaluate(position), hand_set::terms(position));
        [(evaluate(position), terms(position)), by_hand]
    }

    #[test]
    fn symmetric_positions_are_worth_the_same() {
        let positions = GAMES.iter().flat_map(|rules| TEXTS.map(|text| position(text, *rules)));
        for position in positions {
            let expected = estimated(&position).map(|(score, _)| score);
            for symmetry in Symmetry::all() {
                let image = estimated(&position.image(symmetry));
                assert_eq!(image.map(|(score, _)| score), expected);
            }
        }
    }

    #[test]
    fn terms_add_up_to_the_estimate() {
        let positions = GAMES.iter().flat_map(|rules| TEXTS.map(|text| position(text, *rules)));
        for (score, terms) in positions.flat_map(|position| estimated(&position)) {
            let sum: f64 = terms.iter().map(|term| term.value).sum();
            assert_eq!(Score::estimate(sum.floor() as i32), score);
        }
    }

    #[test]
    fn every_named_game_has_the_weights_of_its_board() {
        let moving = position(TEXTS[1], RuleSet::NINE_MENS_MORRIS);
        let men = BySide(Side::ALL.map(|side| moving.men(side)));
        for (preset, hand) in PRESETS.iter().flat_map(|preset| [0, 2].map(|hand| (preset, hand))) {
            let position = Position::with_men(preset.rules, men, BySide::both(hand), Side::White);
            let diagonals = preset.rules.diagonals;
            let (own, opponent, hands) = seen_by_side_to_move(&position);
            let learned = learned::evaluate(Weights::of(diagonals), own, opponent, hands);
            let by_hand = evaluate_by_hand(&position);
            assert_ne!(learned, by_hand, "{}", preset.name);
            let is_learned = diagonals == Diagonals::Without || hand == 0;
            let expected = if is_learned { learned } else { by_hand };
            assert_eq!(evaluate(&position), expected, "{}", preset.name);
        }
    }

    #[test]
    fn the_type_of_the_rules_makes_no_difference() {
        for text in TEXTS {
            let compiled = Position::from_text(text, Standard).unwrap();
            let at_run_time = position(text, RuleSet::NINE_MENS_MORRIS);
            assert_eq!(evaluate(&at_run_time), evaluate(&compiled), "{text}");
            assert_ne!(evaluate(&at_run_time), evaluate_by_hand(&compiled), "{text}");
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
