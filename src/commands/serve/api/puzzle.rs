//! `POST /api/1/puzzle`: a position in which one turn keeps a win or a draw.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use millstone::clusters::SizeError;
use millstone::game::Game;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Engine, Skill};
use serde::Deserialize;
use serde_json::{Value, json};

use super::request::{Asked, check, rules};
use crate::commands::puzzles::{self, MOST_DRAWN, TABLE_SIZE};
use crate::commands::serve::reply::{self, Answer, Refusal};
use crate::commands::serve::searches::{Purpose, Watcher};
use crate::commands::serve::site::Site;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    variant: Option<String>,
    sector: Option<String>,
    /// The least level.
    #[serde(default)]
    level: u32,
    #[serde(default = "rand::random")]
    seed: u64,
}

/// When a puzzle is given up that is hard to find.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Draws positions on another thread, as long as somebody waits. That takes a place of those for
/// analysis.
pub async fn answer(State(site): State<Arc<Site>>, Asked(request): Asked<Request>) -> Answer {
    check("level", request.level, 0..=Skill::FULL.level())?;
    let rules = rules(request.variant.as_deref(), &site.rules)?;
    let pool = Arc::clone(&site.analysts);
    pool.search(Purpose::review(&rules), move |engine, watcher| {
        let found = request.find(&site, &rules, watcher);
        (found.map(|found| reply::json(&found)), engine)
    })
    .await
}

impl Request {
    fn find(&self, site: &Site, rules: &RuleSet, watcher: &Watcher) -> Result<Value, Refusal> {
        let missing = || Refusal::bad("there is no tablebase of this game");
        let since = Instant::now();
        let is_awaited = || !watcher.is_stopped() && since.elapsed() < MOST_TIME;
        let tablebase = site.tablebase_with_small(rules, is_awaited).ok_or_else(missing)?;
        let unavailable =
            |error: SizeError| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error.to_string());
        let mut engine = Engine::new(TABLE_SIZE).map_err(unavailable)?;
        let sector = self.sector.as_deref();
        let draw = puzzles::draw(rules, &tablebase, sector, self.seed, &mut engine);
        let mut draw = draw.map_err(Refusal::bad)?;
        let drawn = (0..MOST_DRAWN).take_while(|_| is_awaited());
        let mut drawn = drawn.filter_map(|_| draw());
        let found = drawn.find(|puzzle| puzzle.level >= self.level);
        let puzzle =
            found.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "no such puzzle was found"))?;
        let game = Game::from_text(&puzzle.position, *rules, DrawRules::default());
        let mut found = json!(puzzle);
        found["to_move"] = json!(game.map_err(Refusal::bad)?.to_move());
        Ok(found)
    }
}
