//! `POST /api/1/lesson`: what the last turn of a game did to it, in a sentence.

use std::sync::Arc;

use millstone::analysis::{Analyst, Effort};
use millstone::any_game::AnyGame;
use millstone::position::Move;
use serde::Serialize;

use super::aside;
use super::events::Watcher;
use super::request::{LimitsText, SearchRequest};
use crate::commands::serve::refusal::Refusal;
use crate::commands::serve::reply::{self, Reply};
use crate::commands::serve::searches::{Purpose, Stop};
use crate::commands::serve::site::Site;

/// A search to come.
pub struct Asked {
    before: Box<dyn AnyGame>,
    turn: Vec<Move>,
    effort: Effort,
}

#[derive(Serialize)]
struct JsonLesson {
    lesson: Option<String>,
}

/// Plays the game; none if it has no last turn.
pub fn prepare(site: &Site, request: &SearchRequest) -> Result<Option<Asked>, Refusal> {
    let game = request.game.play(&site.rules)?;
    let mut effort = request.limits.map_or(Ok(Effort::TEACHING), LimitsText::effort)?;
    effort.lines = effort.lines.max(Effort::TEACHING.lines);
    Ok(game.before_last_turn().map(|(before, turn)| Asked { before, turn, effort }))
}

/// Searches on another thread, as long as somebody waits.
pub async fn answer(asked: Option<Asked>, site: Arc<Site>) -> Result<Reply, Refusal> {
    let Some(Asked { before, turn, effort }) = asked else {
        return Ok(reply::json(&JsonLesson { lesson: None }));
    };
    let mut seat = site.analysts.take(Purpose::analysis(before.rules())).await?;
    let stop = Stop::default();
    let mut watcher = Watcher(stop.watched());
    let reply = aside(move || {
        seat.engine.tablebase = site.tablebase(before.rules());
        let mut analyst = Analyst::new(seat.engine, effort);
        let lesson = analyst.teach(&*before, &turn, &mut watcher);
        seat.engine = analyst.into_engine();
        seat.give_back();
        Ok(reply::json(&JsonLesson { lesson: lesson.map(|lesson| lesson.to_string()) }))
    });
    let reply = reply.await;
    drop(stop);
    reply
}
