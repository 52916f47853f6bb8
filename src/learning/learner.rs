//! Which search results of a game are worth learning.
//!
//! A result is worth learning if it is a mate, or if its score differs from the one that the previous
//! search of the game expected: there was a threat or a chance beyond its horizon.
//!
//! Scores that depend on repetition or the n-move rule are not learned. A mate is valid whatever moves
//! came before, since they can only turn it into a draw. An estimate counts only right after a placement
//! or removal, when no earlier position can recur, and only under the usual draw rules.
//!
//! `protocol/learning.rs` decides which searches of a session count at all.

use super::position::SearchResult;
use crate::board::Side;
use crate::position::{Move, Position};
use crate::rules::{DrawRules, Rules};
use crate::score::Score;

/// The least difference from the expected score that is a surprise, in hundredths of a man.
const SURPRISE: u16 = 50;
/// The least depth of results that are worth learning, except for surprising mates.
const MIN_REQUIRED_DEPTH: u16 = 3;

/// Follows a game and remembers the scores of its searches.
#[derive(Clone, Debug, Default)]
pub struct Learner {
    start: String,
    moves: Vec<Move>,
    /// White's score of each search, with the number of moves before it.
    scores: Vec<(usize, Score)>,
}

impl Learner {
    /// Sets the game. Returns whether it continues the previous one.
    ///
    /// * `start`: the text of its start, or anything else that identifies it.
    pub fn follow(&mut self, start: &str, moves: &[Move]) -> bool {
        let is_same_start = self.start == start;
        let common = self.moves.iter().zip(moves).take_while(|(a, b)| a == b).count();
        self.scores.retain(|(count, _)| is_same_start && *count <= common);
        let continues = is_same_start && common == self.moves.len();
        start.clone_into(&mut self.start);
        self.moves = moves.to_vec();
        continues
    }

    /// The score of the last search of the game, for a side.
    pub fn expected(&self, side: Side) -> Option<Score> {
        self.scores.last().map(|(_, score)| for_white(*score, side))
    }

    /// Remembers the score of a search of the current position, for the side to move.
    pub fn remember(&mut self, side: Side, score: Score) {
        self.scores.push((self.moves.len(), for_white(score, side)));
    }
}

/// Converts a score between a side's and White's point of view.
fn for_white(score: Score, side: Side) -> Score {
    if side == Side::White { score } else { -score }
}

/// Whether the result of a full search is worth learning.
///
/// * `draws`: the draw rules of the search.
/// * `expected`: the scores of earlier searches.
pub fn is_worth_learning<R: Rules>(
    position: &Position<R>,
    result: &SearchResult,
    draws: DrawRules,
    expected: impl IntoIterator<Item = Score>,
) -> bool {
    let score = result.score;
    let differs = |expected: Score| score.hundredths().abs_diff(expected.hundredths()) > SURPRISE;
    let is_surprise = expected.into_iter().any(differs);
    // The least depth at which a search finds the result again.
    let required_depth = score.turns().unwrap_or(u16::MAX).min(result.depth.into());
    let is_deep = required_depth >= MIN_REQUIRED_DEPTH;
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
