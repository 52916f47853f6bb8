//! The engine at the board.

use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use millstone::any_game::AnyGame;
use millstone::clusters::SizeError;
use millstone::position::Move;
use millstone::search::{
    Budget, Clock, Engine, Limits, Observer, Progress, Report, Settings, Skill, Variation,
};

use super::databases::Databases;
use super::interrupt::Thinking;
use super::judgement::words;

/// The engine with what it needs to choose turns.
pub struct Thinker {
    engine: Engine,
    databases: Databases,
    /// The time for a turn without a clock.
    move_time: Duration,
    /// Where random choices come from; another number for each search.
    seed: u64,
    /// Whether to show that it thinks.
    shows: bool,
}

/// What a search brought.
pub struct Thought {
    /// The move to play, none when there is no move.
    pub best: Option<Move>,
    /// How deep the lines were looked at, in placements and slides.
    pub depth: u32,
    /// The best moves with scores and lines, best first.
    pub lines: Vec<Variation>,
    /// Whether the user broke it off.
    pub is_hurried: bool,
}

/// The size of the transposition table in MiB.
const TABLE_SIZE: usize = 64;
/// Thoughts shorter than this are not shown.
const DELAY: Duration = Duration::from_millis(250);
/// How often the indicator moves.
const TICK: Duration = Duration::from_millis(120);

impl Thinker {
    /// An engine that thinks for some time about each turn.
    pub fn new(
        databases: Databases,
        move_time: Duration,
        seed: u64,
        shows: bool,
    ) -> Result<Self, SizeError> {
        Ok(Self { engine: Engine::new(TABLE_SIZE)?, databases, move_time, seed, shows })
    }

    /// Forgets every game before.
    pub fn forget(&mut self) {
        self.engine.clear();
    }

    /// Chooses a move as well as the skill allows.
    pub fn choose(&mut self, game: &dyn AnyGame, skill: Skill, budget: Option<Budget>) -> Thought {
        self.seed = self.seed.wrapping_add(1);
        self.engine.settings = Settings { shuffle: Some(self.seed), ..Settings::default() };
        self.think(game, skill, budget, 1)
    }

    /// The best moves as far as the engine can tell.
    pub fn judge(&mut self, game: &dyn AnyGame, lines: usize) -> Thought {
        self.engine.settings = Settings::default();
        self.think(game, Skill::FULL, None, lines)
    }

    fn think(
        &mut self,
        game: &dyn AnyGame,
        skill: Skill,
        budget: Option<Budget>,
        lines: usize,
    ) -> Thought {
        let budget = budget.unwrap_or(Budget::for_move(self.move_time, Duration::ZERO));
        let clock = Arc::new(Clock::started(budget));
        let is_known = game.rules().is_standard() && skill.is_full();
        self.engine.tables = is_known.then(|| self.databases.for_search());
        let limits = Limits { lines, clock, ..Limits::none() };
        let mut watcher = Watcher::begin(self.shows);
        let report = game.search(&mut self.engine, &limits, skill, self.seed, &mut watcher);
        watcher.indicator.finish_and_clear();
        watcher.thought(report)
    }
}

/// Follows a search for the player.
struct Watcher {
    thinking: Thinking,
    begin: Instant,
    /// The depth and the lines of the last iteration.
    depth: u32,
    lines: Vec<Variation>,
    /// Shows that the engine thinks, once that takes long enough to be noticed.
    indicator: ProgressBar,
    /// Whether it is to be shown and is not yet.
    is_due: bool,
}

impl Watcher {
    fn begin(shows: bool) -> Self {
        Self {
            thinking: Thinking::begin(),
            begin: Instant::now(),
            depth: 0,
            lines: Vec::new(),
            indicator: ProgressBar::hidden(),
            is_due: shows,
        }
    }

    fn show(&mut self) {
        self.is_due = false;
        self.indicator = ProgressBar::new_spinner();
        self.tell();
        self.indicator.enable_steady_tick(TICK);
    }

    /// Says what the engine thinks so far.
    fn tell(&self) {
        let score = self.lines.first().map(|line| format!(", {}", words(line.score)));
        let (depth, score) = (self.depth, score.unwrap_or_default());
        self.indicator.set_message(format!("thinking, depth {depth}{score}, Ctrl-C to hurry"));
    }

    /// What came out: the lines all from one iteration, if one was finished.
    fn thought(self, report: Report) -> Thought {
        let best = report.best();
        let found = Variation { score: report.score, line: report.line };
        let lines = if self.lines.is_empty() { vec![found] } else { self.lines };
        Thought { best, depth: self.depth, lines, is_hurried: self.thinking.is_hurried() }
    }
}

impl Observer for Watcher {
    fn progress(&mut self, progress: &Progress<'_>) {
        if progress.rank == 1 {
            self.lines.clear();
            self.depth = progress.depth;
        }
        self.lines.push(Variation { score: progress.score, line: progress.line.to_vec() });
        if progress.rank == 1 {
            self.tell();
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        if self.is_due && self.begin.elapsed() >= DELAY {
            self.show();
        }
        self.thinking.is_hurried()
    }
}
