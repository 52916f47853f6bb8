//! `puzzle`: a position in which one turn keeps a win or a draw.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::request::{check, rules};
use super::{Client, Job, Purpose, Refusal, Role, Search, Site};
use crate::analysis::drawn::{MOST_DRAWN, TABLE_SIZE, draw};
use crate::game::Game;
use crate::rules::{DrawRules, RuleSet};
use crate::search::{Engine, Skill};
use crate::system::clock::Moment;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    variant: Option<String>,
    sector: Option<String>,
    /// The least level.
    #[serde(default)]
    level: u32,
    seed: Option<u64>,
}

/// When a puzzle is given up that is hard to find.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Draws positions as long as somebody waits. That takes a place of those for analysis.
pub fn job(request: Request, site: &dyn Site) -> Result<Job, Refusal> {
    check("level", request.level, 0..=Skill::FULL.level())?;
    let rules = rules(request.variant.as_deref(), site.rules())?;
    let find = move |engine, site: &dyn Site, client: &dyn Client| {
        (request.find(site, &rules, client), engine)
    };
    Ok(Job::Search(Search::new(Role::Analyst, Purpose::review(&rules), find)))
}

impl Request {
    fn find(
        &self,
        site: &dyn Site,
        rules: &RuleSet,
        client: &dyn Client,
    ) -> Result<Value, Refusal> {
        let missing = || Refusal::bad("there is no tablebase of this game");
        let since = Moment::now();
        let is_awaited = || !client.is_gone() && since.elapsed() < MOST_TIME;
        let tablebase = site.tablebase_with_small(rules, &is_awaited).ok_or_else(missing)?;
        let mut engine = Engine::new(TABLE_SIZE)?;
        let sector = self.sector.as_deref();
        let seed = self.seed.unwrap_or_else(|| site.seed());
        let drawn = draw(rules, &tablebase, sector, seed, &mut engine);
        let mut draw = drawn.map_err(Refusal::bad)?;
        let drawn = (0..MOST_DRAWN).take_while(|_| is_awaited());
        let mut drawn = drawn.filter_map(|_| draw());
        let found = drawn.find(|puzzle| puzzle.level >= self.level);
        let missing = || Refusal::NotFound("no such puzzle was found".to_owned());
        let puzzle = found.ok_or_else(missing)?;
        let game = Game::from_text(&puzzle.position, *rules, DrawRules::default());
        let mut found = json!(puzzle);
        found["to_move"] = json!(game.map_err(Refusal::bad)?.to_move());
        Ok(found)
    }
}
