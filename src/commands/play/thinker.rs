//! The engine at the board.

use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use millstone::any_game::AnyGame;
use millstone::clusters::SizeError;
use millstone::position::Move;
use millstone::search::{
    Budget, Clock, Engine, Limits, Observer, Progress, Report, Settings, Skill, Variation,
};
use millstone::tablebase::Tablebase;

use super::databases::Databases;
use super::interrupt;
use super::judgement::words;
use super::theme::Theme;

/// The engine, as a player and as an adviser.
pub struct Thinker {
    /// Plays.
    player: Engine,
    /// Advises the person; kept apart, so that advice does not make the player stronger.
    adviser: Engine,
    databases: Databases,
    /// The time for a turn without a clock.
    move_time: Duration,
    /// Where random choices come from; another number for each search.
    seed: u64,
    /// How to show that it thinks, if at all.
    theme: Option<Theme>,
}

/// What a search brought.
pub struct Thought {
    /// The move to play, none when there is no move.
    pub best: Option<Move>,
    /// How deep the lines were looked at, in placements and slides.
    pub depth: u32,
    /// The best moves with scores and lines, best first.
    pub lines: Vec<Variation>,
}

/// The size of each transposition table in MiB.
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
        theme: Option<Theme>,
    ) -> Result<Self, SizeError> {
        let [player, adviser] = [Engine::new(TABLE_SIZE)?, Engine::new(TABLE_SIZE)?];
        Ok(Self { player, adviser, databases, move_time, seed, theme })
    }

    /// The time for a turn without a clock.
    pub fn move_time(&self) -> Duration {
        self.move_time
    }

    /// Forgets every game before.
    pub fn forget(&mut self) {
        self.player.clear();
        self.adviser.clear();
    }

    /// Chooses a move as well as the skill allows.
    pub fn choose(&mut self, game: &dyn AnyGame, skill: Skill, budget: Option<Budget>) -> Thought {
        self.seed = self.seed.wrapping_add(1);
        self.player.settings = Settings { shuffle: Some(self.seed), ..Settings::default() };
        self.player.tablebase = if skill.is_full() { self.tablebase(game) } else { None };
        let limits = self.limits(budget, 1);
        self.watch(|thinker, watcher| {
            game.search(&mut thinker.player, &limits, skill, thinker.seed, watcher)
        })
    }

    /// The best moves as far as the engine can tell.
    pub fn judge(&mut self, game: &dyn AnyGame, lines: usize) -> Thought {
        self.adviser.tablebase = self.tablebase(game);
        let limits = self.limits(None, lines);
        self.watch(|thinker, watcher| {
            game.search(&mut thinker.adviser, &limits, Skill::FULL, thinker.seed, watcher)
        })
    }

    /// The databases, if the game has any.
    fn tablebase(&mut self, game: &dyn AnyGame) -> Option<Arc<Tablebase>> {
        game.rules().is_standard().then(|| self.databases.for_search())
    }

    fn limits(&self, budget: Option<Budget>, lines: usize) -> Limits {
        let budget = budget.unwrap_or(Budget::for_move(self.move_time, Duration::ZERO));
        Limits { multi_pv: lines, clock: Arc::new(Clock::started(budget)), ..Limits::none() }
    }

    /// Thinks while the player looks on.
    fn watch(&mut self, think: impl FnOnce(&mut Self, &mut Watcher) -> Report) -> Thought {
        let mut watcher = Watcher::begin(self.theme);
        let report = think(self, &mut watcher);
        watcher.indicator.finish_and_clear();
        watcher.thought(report)
    }
}

/// Follows a search for the player.
struct Watcher {
    begin: Instant,
    /// The depth and the lines of the last iteration.
    depth: u32,
    lines: Vec<Variation>,
    /// Shows that the engine thinks, once that takes long enough to be noticed.
    indicator: ProgressBar,
    /// How it is to be shown, if it is and is not yet.
    due: Option<Theme>,
}

impl Watcher {
    fn begin(due: Option<Theme>) -> Self {
        Self {
            begin: Instant::now(),
            depth: 0,
            lines: Vec::new(),
            indicator: ProgressBar::hidden(),
            due,
        }
    }

    fn show(&mut self, theme: Theme) {
        let style = ProgressStyle::default_spinner().tick_chars(theme.spinner());
        self.indicator = ProgressBar::new_spinner().with_style(style);
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
        let found = Variation { score: report.score, pv: report.pv };
        let lines = if self.lines.is_empty() { vec![found] } else { self.lines };
        Thought { best, depth: self.depth, lines }
    }
}

impl Observer for Watcher {
    fn progress(&mut self, progress: &Progress<'_>) {
        if progress.rank == 1 {
            self.lines.clear();
            self.depth = progress.depth;
        }
        self.lines.push(Variation { score: progress.score, pv: progress.pv.to_vec() });
        if progress.rank == 1 {
            self.tell();
        }
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        if let Some(theme) = self.due.take_if(|_| self.begin.elapsed() >= DELAY) {
            self.show(theme);
        }
        interrupt::is_hurried()
    }
}
