//! What a search reports, and to whom.

use std::time::Duration;

use super::known_root::KnownRoot;
use crate::game::Game;
use crate::position::Move;
use crate::score::{Bound, Score};

/// Receives the reports of a search.
pub trait Observer {
    /// Gets what the tablebase knows of the root moves, before they are searched.
    fn known_root(&mut self, _known: &KnownRoot) {}

    /// Gets a MultiPV line of a finished iteration, the best one first.
    fn progress(&mut self, _progress: &Progress) {}

    /// Gets a bound of the value within an iteration, once the search has lasted for a second.
    fn bound(&mut self, _progress: &Progress) {}

    /// Gets the root move that is searched next and its place in the order of the search, from 1, once the search
    /// has lasted for a second.
    fn current_move(&mut self, _depth: u32, _mv: Move, _number: usize) {}

    /// Whether to break off; asked every thousand nodes or so.
    fn should_stop(&mut self, nodes: u64) -> bool;
}

/// Ignores all reports and never stops a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        false
    }
}

/// Ignores all reports; the function gets the nodes and tells whether to break off.
impl<F: FnMut(u64) -> bool> Observer for F {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self(nodes)
    }
}

/// The state of a search after an iteration, or within it.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The depth of the iteration, in placements and slides.
    pub depth: u32,
    /// The length of the longest line searched, in plies.
    pub selective_depth: u32,
    /// The rank of the MultiPV line, from 1.
    pub rank: usize,
    /// The line, with its value at this depth.
    pub line: Variation,
    /// Positions visited by all threads since the search began.
    pub nodes: u64,
    /// Positions found in the tablebase.
    pub tablebase_hits: u64,
    /// The use of the transposition table, in thousandths.
    pub table_use: u32,
    /// Time since the search began.
    pub time: Duration,
}

/// A MultiPV line: a root move, its score and the play that follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// The value for the side to move.
    pub score: Score,
    /// How the score relates to the value.
    pub bound: Bound,
    /// The principal variation, which begins with the move and may be incomplete.
    pub pv: Vec<Move>,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The depth of the last finished iteration; 0 if none was finished.
    pub depth: u32,
    /// The MultiPV lines, best first; none only when there is no move.
    ///
    /// The score of a move that came to the front in an iteration that was broken off, or in passes that
    /// contradict each other, is a lower bound.
    pub lines: Vec<Variation>,
    /// Positions visited.
    pub nodes: u64,
    /// Positions found in the tablebase, including those after known root moves.
    pub tablebase_hits: u64,
    /// What the tablebase knows of the root moves, if it has them all.
    pub known: Option<KnownRoot>,
}

impl Report {
    /// The move to play.
    pub fn best(&self) -> Option<Move> {
        self.pv().first().copied()
    }

    /// The value for the side to move: that of the best line.
    pub fn score(&self) -> Score {
        self.lines.first().map(|line| line.score).unwrap_or_default()
    }

    /// The principal variation, which may be incomplete.
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }

    /// The state of a search that ends with this report, with the MultiPV line at an index.
    pub(crate) fn progress(&self, index: usize, time: Duration) -> Progress {
        let line = self.lines[index].clone();
        Progress {
            depth: self.depth,
            selective_depth: line.pv.len() as u32,
            rank: index + 1,
            line,
            nodes: self.nodes,
            tablebase_hits: self.tablebase_hits,
            table_use: 0,
            time,
        }
    }

    /// The reply expected from the opponent, unless the same side plays on, as after a mill.
    pub fn ponder(&self, game: &Game) -> Option<Move> {
        let side = game.to_move();
        let after = game.position().after(self.best()?);
        self.pv().get(1).copied().filter(|_| !after.plays_on(side))
    }
}
