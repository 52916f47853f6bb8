//! `games` and `record`: games from text and to text.

use std::str::FromStr;

use serde::Deserialize;
use serde_json::json;

use super::json::{self, object};
use super::request::{RecordSource, check_rules, rules};
use super::{Job, Refusal, Site};
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
                let mut found = object([("index", json!(index))]);
                found.extend(json::game_record(&record).map_err(Refusal::bad)?);
                games.push(found);
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
    let text = record.write(notation).map_err(Refusal::bad)?;
    let losses = record.losses(notation, site.rules());
    Ok(Job::Answer(json!({"text": text, "losses": losses})))
}
