//! The hand-tuned evaluation, for any game.
//!
//! Each feature is counted for both sides, and the difference is multiplied by the weight of the feature
//! in this phase of the game. The sum is the estimate.

use super::{Term, hands};
use crate::board::{Side, Square, lines};
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;

/// The version of the evaluation; increment it when the weights or the features change.
pub(super) const VERSION: u32 = 1;

/// The features and their weights in hundredths of a man: in the placing phase, in the moving phase, and once a side
/// flies.
const FEATURES: [(&str, [i32; 3]); 8] = [
    ("men on the board", [100, 100, 100]),
    ("men in hand", [96, 96, 96]),
    // Men that the opponent may remove.
    ("men outside mills", [-2, -2, -2]),
    // Edges from a man to an empty point.
    ("slides", [5, 6, 1]),
    // Men without an empty adjacent point.
    ("blocked men", [-8, -14, -4]),
    // Complete lines.
    ("mills", [6, 8, 4]),
    // Points where the next move closes a mill.
    ("open mills", [12, 22, 24]),
    ("turn", [6, 8, 10]),
];

/// Estimates the position for the side to move.
#[inline]
pub fn evaluate<R: Rules>(position: &Position<R>) -> Score {
    Score::estimate(differences(position).iter().sum())
}

/// The terms of the estimate.
pub fn terms<R: Rules>(position: &Position<R>) -> Vec<Term> {
    let names = FEATURES.iter().map(|&(name, _)| name);
    let terms = names.zip(differences(position));
    terms.map(|(name, value)| Term { name, value: value.into() }).collect()
}

/// The weighted difference of each feature, for the side to move.
#[inline]
fn differences<R: Rules>(position: &Position<R>) -> [i32; FEATURES.len()] {
    let one_flies = Side::ALL.into_iter().any(|side| position.may_fly(side));
    let is_placing = hands(position) != [0, 0];
    let phase = if is_placing { 0 } else { 1 + usize::from(one_flies) };
    let side = position.to_move();
    let [own, opponent] = [side, !side].map(|side| count(position, side));
    std::array::from_fn(|at| FEATURES[at].1[phase] * (own[at] as i32 - opponent[at] as i32))
}

/// Counts each feature for a side.
#[inline]
fn count<R: Rules>(position: &Position<R>, side: Side) -> [u32; FEATURES.len()] {
    let rules = position.rules();
    let diagonals = rules.diagonals;
    let (men, empty) = (position.men(side), position.empty());
    let arrives_anywhere = position.in_hand(side) > 0 || position.may_fly(side);
    let closing = if arrives_anywhere { lines::closing } else { lines::closing_by_slide };
    let mut open_mills = closing(men, diagonals) & empty;
    if rules.uses_mills_once {
        let closes = |to: &Square| position.count_closed(*to, side, men) > 0;
        open_mills = open_mills.into_iter().filter(closes).collect();
    }
    let outside_mills =
        if rules.may_remove_from_mills { men } else { men - lines::in_mills(men, diagonals) };
    [
        men.len(),
        position.in_hand(side).into(),
        outside_mills.len(),
        lines::count_edges(men, empty, diagonals),
        (men - lines::reach(empty, diagonals)).len(),
        lines::count_mills(men, diagonals),
        open_mills.len(),
        (side == position.to_move()).into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Standard;
    use crate::score::ScoreKind;

    #[test]
    fn a_man_more_is_worth_about_a_man() {
        let even = "OO******/@@******/******** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3";
        let more = "OO******/@*******/******** w p p 2 7 1 7 0 0 0 0 0 0 0 0 3";
        let value = |text| match evaluate(&Position::from_text(text, Standard).unwrap()).kind() {
            ScoreKind::Estimate(value) => value,
            decided => panic!("{decided:?} without search"),
        };
        assert!((60..140).contains(&(value(more) - value(even))));
    }
}
