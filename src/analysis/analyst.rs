//! Position analysis with a fixed search effort.

use std::time::Duration;

use crate::game::Game;
use crate::position::Move;
use crate::search::{Budget, Clock, Engine, Limits, MAX_DEPTH, Observer, Report, Variation};
use crate::tablebase::{Tablebase, Wdl};

/// The limits of each search; the first one reached ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The deepest iteration in plies, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// The most nodes to visit.
    pub nodes: Option<u64>,
    /// The longest time.
    pub time: Option<Duration>,
    /// The number of best moves with exact scores and principal variations, at least 1.
    pub lines: usize,
}

impl Default for Effort {
    /// No limit, and only the best move.
    fn default() -> Self {
        Self { depth: MAX_DEPTH, nodes: None, time: None, lines: 1 }
    }
}

impl Effort {
    /// The effort for a lesson: the two best moves, for 300 ms.
    pub const TEACHING: Self =
        Self { depth: MAX_DEPTH, nodes: None, time: Some(Duration::from_millis(300)), lines: 2 };

    /// The limits of a search that begins now.
    fn limits(&self) -> Limits {
        let budget = |time| Budget::for_move(time, Duration::ZERO);
        Limits {
            nodes: self.nodes,
            multi_pv: self.lines,
            scores_all: true,
            clock: Clock::started(self.time.map_or(Budget::UNLIMITED, budget)),
            ..Limits::to_depth(self.depth)
        }
    }
}

/// The most effort for comparing the played move with the best one, as a multiple of the usual effort.
const MOST_EFFORT: u32 = 3;

/// An engine at full strength whose searches all have the same limits.
pub struct Analyst {
    /// The engine, with its tablebase and settings.
    pub engine: Engine,
    /// The limits of its next searches.
    pub effort: Effort,
}

impl Analyst {
    /// Creates an analyst that uses `engine` with its tablebase and settings.
    pub const fn new(engine: Engine, effort: Effort) -> Self {
        Self { engine, effort }
    }

    /// Searches a position for its best moves.
    pub fn assess(&mut self, game: &Game, observer: &mut dyn Observer) -> Report {
        self.engine.search(game, &self.effort.limits(), observer)
    }

    /// Searches the best move and another legal one side by side, to the depth of the first search. If that search
    /// found a mate, which ends a search early, only the effort limits the depth. Returns both lines, or `None` if
    /// stopped before both have scores.
    pub(super) fn compare(
        &mut self,
        game: &Game,
        moves: [Move; 2],
        found: &Report,
        observer: &mut dyn Observer,
    ) -> Option<[Variation; 2]> {
        let Effort { depth, nodes, time, .. } = self.effort;
        let is_mate = found.score().is_mate();
        let effort = Effort {
            depth: if is_mate { depth } else { found.depth },
            nodes: nodes.map(|nodes| nodes.saturating_mul(MOST_EFFORT.into())),
            time: time.map(|time| time.saturating_mul(MOST_EFFORT)),
            lines: moves.len(),
        };
        let limits = Limits { search_moves: moves.to_vec(), ..effort.limits() };
        let report = self.engine.search(game, &limits, observer);
        let line = |mv| report.lines.iter().find(|line| line.pv.first() == Some(&mv)).cloned();
        Some([line(moves[0])?, Variation { depth: report.depth, ..line(moves[1])? }])
    }

    /// Returns the result for the side to move within the draw rules, if known.
    ///
    /// * `report`: of a search of this position.
    pub fn result(&self, game: &Game, report: &Report) -> Option<Wdl> {
        match &report.known {
            Some(root) => root.moves()[0].worth().wdl(),
            None => self.certain(game),
        }
    }

    /// The result for the side to move, if it is known and no draw rule can change it.
    pub(super) fn certain(&self, game: &Game) -> Option<Wdl> {
        let ended = game.outcome().map(|outcome| Wdl::ended(outcome, game.to_move()));
        ended.or_else(|| self.tablebase(game)?.certain_wdl(game))
    }

    /// The tablebase, if it is one of this game.
    pub(super) fn tablebase(&self, game: &Game) -> Option<&Tablebase> {
        self.engine.tablebase.as_deref().filter(|tablebase| tablebase.is_of(game.rules()))
    }
}
