//! Game records as JSON; `millstone convert --help` explains the fields.

use millstone::game::ReplayError;
use millstone::records::{AnnotatedMoves, GameRecord};
use serde_json::{Map, Value, json};

use super::object;

/// A game with all that its record holds.
///
/// # Errors
///
/// When the start of the record is no position text, or a move is illegal.
pub fn game(record: &GameRecord) -> Result<Map<String, Value>, ReplayError> {
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
    let (mut comments, mut glyphs, mut variations) = (Vec::new(), Vec::new(), Vec::new());
    if !line.comment.is_empty() {
        comments.push(says(0, json!(line.comment)));
    }
    for (number, mv) in (1..).zip(&line.moves) {
        if !mv.comment.is_empty() {
            comments.push(says(number, json!(mv.comment)));
        }
        glyphs.extend(mv.glyphs.iter().map(|glyph| says(number, json!(glyph))));
        for instead in &mv.variations {
            let mut variation = object([("instead_of", json!(number))]);
            variation.extend(moves(instead));
            variations.push(variation);
        }
    }
    object([
        ("moves", line.moves.iter().map(|played| json!(played.mv)).collect()),
        ("comments", json!(comments)),
        ("glyphs", json!(glyphs)),
        ("variations", json!(variations)),
    ])
}
