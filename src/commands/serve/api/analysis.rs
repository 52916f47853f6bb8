//! `POST /api/1/analysis`: the best moves and what each is worth, as the search goes on.

use std::sync::Arc;

use millstone::analysis::{Analyst, Effort};
use tokio::task::spawn_blocking;

use super::events::Reporter;
use super::request::SearchRequest;
use crate::commands::json::analysis::JsonPosition;
use crate::commands::play::History;
use crate::commands::serve::refusal::Refusal;
use crate::commands::serve::reply::{self, Reply};
use crate::commands::serve::searches::{Purpose, Stop};
use crate::commands::serve::site::Site;

/// A search to come.
pub struct Asked {
    game: History,
    effort: Effort,
}

/// How many events may wait to be read.
const WAITING: usize = 32;

/// Plays the game.
pub fn prepare(site: &Site, request: &SearchRequest) -> Result<Asked, Refusal> {
    Ok(Asked {
        game: request.game.play(&site.rules)?,
        effort: request.limits.unwrap_or_default().effort()?,
    })
}

/// Searches on another thread; the reply is its events.
pub async fn answer(asked: Asked, site: Arc<Site>) -> Result<Reply, Refusal> {
    let Asked { game, effort } = asked;
    let mut seat = site.analysts.take(Purpose::analysis(game.game().rules())).await?;
    let stop = Stop::default();
    let stopped = stop.watched();
    let (reply, events) = reply::events(WAITING, stop);
    spawn_blocking(move || {
        let game = game.game();
        seat.engine.tablebase = site.tablebase(game.rules());
        let most = effort.lines.min(game.moves().len());
        let mut reporter = Reporter::new(&events, stopped, game.to_move(), most);
        let mut analyst = Analyst::new(seat.engine, effort);
        let assessment = analyst.assess(game, &mut reporter);
        seat.engine = analyst.into_engine();
        seat.give_back();
        events.send("done", &JsonPosition::new(game, &assessment));
    });
    Ok(reply)
}
