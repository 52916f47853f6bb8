//! `games` and `record`, games from text and to text; and `review`, a game compared with best play, turn by turn.

use std::str::FromStr;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::json::{self, Both};
use super::request::{LimitsText, RecordSource, check, check_rules, rules};
use super::{Job, Purpose, Refusal, Role, Site};
use crate::analysis::{Analyst, ReviewedTurn, annotate};
use crate::records::{GameRecord, Notation};

/// The most games that are read from a text.
pub const MOST_GAMES: usize = 200;

/// A text in any notation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    text: String,
    variant: Option<String>,
}

/// Reads the games of a text.
pub fn read(request: &Text, site: &dyn Site) -> Result<Job, Refusal> {
    let usual = rules(request.variant.as_deref(), site.rules())?;
    let mut records = GameRecord::read_each_by(&request.text, &usual);
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for (index, record) in records.by_ref().take(MOST_GAMES).enumerate() {
        match record {
            Ok(record) => {
                check_rules(&record, site.rules())?;
                // Its place in the text, from 0, and the game.
                let game = json::game_record(&record).map_err(Refusal::bad)?;
                games.push(Both { first: json!({"index": index}), second: game });
            }
            Err(error) => errors.push(error),
        }
    }
    let has_more = records.next().is_some();
    Ok(Job::Answer(json!({"games": games, "errors": errors, "has_more": has_more})))
}

/// A game and the notation to write it in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    record: RecordSource,
    to: String,
}

/// Writes a game in a notation.
pub fn write(asked: &Written, site: &dyn Site) -> Result<Job, Refusal> {
    let notation = Notation::from_str(&asked.to).map_err(Refusal::bad)?;
    let record = asked.record.record(site.rules())?;
    let text = record.write_by(notation, site.rules()).map_err(Refusal::bad)?;
    let losses = record.losses(notation, site.rules());
    Ok(Job::Answer(json!({"text": text, "losses": losses})))
}

/// A game to review, and how far each move is searched.
#[derive(Deserialize)]
#[serde(rename = "Request", deny_unknown_fields)]
pub struct Reviewed {
    record: RecordSource,
    #[serde(default)]
    limits: LimitsText,
}

/// The longest time that a review may ask for.
pub const LONGEST: Duration = Duration::from_secs(10 * 60);
/// The most turns of a game to review.
pub const MOST_TURNS: usize = 1_000;
/// The events that are not turns.
const OTHERS: usize = 4;

/// Searches, and sends each turn; the answer has the game with its review in it.
pub fn review(request: &Reviewed, site: &dyn Site) -> Result<Job, Refusal> {
    let mut record = request.record.record(site.rules())?;
    let effort = request.limits.effort()?;
    let count = record.history().map_err(Refusal::bad)?.turns().len();
    check("turns", count, 0..=MOST_TURNS)?;
    let time = effort.time.unwrap_or_default().as_millis() * record.moves().count() as u128;
    check("time of all moves", time, 0..=LONGEST.as_millis())?;
    let purpose = Purpose::review(&record.rules);
    let events = Some(count + OTHERS);
    Ok(Job::search(Role::Analyst, purpose, events, move |mut engine, site, client| {
        client.send("game", &json::heading(&record).to_string());
        engine.tablebase = site.tablebase(&record.rules);
        let mut analyst = Analyst::new(engine, effort);
        let follow = |turn: &ReviewedTurn| client.send("turn", &json::text(turn));
        let turns =
            analyst.review(&record, &mut |_: u64| client.is_gone(), follow).map_err(Refusal::bad);
        let text = turns.and_then(|turns| {
            client.send("summary", &json::text(&json::summary(&turns)));
            annotate(&mut record, &turns);
            record.write_by(Notation::Wmd, site.rules()).map_err(Refusal::bad)
        });
        // A record may go past a draw, so what its table holds is for no other search.
        analyst.engine.clear();
        (text.map(|text| json!({"text": text})), analyst.engine)
    }))
}
