//! `POST /api/1/games` and `POST /api/1/record`: games from text and to text.

use std::str::FromStr;
use std::sync::Arc;

use axum::extract::State;
use millstone::records::{GameRecord, Notation, ReadError};
use serde::{Deserialize, Serialize};

use super::request::{Asked, LARGE, RecordSource, check_rules, rules};
use crate::commands::json::record::JsonGame;
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

/// The games of a text, and what is wrong with others.
#[derive(Serialize)]
struct JsonGames<'a> {
    games: Vec<Found<'a>>,
    errors: Vec<&'a ReadError>,
    /// Whether the text has more games than are read.
    has_more: bool,
}

#[derive(Serialize)]
struct Found<'a> {
    /// Its place in the text, from 0.
    index: usize,
    #[serde(flatten)]
    game: JsonGame<'a>,
}

/// Reads the games of a text.
pub async fn read(State(site): State<Arc<Site>>, Asked(text): Asked<Text, LARGE>) -> Answer {
    aside(move || read_games(&site, &text)).await
}

fn read_games(site: &Site, request: &Text) -> Answer {
    check_rules(&request.text, &site.rules)?;
    let usual = rules(request.variant.as_deref(), &site.rules)?;
    let mut records = GameRecord::read_each_by(&request.text, &usual);
    let read: Vec<Result<GameRecord, ReadError>> = records.by_ref().take(MOST_GAMES).collect();
    let mut games = Vec::new();
    let mut errors = Vec::new();
    for (index, record) in read.iter().enumerate() {
        match record {
            Ok(record) => {
                let game = JsonGame::new(record).map_err(Refusal::bad)?;
                games.push(Found { index, game });
            }
            Err(error) => errors.push(error),
        }
    }
    Ok(reply::json(&JsonGames { games, errors, has_more: records.next().is_some() }))
}

/// A game and the notation to write it in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    record: RecordSource,
    to: String,
}

/// A game in a notation.
#[derive(Serialize)]
struct JsonText {
    text: String,
    /// What the notation cannot hold.
    losses: Vec<&'static str>,
}

/// Writes a game in a notation.
pub async fn write(State(site): State<Arc<Site>>, Asked(asked): Asked<Written, LARGE>) -> Answer {
    aside(move || {
        let notation = Notation::from_str(&asked.to).map_err(Refusal::bad)?;
        let record = asked.record.record(&site.rules)?;
        let text = record.write(notation).map_err(Refusal::bad)?;
        let losses = record.losses(notation, &site.rules);
        Ok(reply::json(&JsonText { text, losses }))
    })
    .await
}
