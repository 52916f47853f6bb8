//! The static evaluation of quiet positions.
//!
//! ```text
//! learned    weights trained on the tablebases of two games, one for each board
//! patterns   the patterns that the weights belong to
//! hand_set   hand-set weights, for placing on the board with diagonals where men may slide meanwhile
//! ```
//!
//! All games on a board share its weights. For the board without diagonals they are trained on the tablebase
//! of Nine Men's Morris; in other games, too, they are far better than hand-set ones. For the board with
//! diagonals they are trained on the tablebase of Twelve Men's Morris in which a full board is drawn,
//! `--variant "twelve board_full_action=Draw"`. The table has Elo with 95 % error from 300 games at 5000 nodes a
//! move from balanced random openings: first the moving phase learned (for Experimental from a tenth of the
//! positions) against both phases set by hand, then both learned against placing set by hand.
//!
//! | game | moving phase | placing |
//! |---|---|---|
//! | Twelve Men's Morris, full board drawn | +68, 22 | +232, 39 |
//! | Twelve Men's Morris | +67, 22 | +239, 41 |
//! | Morabaraba | +61, 22 | +237, 41 |
//! | Dooz | +126, 31 | +138, 39 |
//! | Da San Qi | +85, 25 | +131, 39 |
//! | Zhi Qi | +58, 23 | +235, 41 |
//! | Experimental | +55, 21 | +123, 31 |
//!
//! The placing stages count lost men from the number of men in the game. Where men may slide while placing, the
//! hands do not tell whose turn it is, as they do in the training game: there, on the board with diagonals, the
//! placing weights lose to hand-set ones (-45, 37 for the rules of Lasker Morris).

mod hand_set;
mod learned;
mod patterns;

use std::sync::LazyLock;

use crate::board::{Diagonals, Side};
use crate::game::{Game, Outcome};
use crate::position::Position;
use crate::rules::{Identity, RuleSet, Rules};
use crate::score::Score;

pub(crate) use hand_set::evaluate as evaluate_by_hand;
pub use learned::Weights;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use learned::bring_weights_with_diagonals;
pub(crate) use learned::{LOSSES, SCALE_BITS, Set, losses};
pub(crate) use patterns::{CLASSES, Numbers, PATTERNS, Patterns};

/// Estimates a position for the side to move; a removal that is owed is ignored.
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
/// # Ok::<(), millstone::Error>(())
/// ```
#[inline(always)]
#[expect(clippy::inline_always, reason = "as a call it costs a search 0.8 % more instructions")]
pub fn evaluate<R: Rules>(position: &Position<R>) -> Score {
    match learned_weights(position) {
        Some(weights) => learned::evaluate(weights, position),
        None => hand_set::evaluate(position),
    }
}

/// Returns the value of a game for the side to move without search: its result, or the estimate of its position.
pub fn estimate(game: &Game) -> Score {
    match game.outcome() {
        Some(Outcome::Win { .. }) => Score::mated_in(0),
        Some(Outcome::Draw(_)) => Score::DRAW,
        None => evaluate(game.position()),
    }
}

/// Returns the terms of the estimate of a position. Except for rounding, they add up to it.
pub fn terms<R: Rules>(position: &Position<R>) -> Vec<Term> {
    match learned_weights(position) {
        Some(weights) => learned::terms(weights, position),
        None => hand_set::terms(position),
    }
}

/// Returns the trained weights for a position, or `None` if hand-set weights estimate it.
#[inline]
fn learned_weights<R: Rules>(position: &Position<R>) -> Option<Weights> {
    let rules = position.rules();
    let is_placed = hands(position) == [0, 0];
    let is_learned =
        rules.diagonals == Diagonals::Without || is_placed || !rules.may_move_in_placing;
    is_learned.then(|| Weights::of(rules.diagonals)).filter(|weights| !weights.sets.is_empty())
}

/// Returns the version of the weights for a game, a number that changes with them.
pub fn version(game: Identity) -> u32 {
    static CHECKSUMS: LazyLock<[u32; 2]> = LazyLock::new(|| {
        [Diagonals::Without, Diagonals::With].map(|diagonals| Weights::of(diagonals).checksum())
    });
    let [standard, other] = *CHECKSUMS;
    let others = standard.wrapping_add(other).wrapping_add(hand_set::VERSION);
    if game == RuleSet::NINE_MENS_MORRIS.identity() { standard } else { others }
}

/// A term of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// What the term counts.
    pub name: &'static str,
    /// The value for the side to move, in hundredths of a man.
    pub value: f64,
}

/// Returns the men in hand of the side to move and of the opponent.
#[inline]
fn hands<R: Rules>(position: &Position<R>) -> [u8; 2] {
    [position.own_hand(), position.opponent_hand()]
}

const FEWEST_MEN: u32 = 3;
const MOST_MEN: u32 = 9;
const MEN_COUNTS: usize = (MOST_MEN - FEWEST_MEN + 1) as usize;

/// What men counts add to the estimate of a drawn position, in hundredths of a man: by the men of the player with
/// the tablebase, then of the opponent, 3 to 9 each including men in hand.
///
/// The log-odds of winning, 100 a unit, measured in 1 600 games from random draws with 14 to 18 men: the mean
/// against two opponents, one that counts men, and one that searches with the learned evaluation and a fifth of
/// the nodes.
const BY_MEN: [[i16; MEN_COUNTS]; MEN_COUNTS] = [
    [125, 90, 45, -98, -63, -104, -106],
    [75, 98, 57, -84, -65, -88, -116],
    [88, 74, 49, -70, -64, -48, -55],
    [151, 139, 135, 8, -20, -32, -36],
    [197, 165, 156, 57, 32, 14, -12],
    [190, 158, 153, 64, 58, 15, 33],
    [166, 156, 121, 24, 110, 51, 37],
];

/// Returns the practical chances of a drawn position of Nine Men's Morris against a fallible opponent, for the side
/// to move.
///
/// * `estimate`: of the position, for the side to move.
/// * `knowing`: the side that has the tablebase.
///
/// A player with a tablebase cannot lose a drawn position, so a dead draw is no better for it than a bad
/// position that is still alive. An evaluation that predicts perfect play does not know that: it prefers
/// draws that nobody can lose, such as three men against six, to being a man behind. What tells them
/// apart is how often such positions are won in practice.
///
/// The chances depend on which side has the tablebase, so those of the two sides are not opposite.
///
/// Games won from random draws with 14 to 18 men (for the last idea, at the end of placing), by the method that
/// chooses among the moves that keep the draw. A search of 8 000 nodes a move, 200 games each:
///
/// | | first version, 12 000 nodes | itself without tablebase, a fifth of the nodes |
/// | --- | --- | --- |
/// | the plain search | 140 | 65 |
/// | these chances, and avoiding moves that end the game in a draw | 180 | 72 |
///
/// Not kept, with the games won with and without the idea:
///
/// | idea | opponent | won |
/// | --- | --- | --- |
/// | an evaluation learned from games of a fallible player | itself without tablebase | 8 and 70 of 120 |
/// | a bonus for moves to which most replies lose | the same | 51 and 70 of 120 |
/// | a bonus for moves whose reply by a search without tablebase loses | first version | 17 and 22 of 40 |
/// | | Monte-Carlo | 20 and 20 of 60 |
/// | | level 12 | 20 and 21 of 40 |
/// | only the moves that come to rest best (`db draws`) | itself, a fifth of the nodes | 23 and 29 of 100 |
/// | | level 12 | 87 and 83 of 100 |
/// | | first version | 67 and 82 of 100 |
/// | no move that comes to rest worse than level | itself, a fifth of the nodes | 36 and 29 of 100 |
/// | | level 12 | 87 and 83 of 100 |
/// | | first version | 73 and 82 of 100 |
/// | chances that fade to a draw on the way to the n-move rule, 50 ms a move | first version | 201 and 192 of 260 |
/// | | level 18 | 49 and 47 of 60 |
/// | | level 12 | 57 and 58 of 60 |
/// | | Monte-Carlo | 15 and 20 of 60 |
#[inline]
pub fn chances<R: Rules>(position: &Position<R>, estimate: Score, knowing: Side) -> Score {
    let index = |side: Side| {
        let men = position.men(side).len() + u32::from(position.in_hand(side));
        (men.clamp(FEWEST_MEN, MOST_MEN) - FEWEST_MEN) as usize
    };
    let by_men = BY_MEN[index(knowing)][index(!knowing)];
    let for_side_to_move = if position.to_move() == knowing { by_men } else { -by_men };
    Score::estimate(i32::from(estimate.hundredths()) + i32::from(for_side_to_move))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{BySide, Symmetry};
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

    /// The estimate and its terms, by the weights for the game and by hand-set ones.
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
            let [without, with] = [Diagonals::Without, Diagonals::With]
                .map(|board| learned::evaluate(Weights::of(board), &position));
            assert_ne!(without, with);
            let expected = match preset.rules.diagonals {
                Diagonals::Without => without,
                Diagonals::With => with,
            };
            assert_eq!(evaluate(&position), expected, "{}", preset.name);
        }
    }

    /// No weights are trained for sliding while placing on the board with diagonals.
    #[test]
    fn weights_set_by_hand_are_for_what_no_trained_ones_are_for() {
        let slides = RuleSet { may_move_in_placing: true, ..RuleSet::TWELVE_MENS_MORRIS };
        let [placing, moving, _] = TEXTS.map(|text| position(text, slides));
        assert_eq!(evaluate(&placing), evaluate_by_hand(&placing));
        assert_ne!(evaluate(&moving), evaluate_by_hand(&moving));
        let lasker = RuleSet { diagonals: Diagonals::Without, ..slides };
        let placing = position(TEXTS[0], lasker);
        assert_ne!(evaluate(&placing), evaluate_by_hand(&placing));
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
            for rules in GAMES {
                let rules = RuleSet { men: 9, ..rules };
                let score = |text| evaluate(&position(text, rules));
                assert!(score(more) > score(fewer), "{more}");
            }
        }
    }

    #[test]
    fn a_dead_draw_is_worth_less_than_one_that_is_often_won() {
        let of = |text: &str, holder| {
            let position = Position::from_text(text, Standard).unwrap();
            chances(&position, Score::DRAW, holder)
        };
        let dead = "O**O**O*/********/@@@*@@*@ w m s 3 0 6 0 0 0 0 0 0 0 0 0 10";
        let alive = "O*OO**O*/O*O*****/@@**@@*@ w m s 6 0 5 0 0 0 0 0 0 0 0 0 10";
        assert!(of(dead, Side::White) < of(alive, Side::White));
        assert!(of(alive, Side::White) > Score::DRAW);
        assert!(of(alive, Side::Black) > Score::DRAW, "from the view of White, who is to move");
    }
}
