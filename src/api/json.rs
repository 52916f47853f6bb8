//! The shapes of JSON that the API and the commands share; `millstone analyze --help` and
//! `millstone convert --help` explain their fields.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::analysis::{Assessment, ReviewedTurn, SideSummary, WhiteLine, game_result};
use crate::board::Side;
use crate::game::{Game, ReplayError};
use crate::records::{AnnotatedMoves, GameRecord, Property};
use crate::search::KnownRoot;

/// A value as text, which has numbers as they are: a [`Value`] makes them longer.
pub fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| super::error(error).to_string())
}

/// An object with these fields in this order.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A position and its best moves.
pub fn position(game: &Game, assessment: &Assessment) -> Value {
    let side = game.to_move();
    let known = assessment.known_moves.as_ref();
    json!({
        "position": game.text().to_string(),
        "mfen": game.mfen().to_string(),
        "to_move": side,
        "outcome": game.outcome(),
        "known": assessment.known.map(|known| game_result(known, side)),
        "depth": assessment.depth,
        "nodes": assessment.nodes,
        "lines": WhiteLine::all(&assessment.lines, side),
        "moves": known.map(KnownRoot::moves),
        "holding": known.map(KnownRoot::count_keeping),
    })
}

/// What begins a reviewed game.
pub fn heading(record: &GameRecord) -> Value {
    json!({
        "white": record.tag("White"),
        "black": record.tag("Black"),
        "result": record.result,
        "rules": record.rules.identity(),
        "start": record.start,
    })
}

/// What ends a reviewed game.
#[derive(Serialize)]
pub struct Summary {
    summary: [SideSummary; 2],
}

impl Summary {
    pub fn new(turns: &[ReviewedTurn]) -> Self {
        Self { summary: Side::ALL.map(|side| SideSummary::of(turns, side)) }
    }
}

/// A game with all that its record holds.
///
/// # Errors
///
/// When the start of the record is no position text, or a move is illegal.
pub fn game_record(record: &GameRecord) -> Result<Map<String, Value>, ReplayError> {
    let history = record.history()?;
    let turns = history.turns().iter().map(|(_, turn)| json!(turn));
    let tags = record.tags.iter().map(|tag| (tag.name.clone(), json!(tag.value)));
    let mut game = object([
        ("tags", tags.collect()),
        ("variant", json!(record.rules.name())),
        ("start", json!(history.start().position().to_string())),
        ("result", json!(record.result.word())),
        ("turns", turns.collect()),
    ]);
    game.extend(moves(&record.main_line));
    Ok(game)
}

/// Moves, with their annotations by the numbers of the moves: from 1, and 0 for the beginning.
fn moves(line: &AnnotatedMoves) -> Map<String, Value> {
    let says = |after: usize, says: Value| json!({"after": after, "says": says});
    let kept = |after: usize, properties: &[Property]| {
        let kept =
            |it: &Property| json!({"after": after, "name": it.name(), "values": it.values()});
        properties.iter().map(kept).collect::<Vec<_>>()
    };
    let (mut comments, mut glyphs, mut variations) = (Vec::new(), Vec::new(), Vec::new());
    let mut properties = kept(0, &line.properties);
    if !line.comment.is_empty() {
        comments.push(says(0, json!(line.comment)));
    }
    for (number, mv) in (1..).zip(&line.moves) {
        if !mv.comment.is_empty() {
            comments.push(says(number, json!(mv.comment)));
        }
        glyphs.extend(mv.glyphs.iter().map(|glyph| says(number, json!(glyph))));
        properties.extend(kept(number, &mv.properties));
        for instead in &mv.variations {
            let mut variation = object([("instead_of", json!(number))]);
            variation.extend(moves(instead));
            variations.push(variation);
        }
    }
    let mut written = object([
        ("moves", line.moves.iter().map(|played| json!(played.mv)).collect()),
        ("comments", json!(comments)),
        ("glyphs", json!(glyphs)),
        ("variations", json!(variations)),
    ]);
    if !properties.is_empty() {
        written.insert("properties".to_owned(), json!(properties));
    }
    written
}
