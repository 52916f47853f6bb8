//! The engine of a session: searches with a spinner, and scores and variations as text.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use millstone::analysis::{Analyst, Effort, Lesson};
use millstone::board::Glyphs;
use millstone::clusters::SizeError;
use millstone::game::{Game, History};
use millstone::position::{Move, Turn};
use millstone::score::{Score, ScoreKind};
use millstone::search::{Budget, Clock, Engine, Limits, Observer, Report, Settings, Skill};
use millstone::tablebase::{EngineTablebase, Solvable, Tablebase};

use super::{Arguments, input};
use crate::commands::arguments::{TABLE_SIZE, TablebaseFolder};
use crate::commands::complain;

/// The engines of a session.
pub struct PlayEngine {
    /// Plays.
    player: Engine,
    /// Gives hints and analyses, and comments on turns; separate, so that its table does not make the player stronger.
    adviser: Analyst,
    tablebase_folder: TablebaseFolder,
    tablebase: EngineTablebase,
    /// The thinking time for a move without a clock.
    pub move_time: Duration,
    /// The seed of random choices, incremented for each search.
    seed: u64,
    /// The glyphs of the spinner, if there is a terminal to show it.
    glyphs: Option<Glyphs>,
}

/// The duration of a search before the spinner appears.
const DELAY: Duration = Duration::from_millis(250);
/// How often the spinner turns.
const TICK: Duration = Duration::from_millis(120);

impl PlayEngine {
    /// Creates the engines with the settings of the arguments.
    pub fn new(arguments: &Arguments, glyphs: Option<Glyphs>) -> Result<Self, SizeError> {
        let move_time = Duration::from_millis(arguments.movetime);
        let time = Effort::TEACHING.time.map(|time| time.min(move_time));
        let teaching = Effort { time, ..Effort::TEACHING };
        let [player, adviser] = [Engine::new(TABLE_SIZE)?, Engine::new(TABLE_SIZE)?];
        player.get_ready();
        Ok(Self {
            player,
            adviser: Analyst::new(adviser, teaching),
            tablebase_folder: arguments.tablebase.clone(),
            tablebase: EngineTablebase::default(),
            move_time,
            seed: arguments.seed.unwrap_or_else(rand::random),
            glyphs,
        })
    }

    /// Forgets earlier games.
    pub fn clear(&mut self) {
        self.player.clear();
        self.adviser.engine.clear();
    }

    /// Chooses a move at a level, within `budget` or else the usual time.
    pub fn choose(&mut self, game: &Game, skill: Skill, budget: Option<Budget>) -> Report {
        self.seed = self.seed.wrapping_add(1);
        self.player.settings = Settings { shuffle: Some(self.seed), ..Settings::default() };
        self.player.tablebase = if skill.is_full() { self.tablebase(game) } else { None };
        let limits = self.limits(budget, 1);
        let mut spinner = Spinner::begin(self.glyphs);
        self.player.search_with_skill(game, &limits, skill, self.seed, &mut spinner)
    }

    /// Searches for the best moves at full strength.
    pub fn analyze(&mut self, game: &Game, lines: usize) -> Report {
        self.adviser.engine.tablebase = self.tablebase(game);
        let limits = self.limits(None, lines);
        self.adviser.engine.search(game, &limits, &mut Spinner::begin(self.glyphs))
    }

    /// Explains a turn that was played after `before`.
    pub fn teach(&mut self, before: &Game, turn: &[Move]) -> Option<Lesson> {
        self.adviser.engine.tablebase = self.tablebase(before);
        self.adviser.teach(before, turn, &mut Spinner::begin(None))
    }

    /// The tablebase, if the game has one.
    fn tablebase(&mut self, game: &Game) -> Option<Arc<Tablebase>> {
        let game = Solvable::of(game.rules()).ok()?;
        let sources = self.tablebase_folder.sources(game);
        let tablebase = self.tablebase.open(sources, &mut |error| complain(error));
        self.tablebase.solve_small_in_background();
        Some(tablebase)
    }

    fn limits(&self, budget: Option<Budget>, lines: usize) -> Limits {
        let budget = budget.unwrap_or(Budget::for_move(self.move_time, Duration::ZERO));
        Limits { multi_pv: lines, clock: Clock::started(budget), ..Limits::none() }
    }
}

/// Shows the progress of a search, and stops it at Ctrl-C.
struct Spinner {
    /// Hidden until the search has lasted [`DELAY`], cleared on drop.
    bar: ProgressBar,
    /// The glyphs of a spinner that is still to be shown.
    due: Option<Glyphs>,
}

impl Spinner {
    fn begin(due: Option<Glyphs>) -> Self {
        Self { bar: ProgressBar::hidden().with_message("thinking"), due }
    }
}

impl Observer for Spinner {
    fn progress(&mut self, report: &Report) {
        let (depth, score) = (report.depth, score_text(report.score()));
        self.bar.set_message(format!("thinking, depth {depth}, {score}, Ctrl-C to hurry"));
    }

    fn should_stop(&mut self, _nodes: u64) -> bool {
        if let Some(glyphs) = self.due.take_if(|_| self.bar.elapsed() >= DELAY) {
            // The last character, a blank, is shown when the search is over.
            let ticks =
                if glyphs == Glyphs::Ascii { "-\\|/ " } else { "⠁⠂⠄⡀⢀⠠⠐⠈ " };
            self.bar.set_style(ProgressStyle::default_spinner().tick_chars(ticks));
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(TICK);
        }
        input::is_hurried()
    }
}

/// Writes a score for the side to move: men ahead, or turns to the end.
pub fn score_text(score: Score) -> String {
    match score.kind() {
        ScoreKind::MateIn(turns) => format!("wins in {}", Score::turns_of_winner(turns)),
        ScoreKind::MatedIn(turns) => format!("loses in {}", Score::turns_of_winner(turns)),
        ScoreKind::TablebaseWin => "wins".to_owned(),
        ScoreKind::CursedWin => "perhaps wins".to_owned(),
        ScoreKind::BlessedLoss => "perhaps loses".to_owned(),
        ScoreKind::TablebaseLoss => "loses".to_owned(),
        ScoreKind::Estimate(hundredths) => {
            format!("{:+.2}", f64::from(hundredths) / f64::from(Score::MAN))
        }
    }
}

/// The turns of a principal variation, up to its first illegal move.
pub fn turns_of(game: &Game, line: &[Move]) -> Vec<Turn> {
    let mut history = History::from(game.clone());
    let _ = line.iter().try_for_each(|&mv| history.play(mv));
    history.turns().iter().map(|(_, turn)| turn.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_said_in_men_and_turns() {
        let said = |score| score_text(score);
        assert_eq!(said(Score::estimate(-35)), "-0.35");
        assert_eq!(said(Score::mate_in(3)), "wins in 2");
        assert_eq!(said(Score::mated_in(4)), "loses in 2");
        assert_eq!(said(Score::TABLEBASE_WIN), "wins");
        assert_eq!(said(-Score::CURSED_WIN), "perhaps loses");
    }
}
