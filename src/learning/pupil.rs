//! Which searches of a game are worth a lesson.
//!
//! A search teaches something when it proves a win or a loss, or when its score is not what the search
//! before in the same line expected: the danger or the chance was there, but too deep to be seen.
//!
//! Scores that repetition and the n-move rule may have changed are no truth about a position. A win
//! or loss that is proven stands without the moves before, as those can only turn it into a draw. An
//! estimate counts only right after a placement or removal, when no position before can come again,
//! and only under the usual draw rules, which it foresees.

use super::finding::Finding;
use super::lesson::Lesson;
use crate::board::Side;
use crate::position::{Move, Position};
use crate::rules::{DrawRules, Rules};
use crate::score::Score;

/// What a score must differ by from what was expected, in hundredths of a man.
const SURPRISE: u32 = 50;
/// A lesson that a search of less depth finds again is not kept, unless it is a win or loss that
/// surprises.
const LEAST_EFFORT: u16 = 3;

/// Follows a line of play and remembers what its searches expected.
#[derive(Clone, Debug, Default)]
pub struct Pupil {
    start: String,
    moves: Vec<Move>,
    /// After how many moves of the line searches were made, and what they found for White.
    searches: Vec<(usize, Score)>,
}

impl Pupil {
    /// Turns to a line of play, given by the text of its first position, or whatever else names it, and
    /// its moves. Whether it goes on with the line before.
    pub fn follow(&mut self, start: &str, moves: &[Move]) -> bool {
        let is_same_start = self.start == start;
        let common = self.moves.iter().zip(moves).take_while(|(a, b)| a == b).count();
        self.searches.retain(|(plies, _)| is_same_start && *plies <= common);
        let goes_on = is_same_start && common == self.moves.len();
        start.clone_into(&mut self.start);
        self.moves = moves.to_vec();
        goes_on
    }

    /// What the last search of the line expects for a side, if there was one.
    #[must_use]
    pub fn expected(&self, side: Side) -> Option<Score> {
        self.searches.last().map(|(_, score)| for_white(*score, side))
    }

    /// Remembers what a search of the line's last position found for the side to move.
    pub fn remember(&mut self, side: Side, score: Score) {
        self.searches.push((self.moves.len(), for_white(score, side)));
    }
}

fn for_white(score: Score, side: Side) -> Score {
    if side == Side::White { score } else { -score }
}

impl Lesson {
    /// The lesson of a search that looked at all moves of a position at full strength, if it is worth
    /// one, given the draw rules and the scores that were expected.
    #[must_use]
    pub fn learned<R: Rules>(
        position: &Position<R>,
        finding: Finding,
        draws: DrawRules,
        expected: impl IntoIterator<Item = Score>,
    ) -> Option<Self> {
        let score = finding.score;
        let value = |score: Score| i32::from(score.hundredths());
        let is_surprise = |expected| value(score).abs_diff(value(expected)) > SURPRISE;
        let is_surprise = expected.into_iter().any(is_surprise);
        let is_hard = finding.effort() >= LEAST_EFFORT;
        let is_usual = position.quiet_plies() == 0 && draws == DrawRules::default();
        let is_worth_it = if score.is_mate() {
            is_hard || is_surprise
        } else {
            is_hard && is_surprise && is_usual && score.is_estimate()
        };
        is_worth_it.then(|| Self::of(position, finding))
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
    fn what_was_expected_comes_from_the_last_search_of_the_line() {
        let mut pupil = Pupil::default();
        pupil.follow("start", &moves("d6"));
        assert_eq!(pupil.expected(Side::Black), None);
        pupil.remember(Side::Black, Score::estimate(30));
        assert!(pupil.follow("start", &moves("d6 f4 b4")));
        assert_eq!(pupil.expected(Side::Black), Some(Score::estimate(30)));
        pupil.remember(Side::Black, Score::estimate(90));
        assert_eq!(pupil.expected(Side::White), Some(Score::estimate(-90)));
        assert!(!pupil.follow("start", &moves("d6 f4 d2")), "another line from here");
        assert_eq!(pupil.expected(Side::Black), Some(Score::estimate(30)));
        assert!(!pupil.follow("other", &moves("d6 f4 d2")));
        assert_eq!(pupil.expected(Side::Black), None);
    }

    #[test]
    fn only_proven_and_surprising_scores_are_worth_a_lesson() {
        let position = |half: u16| {
            let text = format!("@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 {half} 10");
            Position::from_text(&text, Standard).unwrap()
        };
        let is_worth_it = |score, depth, half, expected: Option<i32>| {
            let finding = Finding { score, bound: Bound::Exact, depth, best: None };
            let expected = expected.map(Score::estimate);
            Lesson::learned(&position(half), finding, DrawRules::default(), expected).is_some()
        };
        let estimate = Score::estimate;
        assert!(is_worth_it(estimate(-80), 9, 0, Some(20)));
        assert!(!is_worth_it(estimate(-30), 9, 0, Some(20)), "as expected, nearly");
        assert!(!is_worth_it(estimate(-80), 9, 0, None), "nothing was expected");
        assert!(!is_worth_it(estimate(-80), 9, 4, Some(20)), "the slides before may matter");
        assert!(!is_worth_it(estimate(-80), 2, 0, Some(20)), "found again at once");
        assert!(is_worth_it(Score::mated_in(8), 9, 4, None));
        assert!(!is_worth_it(Score::mate_in(2), 20, 0, None), "found again at once");
        assert!(is_worth_it(Score::mated_in(2), 2, 4, Some(-80)), "nobody saw it coming");
        assert!(!is_worth_it(Score::TABLEBASE_WIN, 9, 0, Some(0)), "the databases know it");
        let score = estimate(-80);
        let finding = Finding { score, bound: Bound::Exact, depth: 9, best: None };
        let soon = DrawRules { n_move: 20, ..DrawRules::default() };
        let lesson = Lesson::learned(&position(0), finding, soon, [estimate(20)]);
        assert_eq!(lesson, None, "the draws to come may matter");
    }
}
