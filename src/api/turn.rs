//! `move`: what the engine plays.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::job::Awaited;
use super::position::board;
use super::request::{GameText, MOST_TIME, USUAL_TIME, check};
use super::{Client, Job, Purpose, Refusal, Role, Search, Site};
use crate::analysis::WhiteLine;
use crate::search::{Budget, Clock, Engine, Limits, Settings, Skill};

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    game: GameText,
    #[serde(default = "usual_level")]
    level: u32,
    /// The time for the move in milliseconds, unless a clock runs.
    #[serde(default = "usual_time")]
    time: u64,
    clock: Option<ClockText>,
    /// Decides between equals and the mistakes of a level.
    seed: Option<u64>,
}

fn usual_level() -> u32 {
    Skill::USUAL.level()
}

fn usual_time() -> u64 {
    USUAL_TIME
}

/// The clock of the engine, in milliseconds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockText {
    left: u64,
    #[serde(default)]
    increment: u64,
}

impl Request {
    fn budget(&self) -> Result<Budget, Refusal> {
        check("level", self.level, 0..=Skill::FULL.level())?;
        check("time", self.time, 1..=MOST_TIME)?;
        let most = Duration::from_millis(MOST_TIME);
        Ok(match &self.clock {
            Some(clock) => {
                let [left, increment] = [clock.left, clock.increment].map(Duration::from_millis);
                let Budget { soft, hard } = Budget::for_game(left, increment, None, OVERHEAD);
                Budget { soft, hard: hard.map(|hard| hard.min(most)) }
            }
            None => Budget::for_move(Duration::from_millis(self.time), Duration::ZERO),
        })
    }
}

/// What it may take to bring a move to the page.
const OVERHEAD: Duration = Duration::from_millis(30);

/// Searches as long as somebody waits.
pub fn job(request: &Request, site: &dyn Site) -> Result<Job, Refusal> {
    let mut game = request.game.play(site.rules())?;
    if game.game().outcome().is_some() {
        return Err(Refusal::bad("the game is over"));
    }
    let budget = request.budget()?;
    let seed = request.seed.unwrap_or_else(|| site.seed());
    let skill = Skill::of_level(request.level);
    let purpose = Purpose::play(game.game(), skill);
    let limits = Limits { clock: Arc::new(Clock::started(budget)), ..Limits::none() };
    let search = move |mut engine: Engine, site: &dyn Site, client: &dyn Client| {
        let mover = game.game().to_move();
        engine.settings = Settings { shuffle: Some(seed), ..Settings::default() };
        engine.tablebase = if skill.is_full() { site.tablebase(game.rules()) } else { None };
        let awaited = &mut Awaited(client);
        let report = engine.search_with_skill(game.game(), &limits, skill, seed, awaited);
        let answer = || {
            let best = report.best().ok_or_else(|| Refusal::bad("there is no move"))?;
            game.play(best).map_err(Refusal::bad)?;
            let (depth, nodes) = (report.depth, report.nodes);
            // The line that begins with the move.
            let line = report.lines.into_iter().next().unwrap_or_default();
            Ok(json!({
                "move": best,
                "depth": depth,
                "nodes": nodes,
                "lines": [WhiteLine::new(&line, mover)],
                "board": board(&game),
            }))
        };
        (answer(), engine)
    };
    Ok(Job::Search(Search::new(Role::Player, purpose, search)))
}
