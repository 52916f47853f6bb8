//! `POST /api/1/move`: what the engine plays.

use std::sync::Arc;
use std::time::Duration;

use millstone::search::{Budget, Clock, Limits, Settings, Skill, Variation};
use serde::{Deserialize, Serialize};

use super::aside;
use super::events::Watcher;
use super::position::JsonBoard;
use super::request::{GameText, MOST_TIME, USUAL_TIME, check};
use crate::commands::json::analysis::JsonVariation;
use crate::commands::play::{DEFAULT_LEVEL, History};
use crate::commands::serve::refusal::Refusal;
use crate::commands::serve::reply::{self, Reply};
use crate::commands::serve::searches::{Purpose, Stop};
use crate::commands::serve::site::Site;

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
    #[serde(default = "rand::random")]
    seed: u64,
}

fn usual_level() -> u32 {
    DEFAULT_LEVEL
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

/// The move and what is on the board after it.
#[derive(Serialize)]
struct JsonAnswer {
    r#move: String,
    depth: u32,
    nodes: u64,
    /// The line that begins with the move.
    lines: Vec<JsonVariation>,
    board: JsonBoard,
}

/// A search to come.
pub struct Asked {
    game: History,
    level: u32,
    budget: Budget,
    seed: u64,
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

/// Plays the game.
pub fn prepare(site: &Site, request: &Request) -> Result<Asked, Refusal> {
    let game = request.game.play(&site.rules)?;
    if game.end().is_some() {
        return Err(Refusal::bad("the game is over"));
    }
    Ok(Asked { game, level: request.level, budget: request.budget()?, seed: request.seed })
}

/// Searches on another thread, as long as somebody waits.
pub async fn answer(asked: Asked, site: Arc<Site>) -> Result<Reply, Refusal> {
    let Asked { mut game, level, budget, seed } = asked;
    let skill = Skill::of_level(level);
    let purpose = Purpose { rules: *game.game().rules(), skill };
    let mut seat = site.players.take(purpose).await?;
    let limits = Limits { clock: Arc::new(Clock::started(budget)), ..Limits::none() };
    let stop = Stop::default();
    let mut watcher = Watcher(stop.watched());
    let reply = aside(move || {
        let mover = game.game().to_move();
        seat.engine.settings = Settings { shuffle: Some(seed), ..Settings::default() };
        seat.engine.tablebase = if skill.is_full() { site.tablebase(game.rules()) } else { None };
        let report = game.game().search(&mut seat.engine, &limits, skill, seed, &mut watcher);
        seat.give_back();
        let best = report.best().ok_or_else(|| Refusal::bad("there is no move"))?;
        let line = Variation { score: report.score, bound: report.bound, pv: report.pv };
        game.play(best).map_err(Refusal::bad)?;
        Ok(reply::json(&JsonAnswer {
            r#move: best.to_string(),
            depth: report.depth,
            nodes: report.nodes,
            lines: JsonVariation::all(&[line], mover),
            board: JsonBoard::new(&game),
        }))
    });
    let reply = reply.await;
    drop(stop);
    reply
}
