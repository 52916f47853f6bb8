//! A game by any rules, so that a session need not know which.
//!
//! The rules are looked at once, when a game begins: Nine Men's Morris then runs the code compiled
//! for it, any other game the code that reads its rules from a [`RuleSet`].

use super::board::Board;
use super::plan::Handicap;
use crate::board::Side;
use crate::evaluate::{self, Term};
use crate::game::{Game, IllegalMove, Outcome};
use crate::perft::{self, Bulk, Stoppable};
use crate::position::{Move, MoveList, Position, TextError};
use crate::rules::{DrawRules, RuleSet, Rules, Standard};
use crate::score::Score;
use crate::search::{Engine, Limits, Observer, Report};

/// What a session asks of a game.
pub(super) trait AnyGame: Send {
    /// The same game once more.
    fn copy(&self) -> Box<dyn AnyGame>;
    /// The position as text.
    fn text(&self) -> String;
    /// The board with all that belongs to it.
    fn board(&self) -> String;
    /// The key of the position.
    fn key(&self) -> u64;
    /// The side to move.
    fn to_move(&self) -> Side;
    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;
    /// The legal moves.
    fn moves(&self) -> MoveList;
    /// Plays a move, if it is legal.
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove>;
    /// The value of the position without search.
    fn estimate(&self) -> Score;
    /// The terms of that value; none when the game is over.
    fn terms(&self) -> Vec<Term>;
    /// Looks for a move as well as the skill allows; beside the report the answer expected from the
    /// opponent.
    fn search(
        &self,
        engine: &mut Engine,
        limits: &Limits,
        handicap: Handicap,
        observer: &mut dyn Observer,
    ) -> (Report, Option<Move>);
    /// Counts the leaves of the game tree; the count is worthless once it should stop.
    fn perft(&self, depth: u32, should_stop: &dyn Fn() -> bool) -> u64;
}

impl<R: Rules> AnyGame for Game<R> {
    fn copy(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn text(&self) -> String {
        self.text().to_string()
    }

    fn board(&self) -> String {
        Board(self).to_string()
    }

    fn key(&self) -> u64 {
        self.position().key()
    }

    fn to_move(&self) -> Side {
        self.position().to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn moves(&self) -> MoveList {
        self.moves()
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.play(mv)
    }

    fn estimate(&self) -> Score {
        match self.outcome() {
            Some(Outcome::Win { .. }) => Score::loss_in(0),
            Some(Outcome::Draw(_)) => Score::DRAW,
            None => evaluate::evaluate(self.position()),
        }
    }

    fn terms(&self) -> Vec<Term> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => evaluate::terms(self.position()),
        }
    }

    fn search(
        &self,
        engine: &mut Engine,
        limits: &Limits,
        Handicap { skill, seed }: Handicap,
        observer: &mut dyn Observer,
    ) -> (Report, Option<Move>) {
        let report = skill.search(engine, self, limits, seed, observer);
        let ponder = report.ponder(self);
        (report, ponder)
    }

    fn perft(&self, depth: u32, should_stop: &dyn Fn() -> bool) -> u64 {
        let mut hooks = Stoppable::new(Bulk, should_stop);
        perft::walk(&mut self.position().to_owned(), depth, &mut hooks)
    }
}

/// A new game.
pub(super) fn start(rules: &RuleSet, draws: DrawRules) -> Box<dyn AnyGame> {
    if rules.is_standard() {
        Box::new(Game::from_position(Position::start(Standard), draws))
    } else {
        Box::new(Game::from_position(Position::start(*rules), draws))
    }
}

/// A game that goes on from a position text.
///
/// # Errors
///
/// The first field of the text that is wrong.
pub(super) fn from_text(
    text: &str,
    rules: &RuleSet,
    draws: DrawRules,
) -> Result<Box<dyn AnyGame>, TextError> {
    if rules.is_standard() {
        Ok(Box::new(Game::from_text(text, Standard, draws)?))
    } else {
        Ok(Box::new(Game::from_text(text, *rules, draws)?))
    }
}
