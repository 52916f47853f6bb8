//! The engine at the board.

use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use millstone::any_game::AnyGame;
use millstone::clusters::SizeError;
use millstone::search::{
    Budget, Clock, Engine, Limits, Observer, Progress, Report, Settings, Skill,
};

use super::interrupt::Thinking;
use super::judgement::words;

/// The engine with what it needs to choose turns.
pub struct Thinker {
    pub engine: Engine,
    /// The time for a turn without a clock.
    pub move_time: Duration,
    /// Where random choices come from; another number for each search.
    seed: u64,
    /// Whether to show that it thinks.
    shows: bool,
}

/// What a search brought.
pub struct Thought {
    pub report: Report,
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
    pub fn new(move_time: Duration, seed: u64, shows: bool) -> Result<Self, SizeError> {
        Ok(Self { engine: Engine::new(TABLE_SIZE)?, move_time, seed, shows })
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
        let limits = Limits { lines, clock, ..Limits::none() };
        let mut watcher = Watcher::begin(self.shows);
        let report = game.search(&mut self.engine, &limits, skill, self.seed, &mut watcher);
        watcher.indicator.finish_and_clear();
        Thought { report, is_hurried: watcher.thinking.is_hurried() }
    }
}

/// Follows a search for the player.
struct Watcher {
    thinking: Thinking,
    begin: Instant,
    /// What the engine thinks so far.
    message: String,
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
            message: String::new(),
            indicator: ProgressBar::hidden(),
            is_due: shows,
        }
    }

    fn show(&mut self) {
        self.is_due = false;
        self.indicator = ProgressBar::new_spinner().with_message(self.message.clone());
        self.indicator.enable_steady_tick(TICK);
    }
}

impl Observer for Watcher {
    fn progress(&mut self, progress: &Progress<'_>) {
        if progress.rank == 1 {
            let (depth, score) = (progress.depth, words(progress.score));
            self.message = format!("thinking, depth {depth}, {score}, Ctrl-C to hurry");
            self.indicator.set_message(self.message.clone());
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        if self.is_due && self.begin.elapsed() >= DELAY {
            self.show();
        }
        self.thinking.is_hurried()
    }
}
