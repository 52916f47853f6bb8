//! `puzzle`: a position in which one turn keeps a win or a draw.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::{Job, Purpose, Refusal, Role, Site, check, rules};
use crate::analysis::Puzzle;
use crate::game::Game;
use crate::quote::quote;
use crate::rules::DrawRules;
use crate::search::{Engine, Skill};
use crate::system::clock::Moment;
use crate::tablebase::{Sector, SectorFile, Tablebase, Wdl};

/// A request for a puzzle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    variant: Option<String>,
    sector: Option<String>,
    /// The least level.
    #[serde(default)]
    level: u32,
    /// The greatest level.
    most_level: Option<u32>,
    /// The most turns of the solver until a win.
    most_turns: Option<u16>,
    seed: Option<u64>,
}

/// The number of turns for which the solver must hold a draw.
const TURNS_OF_DRAW: u16 = 4;

/// The longest time to look for a puzzle.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Draws random positions until one is a puzzle, as long as the client waits. Takes one of the places for analysis.
pub fn job(request: Request, site: &dyn Site) -> Result<Job, Refusal> {
    let full = Skill::FULL.level();
    check("level", request.level, 0..=full)?;
    let levels = request.level..=request.most_level.unwrap_or(full);
    check("most_level", *levels.end(), request.level..=full)?;
    let rules = rules(request.variant.as_deref(), site.rules())?;
    Ok(Job::search(Role::Analyst, Purpose::review(&rules), false, move |_, site, client| {
        let missing = || Refusal::bad("there is no tablebase of this game");
        let since = Moment::now();
        let is_awaited = || !client.is_gone() && since.elapsed() < MOST_TIME;
        let tablebase = site.tablebase(&rules, &is_awaited).ok_or_else(missing)?;
        let mut engine = Engine::new(Puzzle::TABLE_SIZE)?;
        let sector = request.sector.as_deref().map(|name| named(&tablebase, name)).transpose()?;
        let seed = request.seed.unwrap_or_else(|| site.seed());
        let most = request.most_turns;
        let drawn = Puzzle::drawn(&rules, &tablebase, sector, levels, most, seed, &mut engine);
        let mut puzzles = drawn.map_err(Refusal::bad)?;
        let mut attempts = (0..Puzzle::MOST_DRAWN).take_while(|_| is_awaited());
        let found = attempts.find_map(|_| puzzles.next().flatten());
        let puzzle = found.ok_or_else(|| Refusal::new(404_u16, "no such puzzle was found"))?;
        let game = Game::from_text(&puzzle.position, rules, DrawRules::default());
        let game = game.map_err(Refusal::bad)?;
        let turns = match puzzle.wdl {
            Wdl::Draw => Some(TURNS_OF_DRAW),
            _ => tablebase.probe_value(game.position()).map(Puzzle::own_turns),
        };
        let mut found = json!(puzzle);
        found["to_move"] = json!(game.to_move());
        found["turns"] = json!(turns);
        Ok(found)
    }))
}

/// The sector of a tablebase by name, such as 5-4.
fn named(tablebase: &Tablebase, name: &str) -> Result<Sector, Refusal> {
    let missing = || Refusal::bad(format!("the tablebase has no sector '{}'", quote(name)));
    let mut sectors = tablebase.files().map(SectorFile::sector);
    sectors.find(|sector| sector.to_string() == name).ok_or_else(missing)
}
