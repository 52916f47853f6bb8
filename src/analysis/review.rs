//! Game review: compares each turn with the best one and annotates the record.

use super::analyst::Analyst;
use super::scores::WhiteScore;
use super::teach::Lesson;
use crate::Error;
use crate::board::Side;
use crate::game::Game;
use crate::position::{Move, Turn};
use crate::records::{AnnotatedMove, AnnotatedMoves, GameRecord, GameResult, add_comment};
use crate::score::Score;
use crate::search::{Observer, Report, Variation};
use crate::tablebase::Wdl;

/// A move of a game, compared with the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove {
    /// The report of the search before the move.
    pub before: Report,
    /// The move and its best continuation, with the depth of its search, which is the same if the limits allow.
    pub played: Variation,
    /// The results before and after the move for the side that plays it, from the outcome or the tablebase; within
    /// the draw rules where those results are known for all moves.
    pub known: [Option<Wdl>; 2],
    /// The expected score that the move loses, 0 to 1.
    pub loss: f32,
    /// Whether the results before and after the move are known, or the search is all but sure that they differ.
    pub is_decisive: bool,
}

/// A turn of a game, compared with the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedTurn {
    /// The number of the round, from 1.
    pub number: u32,
    /// The side that plays the turn.
    pub side: Side,
    /// The turn.
    pub turn: Turn,
    /// The reviews of its moves.
    pub moves: Vec<ReviewedMove>,
    /// What the turn did to the game, if it is bad.
    pub lesson: Option<Lesson>,
}

/// From this estimate on, in hundredths of a man, the side ahead all but surely wins.
const CLEAR: i16 = 300;
/// Up to this estimate, in hundredths of a man, a side all but surely does not win.
const EVEN: i16 = 50;

impl ReviewedMove {
    fn new(before: Report, played: Variation, known: [Option<Wdl>; 2]) -> Self {
        let best = before.lines.first().map_or(played.score, |best| best.score);
        let differ = |ahead: Score, behind: Score| {
            ahead.hundredths() >= CLEAR && behind.hundredths() <= EVEN
        };
        // A draw score in a game that goes on comes from repetition, which either side may still avoid.
        let is_repetition = known[1].is_none() && [best, played.score].contains(&Score::DRAW);
        let (loss, is_decisive) = if let [Some(before), Some(after)] = known {
            (share(before) - share(after), true)
        } else {
            let loss = best.expectation() - played.score.expectation();
            let is_changed = differ(best, played.score) || differ(-played.score, -best);
            (loss, !is_repetition && is_changed)
        };
        Self { before, played, known, loss: loss.max(0.0), is_decisive }
    }
}

/// Converts a tablebase result for `side` to a game result.
pub fn game_result(known: Wdl, side: Side) -> GameResult {
    [GameResult::won_by(!side), GameResult::Draw, GameResult::won_by(side)][known as usize]
}

/// The points of a result, 0 to 1.
fn share(result: Wdl) -> f32 {
    f32::from(result as u8) / f32::from(Wdl::Win as u8)
}

impl ReviewedTurn {
    /// Returns the score after the turn.
    pub fn score(&self) -> WhiteScore {
        let score = self.moves.last().map(|last| last.played.score);
        WhiteScore::new(score.unwrap_or_default(), self.side)
    }

    /// Returns the expected score that the moves of the turn lose together, 0 to 1.
    pub fn loss(&self) -> f32 {
        self.moves.iter().fold(0.0, |loss, reviewed| loss + reviewed.loss).min(1.0)
    }

    /// Returns the severity of a bad turn, at most an inaccuracy if the search is not sure that the result has
    /// changed.
    pub fn severity(&self) -> Option<Severity> {
        let is_lossy = |reviewed: &&ReviewedMove| reviewed.loss >= Severity::Inaccuracy.threshold();
        let is_decisive = self.moves.iter().filter(is_lossy).any(|reviewed| reviewed.is_decisive);
        let most = if is_decisive { Severity::Blunder } else { Severity::Inaccuracy };
        Severity::of(self.loss()).map(|severity| severity.min(most))
    }

    /// Returns the index of the worst move and the best line instead of it, if the turn is bad.
    pub fn better(&self) -> Option<(usize, &Variation)> {
        self.severity()?;
        let losses = self.moves.iter().map(|reviewed| reviewed.loss).enumerate();
        // The first of equals.
        let (worst, _) = losses.rev().max_by(|one, other| one.1.total_cmp(&other.1))?;
        self.moves[worst].before.lines.first().map(|best| (worst, best))
    }
}

impl Analyst {
    /// Reviews a game turn by turn.
    ///
    /// Each move of a turn is reviewed, since a good slide may be followed by a bad removal. Draws by history
    /// count unless the game goes on after one. If the observer stops the review, it ends with the current
    /// turn.
    ///
    /// * `follow`: called with each reviewed turn.
    ///
    /// # Errors
    ///
    /// If the start position or a move of the record is illegal, before any search.
    pub fn review(
        &mut self,
        record: &GameRecord,
        observer: &mut dyn Observer,
        mut follow: impl FnMut(&ReviewedTurn),
    ) -> Result<Vec<ReviewedTurn>, Error> {
        let history = record.history()?;
        let mut game = history.start().clone();
        let mut reviewed = Vec::with_capacity(history.turns().len());
        self.engine.clear();
        for (side, turn) in history.turns().iter().cloned() {
            let number = game.position().move_number();
            let before = game.clone();
            let review = |&mv| self.review_move(&mut game, mv, observer);
            let moves = turn.moves().iter().map(review).collect();
            let mut turn = ReviewedTurn { number, side, turn, moves, lesson: None };
            turn.lesson = turn.severity().and_then(|_| self.lesson(&before, &turn.moves));
            follow(&turn);
            reviewed.push(turn);
            if observer.should_stop(0) {
                break;
            }
        }
        Ok(reviewed)
    }

    /// Compares a legal move with the best one, and plays it.
    pub(super) fn review_move(
        &mut self,
        game: &mut Game,
        mv: Move,
        observer: &mut dyn Observer,
    ) -> ReviewedMove {
        let mut before = self.assess(game, observer);
        let known_before = self.result(game, &before);
        let first = before.lines.first().cloned().unwrap_or_default();
        let mut played = Variation { depth: before.depth, ..first.clone() };
        if let Some(&best) = first.pv.first().filter(|&&best| best != mv) {
            let compared = self.compare(game, [best, mv], &before, observer);
            let nothing_lost = || [first, Variation { depth: 0, pv: vec![mv], ..played.clone() }];
            [before.lines[0], played] = compared.unwrap_or_else(nothing_lost);
        }
        let side = game.to_move();
        game.play(mv).expect("the record was played before");
        let known_after = match (game.outcome(), &before.known) {
            (Some(outcome), _) => Some(Wdl::ended(outcome, side)),
            (None, Some(root)) => root.get(mv).and_then(|known| known.worth().wdl()),
            (None, None) if game.plays_on(side) => self.certain(game),
            (None, None) => self.certain(game).map(Wdl::before_move),
        };
        ReviewedMove::new(before, played, [known_before, known_after])
    }
}

/// How bad a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Loses at least 0.1 points.
    Inaccuracy,
    /// Loses at least 0.2 points.
    Mistake,
    /// Loses at least 0.3 points, for example by turning a win into a draw.
    Blunder,
}

impl Severity {
    /// All severities, the least bad first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The threshold, the annotation mark and the numeric annotation glyph of each severity.
    ///
    /// See: Portable Game Notation Specification, section 10, 1994.
    const TABLE: [(f32, &str, u8); 3] = [(0.1, "?!", 6), (0.2, "?", 2), (0.3, "??", 4)];

    /// Returns the least loss of this severity, in points.
    pub const fn threshold(self) -> f32 {
        Self::TABLE[self as usize].0
    }

    /// Returns the severity of a loss in points, if it reaches a threshold.
    pub fn of(loss: f32) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|severity| loss >= severity.threshold())
    }

    /// Returns the annotation mark: `?!`, `?` or `??`.
    pub const fn mark(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// Returns the numeric annotation glyph for game records.
    pub const fn glyph(self) -> u8 {
        Self::TABLE[self as usize].2
    }
}

/// A summary of a side's play.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SideSummary {
    /// The side.
    pub side: Side,
    /// The number of its turns.
    pub turns: usize,
    /// The number of inaccuracies.
    pub inaccuracies: usize,
    /// The number of mistakes.
    pub mistakes: usize,
    /// The number of blunders.
    pub blunders: usize,
    /// The average loss of a turn, 0 to 1.
    pub average_loss: f32,
    /// The average accuracy of its turns, 0 to 100; 100 if it has none.
    pub accuracy: f32,
}

impl SideSummary {
    /// Summarizes the turns of a side.
    pub fn of(turns: &[ReviewedTurn], side: Side) -> Self {
        let own: Vec<&ReviewedTurn> = turns.iter().filter(|turn| turn.side == side).collect();
        let count = |severity| own.iter().filter(|turn| turn.severity() == Some(severity)).count();
        let loss = own.iter().fold(0.0, |loss, turn| loss + turn.loss());
        Self {
            side,
            turns: own.len(),
            inaccuracies: count(Severity::Inaccuracy),
            mistakes: count(Severity::Mistake),
            blunders: count(Severity::Blunder),
            average_loss: loss / own.len().max(1) as f32,
            accuracy: match own.len() {
                0 => 100.0,
                turns => own.iter().map(|turn| accuracy(turn.loss())).sum::<f32>() / turns as f32,
            },
        }
    }
}

/// The accuracy of a turn with a loss of 0 to 1 points: 100 for no loss, near 0 for a whole point.
///
/// See: Lichess, "Accuracy metric", 2022.
fn accuracy(loss: f32) -> f32 {
    (103.166_8 * (-4.354 * loss).exp() - 3.166_9).clamp(0.0, 100.0)
}

/// Adds a review to a record: a comment with the score after each turn, and for each bad turn a glyph and a
/// variation with better play.
///
/// Keeps existing annotations.
pub fn annotate(record: &mut GameRecord, turns: &[ReviewedTurn]) {
    let mut moves = record.main_line.moves.as_mut_slice();
    for turn in turns {
        let (own, rest) = moves.split_at_mut(turn.moves.len().min(moves.len()));
        if let (Some(severity), Some((worst, better))) = (turn.severity(), turn.better()) {
            let worst = &mut own[worst];
            if !worst.glyphs.contains(&severity.glyph()) {
                worst.glyphs.push(severity.glyph());
            }
            let mut variation: AnnotatedMoves = better.pv.iter().copied().collect();
            add_score(&mut variation.moves, WhiteScore::new(better.score, turn.side));
            worst.variations.push(variation);
        }
        add_score(own, turn.score());
        moves = rest;
    }
}

/// Adds a score to the comment after the last move.
fn add_score(moves: &mut [AnnotatedMove], score: WhiteScore) {
    if let Some(last) = moves.last_mut() {
        add_comment(&mut last.comment, &score.to_string());
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ReviewedTurn {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use super::scores::WhiteLine;
        use serde::ser::SerializeStruct;

        /// Better play from a move of the turn on.
        #[derive(serde::Serialize)]
        struct Better<'a> {
            /// The number of the move within the turn, from 1.
            instead_of: usize,
            #[serde(flatten)]
            line: WhiteLine<'a>,
        }

        let (first, last) = (self.moves.first(), self.moves.last());
        let known = [first.and_then(|first| first.known[0]), last.and_then(|last| last.known[1])];
        let known = known.map(|known| known.map(|known| game_result(known, self.side)));
        let better =
            |(worst, line)| Better { instead_of: worst + 1, line: WhiteLine::new(line, self.side) };
        let mut fields = serializer.serialize_struct("ReviewedTurn", 12)?;
        fields.serialize_field("number", &self.number)?;
        fields.serialize_field("side", &self.side)?;
        fields.serialize_field("turn", &self.turn)?;
        fields.serialize_field("score", &self.score())?;
        fields.serialize_field("share", &self.score().share())?;
        fields.serialize_field("depth", &first.map_or(0, |first| first.before.depth))?;
        fields.serialize_field("loss", &self.loss())?;
        fields.serialize_field("mark", &self.severity().map(Severity::mark))?;
        fields.serialize_field("better", &self.better().map(better))?;
        fields.serialize_field("played", &last.map_or(&[][..], |last| &last.played.pv))?;
        fields.serialize_field("lesson", &self.lesson)?;
        fields.serialize_field("known", &known)?;
        fields.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_begin_at_their_thresholds() {
        assert_eq!(Severity::of(0.0), None);
        for severity in Severity::ALL {
            assert_eq!(Severity::of(severity.threshold()), Some(severity));
            assert!(Severity::of(severity.threshold() - 0.01) < Some(severity));
        }
        assert_eq!(Severity::of(1.0), Some(Severity::Blunder));
    }

    #[test]
    fn a_searched_turn_is_bad_if_it_changes_the_result() {
        let severity = |best, played| {
            let line = |score| Variation { score, ..Variation::default() };
            let before = Report { lines: vec![line(best)], ..Report::default() };
            let moves = vec![ReviewedMove::new(before, line(played), [None; 2])];
            let turn = "d6".parse().unwrap();
            ReviewedTurn { number: 1, side: Side::White, turn, moves, lesson: None }.severity()
        };
        let estimate = Score::estimate;
        for (best, played, expected) in [
            (estimate(10), estimate(-380), Severity::Blunder),
            (Score::mate_in(9), estimate(30), Severity::Blunder),
            // The side may have been lost before, or may still win.
            (estimate(-100), estimate(-320), Severity::Inaccuracy),
            (estimate(300), estimate(90), Severity::Inaccuracy),
            (estimate(190), estimate(-10), Severity::Inaccuracy),
        ] {
            assert_eq!(severity(best, played), Some(expected), "{best:?} {played:?}");
        }
    }

    #[test]
    fn accuracy_falls_from_all_to_nothing() {
        let [none, half, whole] = [0.0, 0.5, 1.0].map(accuracy);
        assert!((99.9..=100.0).contains(&none) && (8.0..9.0).contains(&half) && whole < 0.1);
    }
}
