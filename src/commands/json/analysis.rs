//! Positions, their best moves and reviewed games as JSON; `millstone analyze --help` explains the
//! fields.

use millstone::analysis::{Assessment, ReviewedTurn, SideSummary, WhiteLine, game_result};
use millstone::board::Side;
use millstone::game::Game;
use millstone::records::GameRecord;
use millstone::search::KnownRoot;
use serde::Serialize;
use serde_json::{Value, json};

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
