//! What a search tells, and to whom.

use std::time::Duration;

use crate::game::Game;
use crate::position::Move;
use crate::rules::Rules;
use crate::score::Score;

/// Follows a search: the protocol, the bench, a match and the tests each do it their way.
pub trait Observer {
    /// Learns of a finished iteration.
    fn progress(&mut self, progress: &Progress<'_>);

    /// Whether to break off; asked every thousand nodes or so.
    fn should_stop(&mut self, nodes: u64) -> bool;
}

/// Hears nothing and never stops a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _progress: &Progress<'_>) {}

    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }
}

/// The state of a search after an iteration.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The depth of the iteration, in placements and slides.
    pub depth: u32,
    /// The longest line looked at, in moves.
    pub selective_depth: u32,
    /// The value for the side to move.
    pub score: Score,
    /// The best play for both sides as far as it is known.
    pub line: &'a [Move],
    /// Positions visited since the search began.
    pub nodes: u64,
    /// How many of them the databases knew.
    pub database_hits: u64,
    /// The use of the transposition table, in thousandths.
    pub table_use: u32,
    /// Time since the search began.
    pub time: Duration,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The depth of the last finished iteration; 0 if none was finished.
    pub depth: u32,
    /// The value for the side to move.
    pub score: Score,
    /// The best play for both sides as far as it is known; empty only when there is no move.
    pub line: Vec<Move>,
    /// Positions visited.
    pub nodes: u64,
    /// How many of them the databases knew.
    pub database_hits: u64,
}

impl Report {
    /// The move to play.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }

    /// The answer expected from the opponent; none when the same side plays on, as after a mill.
    #[must_use]
    pub fn ponder<R: Rules>(&self, game: &Game<R>) -> Option<Move> {
        let mut position = *game.position();
        let side = position.to_move();
        let _ = position.do_move(self.best()?);
        self.line.get(1).copied().filter(|_| position.to_move() != side)
    }
}
