//! Positions, their best moves and reviewed games as JSON; `millstone analyze --help` explains the
//! fields.

use millstone::analysis::{Assessment, ReviewedTurn, SideSummary, WhiteLine, game_result};
use millstone::board::Side;
use millstone::game::{Game, Outcome};
use millstone::records::{GameRecord, GameResult};
use millstone::rules::Identity;
use millstone::search::{KnownMove, KnownRoot};
use serde::Serialize;

/// A position and its best moves.
#[derive(Serialize)]
pub struct JsonPosition<'a> {
    position: String,
    mfen: String,
    to_move: Side,
    outcome: Option<Outcome>,
    known: Option<GameResult>,
    depth: u32,
    nodes: u64,
    lines: Vec<WhiteLine<'a>>,
    moves: Option<&'a [KnownMove]>,
    holding: Option<usize>,
}

impl<'a> JsonPosition<'a> {
    pub fn new(game: &Game, assessment: &'a Assessment) -> Self {
        let side = game.to_move();
        let known = assessment.known_moves.as_ref();
        Self {
            position: game.text().to_string(),
            mfen: game.mfen().to_string(),
            to_move: side,
            outcome: game.outcome(),
            known: assessment.known.map(|known| game_result(known, side)),
            depth: assessment.depth,
            nodes: assessment.nodes,
            lines: WhiteLine::all(&assessment.lines, side),
            moves: known.map(KnownRoot::moves),
            holding: known.map(KnownRoot::count_keeping),
        }
    }
}

/// What begins a reviewed game.
#[derive(Serialize)]
pub struct JsonHeading<'a> {
    white: Option<&'a str>,
    black: Option<&'a str>,
    result: GameResult,
    rules: Identity,
    start: Option<&'a str>,
}

impl<'a> JsonHeading<'a> {
    pub fn new(record: &'a GameRecord) -> Self {
        Self {
            white: record.tag("White"),
            black: record.tag("Black"),
            result: record.result,
            rules: record.rules.identity(),
            start: record.start.as_deref(),
        }
    }
}

/// What ends a reviewed game.
#[derive(Serialize)]
pub struct JsonSummary {
    summary: [SideSummary; 2],
}

impl JsonSummary {
    pub fn new(turns: &[ReviewedTurn]) -> Self {
        Self { summary: Side::ALL.map(|side| SideSummary::of(turns, side)) }
    }
}
