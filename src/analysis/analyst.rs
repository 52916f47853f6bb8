//! Assessing positions by searches of equal effort.

use std::sync::Arc;
use std::time::Duration;

use crate::game::Game;
use crate::position::Move;
use crate::search::{
    Budget, Clock, Engine, KnownRoot, Limits, MAX_DEPTH, Observer, Report, Variation,
};
use crate::tablebase::{Tablebase, Wdl};

/// The limits of each search; the first one reached ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The deepest iteration, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// The most positions to visit.
    pub nodes: Option<u64>,
    /// The longest time.
    pub time: Option<Duration>,
    /// How many of the best moves get an exact score and a principal variation, at least 1.
    pub lines: usize,
}

impl Default for Effort {
    /// No limit, and the best move alone.
    fn default() -> Self {
        Self { depth: MAX_DEPTH, nodes: None, time: None, lines: 1 }
    }
}

impl Effort {
    /// What a sentence about a turn takes: the two best moves tell whether another was better.
    pub const TEACHING: Self =
        Self { depth: MAX_DEPTH, nodes: None, time: Some(Duration::from_millis(300)), lines: 2 };

    /// The limits of a search that begins now.
    fn limits(&self) -> Limits {
        let budget = |time| Budget::for_move(time, Duration::ZERO);
        let clock = Clock::started(self.time.map_or(Budget::UNLIMITED, budget));
        Limits {
            nodes: self.nodes,
            multi_pv: self.lines,
            scores_all: true,
            clock: Arc::new(clock),
            ..Limits::to_depth(self.depth)
        }
    }
}

/// How many times the effort a review may spend on the move that was played, to judge it at the depth of
/// the best one.
const MOST_EFFORT: u32 = 3;

/// A position as a search and the tablebase see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assessment {
    /// The depth of the last finished iteration; 0 if none was finished.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The result by the tablebase for the side to move, if it knows the position.
    pub known: Option<Wdl>,
    /// What the tablebase knows of each move, if it knows all.
    pub known_moves: Option<KnownRoot>,
    /// The best moves with scores and principal variations, best first, for the side to move; none
    /// when the game is over.
    pub lines: Vec<Variation>,
}

/// An engine at full strength whose searches all have the same limits.
pub struct Analyst {
    engine: Engine,
    effort: Effort,
}

impl Analyst {
    /// An analyst with an engine, whose tablebase and settings are used.
    #[must_use]
    pub const fn new(engine: Engine, effort: Effort) -> Self {
        Self { engine, effort }
    }

    /// The engine, for other use.
    #[must_use]
    pub fn into_engine(self) -> Engine {
        self.engine
    }

    /// Clears what searches before have left, so that the next one gives the same as if it were the
    /// first.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Searches a position for its best moves.
    pub fn assess(&mut self, game: &Game, observer: &mut dyn Observer) -> Assessment {
        let report = self.search(game, &self.effort.limits(), observer);
        Assessment {
            depth: report.depth,
            nodes: report.nodes,
            known: self.look_up(game),
            known_moves: report.known.clone(),
            lines: report.into_lines(),
        }
    }

    /// Searches one legal move alone, to the depth that the best one reached, which a search of all moves
    /// took the whole effort for; gives the depth that this one reached.
    pub(super) fn assess_move(
        &mut self,
        game: &Game,
        mv: Move,
        depth: u32,
        observer: &mut dyn Observer,
    ) -> (Variation, u32) {
        let Effort { nodes, time, .. } = self.effort;
        let effort = Effort {
            depth,
            nodes: nodes.map(|nodes| nodes.saturating_mul(MOST_EFFORT.into())),
            time: time.map(|time| time.saturating_mul(MOST_EFFORT)),
            lines: 1,
        };
        let limits = Limits { search_moves: vec![mv], ..effort.limits() };
        let report = self.search(game, &limits, observer);
        let depth = report.depth;
        (Variation { score: report.score, bound: report.bound, pv: report.pv }, depth)
    }

    /// The result by the tablebase for the side to move, if it knows the position.
    pub(super) fn look_up(&self, game: &Game) -> Option<Wdl> {
        self.tablebase(game)?.probe(game.position())
    }

    /// The line of best play by the tablebase until the game ends or is drawn, if it knows the way.
    pub(super) fn best_line(&self, game: &Game) -> Option<Vec<Move>> {
        let (line, _) = self.tablebase(game)?.pv(game, || false)?;
        Some(line)
    }

    fn tablebase(&self, game: &Game) -> Option<&Tablebase> {
        self.engine.tablebase.as_deref().filter(|tablebase| tablebase.is_of(game.rules()))
    }

    fn search(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer) -> Report {
        self.engine.search(game, limits, observer)
    }
}
