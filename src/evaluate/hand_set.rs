//! The hand-tuned evaluation, for any game.
//!
//! Each feature of a side is counted. The difference of the counts of both sides is multiplied by
//! the weight of the feature in this phase of the game; the sum is the estimate.

use super::Term;
use crate::board::{Side, Square, SquareSet, lines};
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;

/// The version of the evaluation; add one when the weights or the features change.
pub(super) const VERSION: u32 = 1;

/// The weight of each feature, in hundredths of a man.
struct Weights {
    /// A man on the board.
    on_board: i32,
    /// A man in hand.
    in_hand: i32,
    /// A man outside mills, which the opponent may remove.
    removable: i32,
    /// An edge from a man to an empty point.
    mobility: i32,
    /// A man without an empty adjacent point.
    blocked: i32,
    /// A complete line.
    mill: i32,
    /// A point where the next move closes a mill.
    open_mill: i32,
    /// Being the side to move.
    tempo: i32,
}

const PLACING: Weights = Weights {
    on_board: 100,
    in_hand: 96,
    removable: -2,
    mobility: 5,
    blocked: -8,
    mill: 6,
    open_mill: 12,
    tempo: 6,
};

const MOVING: Weights = Weights {
    on_board: 100,
    in_hand: 96,
    removable: -2,
    mobility: 6,
    blocked: -14,
    mill: 8,
    open_mill: 22,
    tempo: 8,
};

const FLYING: Weights = Weights {
    on_board: 100,
    in_hand: 96,
    removable: -2,
    mobility: 1,
    blocked: -4,
    mill: 4,
    open_mill: 24,
    tempo: 10,
};

/// The names of the features, in the order of [`weigh`].
const COUNTED: [&str; 7] = [
    "men on the board",
    "men in hand",
    "men outside mills",
    "slides",
    "blocked men",
    "mills",
    "open mills",
];

/// Estimates the position for the side to move.
#[inline]
#[must_use]
pub fn evaluate<R: Rules>(position: &Position<R>) -> Score {
    let weights = weights(position);
    Score::estimate(differences(position, weights).iter().sum::<i32>() + weights.tempo)
}

/// The terms of the estimate.
pub fn terms<R: Rules>(position: &Position<R>) -> Vec<Term> {
    let weights = weights(position);
    let term = |(name, value): (&'static str, i32)| Term { name, value: f64::from(value) };
    let counted = COUNTED.into_iter().zip(differences(position, weights));
    counted.chain([("turn", weights.tempo)]).map(term).collect()
}

/// The weighted difference of each feature, for the side to move.
#[inline]
fn differences<R: Rules>(position: &Position<R>, weights: &Weights) -> [i32; COUNTED.len()] {
    let side = position.to_move();
    let [own, opponent] = [side, !side].map(|side| weigh(position, side, weights));
    std::array::from_fn(|term| own[term] - opponent[term])
}

#[inline]
fn weights<R: Rules>(position: &Position<R>) -> &'static Weights {
    if Side::ALL.into_iter().any(|side| position.in_hand(side) > 0) {
        &PLACING
    } else if Side::ALL.into_iter().any(|side| position.may_fly(side)) {
        &FLYING
    } else {
        &MOVING
    }
}

#[inline]
fn weigh<R: Rules>(position: &Position<R>, side: Side, weights: &Weights) -> [i32; COUNTED.len()] {
    let rules = position.rules();
    let diagonals = rules.diagonals;
    let (men, empty) = (position.men(side), position.empty());
    let arrives_anywhere = position.in_hand(side) > 0 || position.may_fly(side);
    let closing = if arrives_anywhere {
        lines::closing(men, diagonals)
    } else {
        lines::closing_by_slide(men, diagonals)
    };
    let mut open_mills = closing & empty;
    if rules.uses_mills_once {
        let closes = |to: &Square| position.count_closed(*to, side, men) > 0;
        open_mills = open_mills.into_iter().filter(closes).collect();
    }
    let in_mills = if rules.may_remove_from_mills {
        SquareSet::EMPTY
    } else {
        lines::in_mills(men, diagonals)
    };
    let count = |count: u32| count as i32;
    [
        weights.on_board * count(men.len()),
        weights.in_hand * i32::from(position.in_hand(side)),
        weights.removable * count((men - in_mills).len()),
        weights.mobility * count(lines::count_edges(men, empty, diagonals)),
        weights.blocked * count((men - lines::reach(empty, diagonals)).len()),
        weights.mill * count(lines::count_mills(men, diagonals)),
        weights.open_mill * count(open_mills.len()),
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
