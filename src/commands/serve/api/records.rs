//! `POST /api/1/games` and `POST /api/1/record`: games from text and to text.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::State;
use millstone::records::{GameRecord, Notation};
use serde::Deserialize;
use serde_json::json;

use super::request::{Asked, LARGE, RecordSource, check_rules, rules};
use crate::commands::json::{self, object};
use crate::commands::serve::reply::{self, Answer, Refusal};
use crate::commands::serve::searches::aside;
use crate::commands::serve::site::Site;

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
pub async fn read(State(site): State<Arc<Site>>, Asked(text): Asked<Text, LARGE>) -> Answer {
    aside(move || read_games(&site, &text)).await
}

fn read_games(site: &Site, request: &Text) -> Answer {
    let usual = rules(request.variant.as_deref(), &site.rules)?;
    let mut records = GameRecord::read_each_by(&request.text, &usual);
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for (index, record) in records.by_ref().take(MOST_GAMES).enumerate() {
        match record {
            Ok(record) => {
                check_rules(&record, &site.rules)?;
                // Its place in the text, from 0, and the game.
                let mut found = object([("index", json!(index))]);
                found.extend(json::game_record(&record).map_err(Refusal::bad)?);
                games.push(found);
            }
            Err(error) => errors.push(error),
        }
    }
    let has_more = records.next().is_some();
    Ok(reply::json(&json!({"games": games, "errors": errors, "has_more": has_more})))
}

/// A game and the notation to write it in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    record: RecordSource,
    to: String,
}

/// Writes a game in a notation.
pub async fn write(State(site): State<Arc<Site>>, Asked(asked): Asked<Written, LARGE>) -> Answer {
    aside(move || {
        let notation = Notation::from_str(&asked.to).map_err(Refusal::bad)?;
        let record = asked.record.record(&site.rules)?;
        let text = record.write(notation).map_err(Refusal::bad)?;
        let losses = record.losses(notation, &site.rules);
        Ok(reply::json(&json!({"text": text, "losses": losses})))
    })
    .await
}
