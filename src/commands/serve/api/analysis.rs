//! `POST /api/1/analysis`: the best moves and what each is worth, as the search goes on.

use std::sync::Arc;

use axum::extract::State;
use millstone::analysis::Analyst;
use millstone::search::Engine;

use super::events::Reporter;
use super::request::{Asked, SearchRequest};
use crate::commands::json::analysis::JsonPosition;
use crate::commands::serve::reply::{Answer, EventSender};
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
        let mut reporter = Reporter::new(events, watcher, game.to_move(), most);
        let mut analyst = Analyst::new(engine, effort);
        let assessment = analyst.assess(game, &mut reporter);
        events.send("done", &JsonPosition::new(game, &assessment));
        analyst.into_engine()
    };
    pool.stream(purpose, WAITING, search).await
}
