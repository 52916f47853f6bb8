//! Output for programs: JSON, one object a line, and the shapes that several subcommands share;
//! `millstone analyze --help` and `millstone convert --help` explain their fields.

use std::fmt::Display;
use std::io::{self, Write};

use millstone::analysis::{Assessment, ReviewedTurn, SideSummary, WhiteLine, game_result};
use millstone::board::Side;
use millstone::game::{Game, ReplayError};
use millstone::records::{AnnotatedMoves, GameRecord};
use millstone::search::KnownRoot;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Whether output is for people or for programs.
#[derive(Clone, Copy, clap::Args)]
pub struct Format {
    /// Print JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

impl Format {
    /// Writes a line: JSON for programs, text for people.
    pub fn write(
        self,
        out: &mut impl Write,
        json: &impl Serialize,
        text: impl Display,
    ) -> io::Result<()> {
        if self.json { write(out, json) } else { writeln!(out, "{text}") }
    }
}

/// An object with these fields in this order.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Writes a line of JSON.
pub fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
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
