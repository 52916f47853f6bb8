//! `POST /api/1/review`: a game compared with best play, turn by turn.

use std::sync::Arc;

use millstone::analysis::{Analyst, Effort, annotate};
use millstone::records::{GameRecord, Notation};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;

use super::events::Watcher;
use super::request::{LimitsText, RecordSource, check};
use crate::commands::json::analysis::{JsonHeading, JsonSummary, JsonTurn};
use crate::commands::serve::limits::LONGEST;
use crate::commands::serve::refusal::Refusal;
use crate::commands::serve::reply::{self, Reply};
use crate::commands::serve::searches::{Purpose, Stop};
use crate::commands::serve::site::Site;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    record: RecordSource,
    #[serde(default)]
    limits: LimitsText,
}

/// A review to come.
pub struct Asked {
    record: GameRecord,
    /// How many turns it has.
    count: usize,
    effort: Effort,
}

/// The most turns of a game to review.
pub const MOST_TURNS: usize = 1_000;
/// The events that are not turns.
const OTHERS: usize = 4;

/// The game with its review in it, in a notation that holds it.
#[derive(Serialize)]
struct Annotated {
    text: String,
}

/// What went wrong after the reply began.
#[derive(Serialize)]
struct Failure {
    error: String,
}

/// Reads the record.
pub fn prepare(site: &Site, request: &Request) -> Result<Asked, Refusal> {
    let record = request.record.record(&site.rules)?;
    let effort = request.limits.effort()?;
    let count = record.turns().map_err(Refusal::bad)?.len();
    check("turns", count, 0..=MOST_TURNS)?;
    let time = effort.time.unwrap_or_default().as_millis() * record.moves().count() as u128;
    check("time of all moves", time, 0..=LONGEST.as_millis())?;
    Ok(Asked { record, count, effort })
}

/// Searches on another thread; the reply is its events.
pub async fn answer(asked: Asked, site: Arc<Site>) -> Result<Reply, Refusal> {
    let Asked { mut record, count, effort } = asked;
    let mut seat = site.analysts.take(Purpose::analysis(&record.rules)).await?;
    let stop = Stop::default();
    let stopped = stop.watched();
    let (reply, events) = reply::events(count + OTHERS, stop);
    spawn_blocking(move || {
        events.send("game", &JsonHeading::new(&record));
        seat.engine.tablebase = site.tablebase(&record.rules);
        let mut analyst = Analyst::new(seat.engine, effort);
        let follow = |turn: &_| events.send("turn", &JsonTurn::from(turn));
        let reviewed = analyst.review(&record, &mut Watcher(stopped), follow);
        seat.engine = analyst.into_engine();
        seat.give_back();
        match reviewed {
            Ok(turns) => {
                events.send("summary", &JsonSummary::new(&turns));
                annotate(&mut record, &turns);
                match record.write_by(Notation::Wmd, &site.rules) {
                    Ok(text) => events.send("done", &Annotated { text }),
                    Err(error) => events.send("error", &Failure { error: error.to_string() }),
                }
            }
            Err(error) => events.send("error", &Failure { error: error.to_string() }),
        }
    });
    Ok(reply)
}
