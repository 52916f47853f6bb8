//! Each turn of a game, compared with the best one.

use super::analyst::{Analyst, Assessment};
use super::fault::Fault;
use super::white_score::WhiteScore;
use crate::any_game::{self, AnyGame};
use crate::board::Side;
use crate::game::Outcome;
use crate::position::{Move, Turn};
use crate::records::{Record, ReplayError};
use crate::rules::DrawRules;
use crate::search::{Observer, Variation, expectation};
use crate::tablebase::Wdl;

/// A move that was played, and what could have been.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedMove {
    /// What is found out about the position before the move, for the side that plays it.
    pub before: Assessment,
    /// The move with the best play after it, searched as deep.
    pub played: Variation,
    /// What the move led to for the side that plays it, if it ended the game; else what the databases
    /// say of the position after it.
    pub known: Option<Wdl>,
    /// The share of the point that the move gives away, 0 to 1.
    pub loss: f32,
}

/// A turn that was played: a placement or slide with the removals that follow.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedTurn {
    /// The number of the turn pair, from 1.
    pub number: u32,
    /// The side that plays it.
    pub side: Side,
    /// The moves as one word.
    pub turn: Turn,
    /// What is found out about each of them.
    pub moves: Vec<ReviewedMove>,
}

impl ReviewedMove {
    fn new(before: Assessment, played: Variation, known: Option<Wdl>) -> Self {
        let best = before.lines.first().map_or(played.score, |best| best.score);
        let loss = match (before.known, known) {
            (Some(before), Some(after)) => share(before) - share(after),
            _ => expectation::of(best) - expectation::of(played.score),
        };
        Self { before, played, known, loss: loss.max(0.0) }
    }
}

/// What the end of a game is for a side.
fn result(outcome: Outcome, side: Side) -> Wdl {
    match outcome {
        Outcome::Draw(_) => Wdl::Draw,
        Outcome::Win { winner, .. } if winner == side => Wdl::Win,
        Outcome::Win { .. } => Wdl::Loss,
    }
}

/// The share of the point that a result is worth.
fn share(result: Wdl) -> f32 {
    match result {
        Wdl::Loss => 0.0,
        Wdl::Draw => 0.5,
        Wdl::Win => 1.0,
    }
}

impl ReviewedTurn {
    /// The score after the turn.
    #[must_use]
    pub fn score(&self) -> WhiteScore {
        let score = self.moves.last().map(|last| last.played.score);
        WhiteScore::new(score.unwrap_or_default(), self.side)
    }

    /// The share of the point that all moves of the turn give away, 0 to 1.
    #[must_use]
    pub fn loss(&self) -> f32 {
        self.moves.iter().fold(0.0, |loss, reviewed| loss + reviewed.loss).min(1.0)
    }

    /// How bad the turn is, if it is bad.
    #[must_use]
    pub fn fault(&self) -> Option<Fault> {
        Fault::of(self.loss())
    }

    /// The place among the moves of the one that gives away most, if the turn is bad.
    #[must_use]
    pub fn worst_move(&self) -> Option<usize> {
        self.fault()?;
        let losses = self.moves.iter().map(|reviewed| reviewed.loss).enumerate();
        losses.reduce(|worst, next| if next.1 > worst.1 { next } else { worst }).map(|(at, _)| at)
    }

    /// What should have been played instead of the worst move, if the turn is bad.
    #[must_use]
    pub fn better(&self) -> Option<&Variation> {
        self.moves[self.worst_move()?].before.lines.first()
    }
}

impl Analyst {
    /// Looks at each turn of a game, and tells of it.
    ///
    /// A turn is judged move by move, since its removal may be wrong where its slide is right. A move
    /// that is not the best is searched as deep as the best one was; where the databases know the
    /// position before it, and know the one after it or the game is over then, that alone says what it
    /// gives away. Draws by history count unless the game went on after one.
    ///
    /// # Errors
    ///
    /// When the start of the record is no position, or a move illegal; then nothing is looked at.
    pub fn review(
        &mut self,
        record: &Record,
        observer: &mut dyn Observer,
        mut follow: impl FnMut(&ReviewedTurn),
    ) -> Result<Vec<ReviewedTurn>, ReplayError> {
        let turns = record.turns()?;
        let mut game = start(record, DrawRules::default())?;
        if !may_be_played(&*game, record) {
            game = start(record, DrawRules::OFF)?;
        }
        let mut reviewed = Vec::with_capacity(turns.len());
        self.clear();
        for turn in turns {
            let (number, side) = (game.move_number(), game.to_move());
            let mut moves = Vec::with_capacity(turn.moves().len());
            for &mv in turn.moves() {
                moves.push(self.review_move(&mut *game, mv, observer));
            }
            let turn = ReviewedTurn { number, side, turn, moves };
            follow(&turn);
            reviewed.push(turn);
        }
        Ok(reviewed)
    }

    /// Compares a legal move with the best one, and plays it.
    fn review_move(
        &mut self,
        game: &mut dyn AnyGame,
        mv: Move,
        observer: &mut dyn Observer,
    ) -> ReviewedMove {
        let before = self.assess(game, observer);
        let best = before.lines.first().filter(|best| best.pv.first() == Some(&mv));
        let played = match best {
            Some(best) => best.clone(),
            None => self.assess_move(game, mv, before.depth, observer),
        };
        let side = game.to_move();
        game.play(mv).expect("the record was played before");
        let known = match game.outcome() {
            Some(outcome) => Some(result(outcome, side)),
            None if game.plays_on(side) => self.look_up(game),
            None => self.look_up(game).map(Wdl::before_move),
        };
        ReviewedMove::new(before, played, known)
    }
}

fn start(record: &Record, draws: DrawRules) -> Result<Box<dyn AnyGame>, ReplayError> {
    match &record.start {
        Some(text) => Ok(any_game::from_text(text, &record.rules, draws)?),
        None => Ok(any_game::start(&record.rules, draws)),
    }
}

/// Whether no draw by history ends the game before the record does.
fn may_be_played(game: &dyn AnyGame, record: &Record) -> bool {
    let mut game = game.copy();
    record.moves().all(|mv| game.play(mv).is_ok())
}
