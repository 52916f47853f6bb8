//! Which search results of a game are worth learning.
//!
//! A result is worth learning when it is a mate, or when its score differs from what the previous
//! search of the game expected: the threat or the chance was there, but too deep to be seen.
//!
//! A score that repetition or the n-move rule may have changed says nothing certain about the
//! position. A mate stands whatever moves came before, as those can only turn it into a draw. An
//! estimate counts only right after a placement or removal, when no earlier position can come
//! again, and only under the usual draw rules, which it assumes.
//!
//! Which searches of a session count at all (by skill, `searchmoves` and algorithm) is decided in
//! `protocol/learning.rs`.

use super::position::SearchResult;
use crate::board::Side;
use crate::position::{Move, Position};
use crate::rules::{DrawRules, Rules};
use crate::score::Score;

/// A score is a surprise when it differs by more from the expected one, in hundredths of a man.
const SURPRISE: u32 = 50;
/// A result that a shallower search finds again is not worth learning, unless it is a mate that
/// surprises.
const MIN_REQUIRED_DEPTH: u16 = 3;

/// Follows a game and remembers the scores of its searches.
#[derive(Clone, Debug, Default)]
pub struct Learner {
    start: String,
    moves: Vec<Move>,
    /// The scores for White, each with the number of moves played before the search.
    scores: Vec<(usize, Score)>,
}

impl Learner {
    /// Sets the game: the text of its first position, or anything else that identifies it, and the
    /// moves played. Whether it continues the previous game.
    pub fn follow(&mut self, start: &str, moves: &[Move]) -> bool {
        let is_same_start = self.start == start;
        let common = self.moves.iter().zip(moves).take_while(|(a, b)| a == b).count();
        self.scores.retain(|(count, _)| is_same_start && *count <= common);
        let continues = is_same_start && common == self.moves.len();
        start.clone_into(&mut self.start);
        self.moves = moves.to_vec();
        continues
    }

    /// The score that the last search of the game found, for a side.
    #[must_use]
    pub fn expected(&self, side: Side) -> Option<Score> {
        self.scores.last().map(|(_, score)| for_white(*score, side))
    }

    /// Remembers the score of a search of the last position of the game, for the side to move.
    pub fn remember(&mut self, side: Side, score: Score) {
        self.scores.push((self.moves.len(), for_white(score, side)));
    }
}

/// Turns a score for a side into one for White, and back.
fn for_white(score: Score, side: Side) -> Score {
    if side == Side::White { score } else { -score }
}

/// Whether the result of a search at full strength over all moves of a position is worth learning.
///
/// `draws` are the draw rules that the search assumed, `expected` the scores that earlier searches
/// found.
#[must_use]
pub fn is_worth_learning<R: Rules>(
    position: &Position<R>,
    result: &SearchResult,
    draws: DrawRules,
    expected: impl IntoIterator<Item = Score>,
) -> bool {
    let score = result.score;
    let value = |score: Score| i32::from(score.hundredths());
    let differs = |expected| value(score).abs_diff(value(expected)) > SURPRISE;
    let is_surprise = expected.into_iter().any(differs);
    let is_deep = result.required_depth() >= MIN_REQUIRED_DEPTH;
    if score.is_mate() {
        is_deep || is_surprise
    } else {
        let is_certain = position.quiet_plies() == 0 && draws == DrawRules::default();
        score.is_estimate() && is_deep && is_surprise && is_certain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Standard;
    use crate::score::Bound;

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    #[test]
    fn the_last_search_of_the_game_gives_the_expected_score() {
        let mut learner = Learner::default();
        learner.follow("start", &moves("d6"));
        assert_eq!(learner.expected(Side::Black), None);
        learner.remember(Side::Black, Score::estimate(30));
        assert!(learner.follow("start", &moves("d6 f4 b4")));
        assert_eq!(learner.expected(Side::Black), Some(Score::estimate(30)));
        learner.remember(Side::Black, Score::estimate(90));
        assert_eq!(learner.expected(Side::White), Some(Score::estimate(-90)));
        assert!(!learner.follow("start", &moves("d6 f4 d2")), "another game from here");
        assert_eq!(learner.expected(Side::Black), Some(Score::estimate(30)));
        assert!(!learner.follow("other", &moves("d6 f4 d2")));
        assert_eq!(learner.expected(Side::Black), None);
    }

    #[test]
    fn only_mates_and_surprises_are_worth_learning() {
        let position = |half: u16| {
            let text = format!("@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 {half} 10");
            Position::from_text(&text, Standard).unwrap()
        };
        let is_worth = |score, depth, half, expected: Option<i32>| {
            let result = SearchResult { score, bound: Bound::Exact, depth, best: None };
            let expected = expected.map(Score::estimate);
            is_worth_learning(&position(half), &result, DrawRules::default(), expected)
        };
        let estimate = Score::estimate;
        assert!(is_worth(estimate(-80), 9, 0, Some(20)));
        assert!(!is_worth(estimate(-30), 9, 0, Some(20)), "as expected, nearly");
        assert!(!is_worth(estimate(-80), 9, 0, None), "nothing was expected");
        assert!(!is_worth(estimate(-80), 9, 4, Some(20)), "the slides before may matter");
        assert!(!is_worth(estimate(-80), 2, 0, Some(20)), "found again at once");
        assert!(is_worth(Score::mated_in(8), 9, 4, None));
        assert!(!is_worth(Score::mate_in(2), 20, 0, None), "found again at once");
        assert!(is_worth(Score::mated_in(2), 2, 4, Some(-80)), "nobody saw it coming");
        assert!(!is_worth(Score::TABLEBASE_WIN, 9, 0, Some(0)), "the tablebase knows it");
        let score = estimate(-80);
        let result = SearchResult { score, bound: Bound::Exact, depth: 9, best: None };
        let soon = DrawRules { n_move: 20, ..DrawRules::default() };
        let is_worth = is_worth_learning(&position(0), &result, soon, [estimate(20)]);
        assert!(!is_worth, "the draws to come may matter");
    }
}
