//! `POST /api/1/analysis`, the best moves and what each is worth, as the search goes on; and
//! `POST /api/1/lesson`, what the last turn of a game did to it, in a sentence.

use std::sync::Arc;

use axum::extract::State;
use millstone::analysis::{Analyst, Effort};
use millstone::game::Game;
use millstone::search::Engine;
use millstone::tablebase::Tablebase;
use serde_json::json;

use super::events::Reporter;
use super::request::{Asked, LimitsText, SearchRequest};
use crate::commands::json;
use crate::commands::serve::reply::{self, Answer, EventSender};
use crate::commands::serve::searches::{Purpose, aside};
use crate::commands::serve::site::Site;

/// How many events may wait to be read.
const WAITING: usize = 32;

/// Searches on another thread; the reply is its events.
pub async fn answer(State(site): State<Arc<Site>>, Asked(request): Asked<SearchRequest>) -> Answer {
    let effort = request.limits.unwrap_or_default().effort()?;
    let rules = site.rules;
    let game = aside(move || request.game.play(&rules)).await?;
    let purpose = Purpose::analysis(game.game());
    let pool = Arc::clone(&site.analysts);
    let search = move |mut engine: Engine, watcher, events: &EventSender| {
        let game = game.game();
        engine.tablebase = site.tablebase(game.rules());
        let most = effort.lines.min(game.moves().len());
        let source = source(engine.tablebase.as_deref(), game);
        let mut reporter = Reporter::new(events, watcher, source, game.to_move(), most);
        let mut analyst = Analyst::new(engine, effort);
        let assessment = analyst.assess(game, &mut reporter);
        events.send("done", &json::position(game, &assessment));
        analyst.into_engine()
    };
    pool.stream(purpose, WAITING, search).await
}

/// What knows the moves of a position, if they are known: the opening book or the tablebase.
fn source(tablebase: Option<&Tablebase>, game: &Game) -> &'static str {
    let is_book = tablebase.is_some_and(|tablebase| {
        let sector = tablebase.game().sector_of(game.position());
        let next = sector.map_or_else(Vec::new, |sector| tablebase.game().leads_to(sector));
        next.into_iter().any(|sector| tablebase.is_from_book(sector))
    });
    if is_book { "book" } else { "tablebase" }
}

/// Searches on another thread, as long as somebody waits; there is no lesson if there is no last turn.
pub async fn teach(State(site): State<Arc<Site>>, Asked(request): Asked<SearchRequest>) -> Answer {
    let mut effort = request.limits.map_or(Ok(Effort::TEACHING), LimitsText::effort)?;
    effort.lines = effort.lines.max(Effort::TEACHING.lines);
    let rules = site.rules;
    let last = aside(move || Ok(request.game.play(&rules)?.before_last_turn())).await?;
    let Some((before, turn)) = last else {
        return Ok(reply::json(&json!({"lesson": null})));
    };
    let pool = Arc::clone(&site.analysts);
    pool.search(Purpose::analysis(&before), move |mut engine: Engine, watcher| {
        engine.tablebase = site.tablebase(before.rules());
        let mut analyst = Analyst::new(engine, effort);
        let lesson = analyst.teach(&before, turn.moves(), watcher).map(|lesson| lesson.to_string());
        (Ok(reply::json(&json!({"lesson": lesson}))), analyst.into_engine())
    })
    .await
}
