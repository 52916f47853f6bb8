//! JSON that the API and the commands share; `millstone analyze --help` and `millstone convert --help` explain
//! the fields.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::records::MoveNotes;
use crate::Error;
use crate::analysis::{ReviewedTurn, SideSummary, WhiteLine, game_result};
use crate::board::Side;
use crate::game::Game;
use crate::records::GameRecord;
use crate::search::{KnownRoot, Report};
use crate::tablebase::Wdl;

/// Serializes directly to text; conversion to a [`Value`] first would print `f32` numbers with more digits.
pub fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| super::error(error).to_string())
}

/// One object with the fields of two.
#[derive(Serialize)]
pub struct Both<A, B> {
    #[serde(flatten)]
    pub first: A,
    #[serde(flatten)]
    pub second: B,
}

/// Returns a position with the report of its search.
///
/// * `result`: for the side to move, if known.
pub fn position(game: &Game, result: Option<Wdl>, report: &Report) -> Value {
    let side = game.to_move();
    let known = report.known.as_ref();
    json!({
        "position": game.text().to_string(),
        "mfen": game.mfen().to_string(),
        "to_move": side,
        "outcome": game.outcome(),
        "known": result.map(|result| game_result(result, side)),
        "depth": report.depth,
        "nodes": report.nodes,
        "lines": WhiteLine::all(&report.lines, side),
        "moves": known.map(KnownRoot::moves),
        "holding": known.map(KnownRoot::count_keeping),
    })
}

/// Returns the heading of a reviewed game.
pub fn heading(record: &GameRecord) -> Value {
    json!({
        "white": record.tag("White"),
        "black": record.tag("Black"),
        "result": record.result,
        "rules": record.rules.identity(),
        "start": record.start,
    })
}

/// Returns the summary at the end of a reviewed game.
pub fn summary(turns: &[ReviewedTurn]) -> impl Serialize + use<> {
    BTreeMap::from([("summary", Side::ALL.map(|side| SideSummary::of(turns, side)))])
}

/// Returns everything in a game record.
///
/// # Errors
///
/// If the start position of the record is malformed, or a move is illegal.
pub fn game_record(record: &GameRecord) -> Result<Both<Value, MoveNotes>, Error> {
    let history = record.history()?;
    let tags = record.tags.iter().map(|tag| (tag.name.clone(), json!(tag.value)));
    let game = json!({
        "tags": tags.collect::<Map<_, _>>(),
        "variant": record.rules.name(),
        "start": history.start().text().to_string(),
        "result": record.result,
        "turns": history.turns().iter().map(|(_, turn)| turn).collect::<Vec<_>>(),
        "moves": record.moves().collect::<Vec<_>>(),
    });
    Ok(Both { first: game, second: MoveNotes::of(&record.main_line) })
}
