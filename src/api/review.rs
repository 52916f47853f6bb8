//! `review`: a game compared with best play, turn by turn.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::job::Awaited;
use super::json::{self, Summary};
use super::request::{LimitsText, RecordSource, check};
use super::{Client, Job, Purpose, Refusal, Role, Search, Site};
use crate::analysis::{Analyst, Effort, ReviewedTurn, annotate};
use crate::records::{GameRecord, Notation};
use crate::rules::RuleSet;
use crate::search::Engine;

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

/// The longest time that a review may ask for.
pub const LONGEST: Duration = Duration::from_secs(10 * 60);
/// The most turns of a game to review.
pub const MOST_TURNS: usize = 1_000;
/// The events that are not turns.
const OTHERS: usize = 4;

/// Searches, and sends each turn; the answer has the game with its review in it.
pub fn job(request: &Request, site: &dyn Site) -> Result<Job, Refusal> {
    let Prepared { mut record, count, effort } = prepare(request, site.rules())?;
    let purpose = Purpose::review(&record.rules);
    let review = move |mut engine: Engine, site: &dyn Site, client: &dyn Client| {
        client.send("game", &json::heading(&record).to_string());
        engine.tablebase = site.tablebase(&record.rules);
        let mut analyst = Analyst::new(engine, effort);
        let follow = |turn: &ReviewedTurn| client.send("turn", &json::text(turn));
        let turns = analyst.review(&record, &mut Awaited(client), follow).map_err(Refusal::bad);
        let text = turns.and_then(|turns| {
            client.send("summary", &json::text(&Summary::new(&turns)));
            annotate(&mut record, &turns);
            record.write_by(Notation::Wmd, site.rules()).map_err(Refusal::bad)
        });
        // A record may go past a draw, so what its table holds is for no other search.
        analyst.clear();
        (text.map(|text| json!({"text": text})), analyst.into_engine())
    };
    Ok(Job::Search(Search::new(Role::Analyst, purpose, review).with_events(count + OTHERS)))
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
