//! The chances that a drawn position of Nine Men's Morris leaves against an opponent who errs.
//!
//! A player with a tablebase cannot lose a drawn position, so a dead draw is no better for it than a bad
//! position that is still alive. An evaluation that foretells perfect play does not know that: it likes
//! draws that nobody can lose, such as three men against six, better than to be a man behind. What
//! tells them apart is how often such positions are won in play.
//!
//! The chances are those of the side with the tablebase, so the two sides of one position do not have
//! opposite ones.
//!
//! Games won from random draws with 14 to 18 men, for the last idea at the end of placing, by what chooses among the
//! moves that keep the draw. A search of 8 000 nodes a move, 200 games each:
//!
//! | | first version, 12 000 nodes | itself without tablebase, a fifth of the nodes |
//! | --- | --- | --- |
//! | the search as it is | 140 | 65 |
//! | these chances, and a dislike of moves that end the game in a draw | 180 | 72 |
//!
//! Not kept, games won instead of those without the idea:
//!
//! | idea | opponent | won |
//! | --- | --- | --- |
//! | an evaluation learned from games of a player that errs | itself without tablebase | 8, not 70 of 120 |
//! | a bonus for moves that most replies lose to | the same | 51, not 70 of 120 |
//! | a bonus for moves whose reply by a search without tablebase loses | first version | 17, not 22 of 40 |
//! | | Monte-Carlo | 20, not 20 of 60 |
//! | | level 12 | 20, not 21 of 40 |
//! | only the moves that come to rest best (`db draws`) | itself, a fifth of the nodes | 23, not 29 of 100 |
//! | | level 12 | 87, not 83 of 100 |
//! | | first version | 67, not 82 of 100 |
//! | no move that comes to rest worse than an even one | itself, a fifth of the nodes | 36, not 29 of 100 |
//! | | level 12 | 87, not 83 of 100 |
//! | | first version | 73, not 82 of 100 |
//! | chances that fade to a draw on the way to the n-move rule, 50 ms a move | first version | 201, not 192 of 260 |
//! | | levels 18 and 12 | 49, not 47, and 57, not 58 of 60 |
//! | | Monte-Carlo | 15, not 20 of 60 |

use crate::board::Side;
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;

const FEWEST_MEN: u32 = 3;
const MOST_MEN: u32 = 9;
const MEN_COUNTS: usize = (MOST_MEN - FEWEST_MEN + 1) as usize;

/// What men counts add to the estimate of a drawn position, by the men of the player with the tablebase
/// and by those of the opponent, 3 to 9 each with those in hand, in hundredths of a man.
///
/// The logarithm of the odds of winning from there, 100 a unit, as 1 600 games from random draws with
/// 14 to 18 men had it: the mean of two kinds of opponents, one that counts men, and one that searches by
/// the learned evaluation with a fifth of the nodes.
const BY_MEN: [[i16; MEN_COUNTS]; MEN_COUNTS] = [
    [125, 90, 45, -98, -63, -104, -106],
    [75, 98, 57, -84, -65, -88, -116],
    [88, 74, 49, -70, -64, -48, -55],
    [151, 139, 135, 8, -20, -32, -36],
    [197, 165, 156, 57, 32, 14, -12],
    [190, 158, 153, 64, 58, 15, 33],
    [166, 156, 121, 24, 110, 51, 37],
];

/// The chances of a drawn position for the side to move, given its estimate and which side has the
/// tablebase.
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
    use crate::rules::Standard;

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
