//! `POST /api/1/lesson`: what the last turn of a game did to it, in a sentence.

use std::sync::Arc;

use axum::extract::State;
use millstone::analysis::{Analyst, Effort};
use millstone::search::Engine;
use serde::Serialize;

use super::request::{Asked, LimitsText, SearchRequest};
use crate::commands::serve::reply::{self, Answer};
use crate::commands::serve::searches::{Purpose, aside};
use crate::commands::serve::site::Site;

#[derive(Serialize)]
struct JsonLesson {
    lesson: Option<String>,
}

/// Searches on another thread, as long as somebody waits; there is no lesson if there is no last turn.
pub async fn answer(State(site): State<Arc<Site>>, Asked(request): Asked<SearchRequest>) -> Answer {
    let mut effort = request.limits.map_or(Ok(Effort::TEACHING), LimitsText::effort)?;
    effort.lines = effort.lines.max(Effort::TEACHING.lines);
    let rules = site.rules;
    let last = aside(move || Ok(request.game.play(&rules)?.before_last_turn())).await?;
    let Some((before, turn)) = last else {
        return Ok(reply::json(&JsonLesson { lesson: None }));
    };
    let pool = Arc::clone(&site.analysts);
    pool.search(Purpose::analysis(&before), move |mut engine: Engine, watcher| {
        engine.tablebase = site.tablebase(before.rules());
        let mut analyst = Analyst::new(engine, effort);
        let lesson = analyst.teach(&before, turn.moves(), watcher).map(|lesson| lesson.to_string());
        (Ok(reply::json(&JsonLesson { lesson })), analyst.into_engine())
    })
    .await
}
