//! `POST /api/1/review`: a game compared with best play, turn by turn.

use std::sync::Arc;

use axum::extract::State;
use millstone::analysis::{Analyst, Effort, ReviewedTurn, annotate};
use millstone::records::{GameRecord, Notation};
use millstone::rules::RuleSet;
use millstone::search::Engine;
use serde::Deserialize;
use serde_json::json;

use super::request::{Asked, LARGE, LimitsText, RecordSource, check};
use crate::commands::json::{self, Summary};
use crate::commands::serve::reply::{self, Answer, EventSender, Refusal};
use crate::commands::serve::searches::{Purpose, aside};
use crate::commands::serve::server::LONGEST;
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
struct Prepared {
    record: GameRecord,
    /// How many turns it has.
    count: usize,
    effort: Effort,
}

/// The most turns of a game to review.
pub const MOST_TURNS: usize = 1_000;
/// The events that are not turns.
const OTHERS: usize = 4;

/// Searches on another thread; the reply is its events.
pub async fn answer(
    State(site): State<Arc<Site>>,
    Asked(request): Asked<Request, LARGE>,
) -> Answer {
    let rules = site.rules;
    let prepared = aside(move || prepare(&request, &rules)).await?;
    let events = prepared.count + OTHERS;
    let purpose = Purpose::review(&prepared.record.rules);
    let pool = Arc::clone(&site.analysts);
    let review = move |mut engine: Engine, mut watcher, events: &EventSender| {
        let Prepared { mut record, effort, .. } = prepared;
        events.send("game", &json::heading(&record));
        engine.tablebase = site.tablebase(&record.rules);
        let mut analyst = Analyst::new(engine, effort);
        let follow = |turn: &ReviewedTurn| events.send("turn", turn);
        let annotated = analyst.review(&record, &mut watcher, follow).map_err(reply::error);
        let annotated = annotated.and_then(|turns| {
            events.send("summary", &Summary::new(&turns));
            annotate(&mut record, &turns);
            record.write_by(Notation::Wmd, &site.rules).map_err(reply::error)
        });
        match annotated {
            // The game with its review in it.
            Ok(text) => events.send("done", &json!({"text": text})),
            Err(error) => events.send("error", &error),
        }
        // A record may go past a draw, so what its table holds is for no other search.
        analyst.clear();
        analyst.into_engine()
    };
    pool.stream(purpose, events, review).await
}

/// Reads the record.
fn prepare(request: &Request, usual: &RuleSet) -> Result<Prepared, Refusal> {
    let record = request.record.record(usual)?;
    let effort = request.limits.effort()?;
    let count = record.history().map_err(Refusal::bad)?.turns().len();
    check("turns", count, 0..=MOST_TURNS)?;
    let time = effort.time.unwrap_or_default().as_millis() * record.moves().count() as u128;
    check("time of all moves", time, 0..=LONGEST.as_millis())?;
    Ok(Prepared { record, count, effort })
}
