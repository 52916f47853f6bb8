//! `POST /api/1/position`: what is on the board, and the legal moves.

use std::sync::Arc;

use axum::extract::State;
use millstone::board::{Side, Square, SquareSet, lines};
use millstone::game::{Game, History, Outcome};
use millstone::position::{Move, MoveKind};
use millstone::records::GameResult;
use serde::{Deserialize, Serialize};

use super::request::{Asked, GameText};
use crate::commands::play::{self, GameEnd};
use crate::commands::serve::reply::{self, Answer};
use crate::commands::serve::searches::aside;
use crate::commands::serve::site::Site;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    game: GameText,
}

/// A position after the moves that led to it.
#[derive(Serialize)]
pub struct JsonBoard {
    position: String,
    to_move: Side,
    /// How the game ended, if it has.
    outcome: Option<Outcome>,
    result: GameResult,
    /// The name of the game.
    variant: String,
    /// Whose turn it is and what is due, or how the game ended.
    sentence: String,
    sides: [JsonSide; 2],
    /// The points where men were removed and none may stand yet.
    marked: SquareSet,
    /// The lines that the last turn closed, three points each.
    mills: Vec<SquareSet>,
    legal: Vec<JsonMove>,
    /// All turns from the start.
    turns: Vec<JsonTurn>,
}

#[derive(Serialize)]
struct JsonSide {
    side: Side,
    men: SquareSet,
    in_hand: u8,
}

/// A move and its points.
#[derive(Serialize)]
struct JsonMove {
    r#move: Move,
    from: Option<Square>,
    to: Option<Square>,
    remove: Option<Square>,
}

#[derive(Serialize)]
struct JsonTurn {
    number: u32,
    side: Side,
    turn: String,
    moves: Vec<JsonMove>,
}

/// Plays the moves and shows what is on the board.
pub async fn answer(State(site): State<Arc<Site>>, Asked(request): Asked<Request>) -> Answer {
    aside(move || Ok(reply::json(&JsonBoard::new(&request.game.play(&site.rules)?)))).await
}

impl JsonBoard {
    /// What is on the board of a game.
    pub fn new(history: &History) -> Self {
        let game = history.game();
        let end = game.outcome().map(GameEnd::ByRules);
        Self {
            position: game.text().to_string(),
            to_move: game.to_move(),
            outcome: game.outcome(),
            result: end.map_or(GameResult::Unknown, GameEnd::result),
            variant: game.rules().name(),
            sentence: end.map_or_else(
                || format!("{}.", play::request(game)),
                |end| end.sentence(game.draw_rules()),
            ),
            sides: Side::ALL.map(|side| JsonSide::new(game, side)),
            marked: game.position().extras().marked,
            mills: mills(history).collect(),
            legal: game.moves().iter().copied().map(JsonMove::from).collect(),
            turns: turns(history),
        }
    }
}

impl JsonSide {
    fn new(game: &Game, side: Side) -> Self {
        Self { side, men: game.position().men(side), in_hand: game.position().in_hand(side) }
    }
}

impl From<Move> for JsonMove {
    fn from(mv: Move) -> Self {
        let (from, to, remove) = match mv.kind() {
            MoveKind::Place(to) => (None, Some(to), None),
            MoveKind::Slide { from, to } => (Some(from), Some(to), None),
            MoveKind::Remove(man) => (None, None, Some(man)),
        };
        Self { r#move: mv, from, to, remove }
    }
}

/// The lines that the last turn closed: those through its point that have men of its side alone.
fn mills(history: &History) -> impl Iterator<Item = SquareSet> {
    let game = history.game();
    let last = history.turns().last().map(|(side, turn)| (*side, turn.moves()[0]));
    let last = last.filter(|(_, mv)| !mv.is_removal());
    let lines = lines::lines(game.rules().diagonals).iter().copied();
    last.into_iter().flat_map(move |(side, mv)| {
        let men = game.position().men(side);
        let is_closed =
            move |line: &SquareSet| line.contains(mv.target()) && men.contains_all(*line);
        lines.clone().filter(is_closed)
    })
}

/// The turns with their numbers; only moves of men from hand or board begin a number.
fn turns(history: &History) -> Vec<JsonTurn> {
    let mut game = history.start().clone();
    let turns = history.turns().iter().map(|(side, turn)| {
        let number = game.position().move_number();
        let moves = turn.moves().iter();
        let _ = moves.clone().try_for_each(|&mv| game.play(mv));
        let moves = moves.copied().map(JsonMove::from).collect();
        JsonTurn { number, side: *side, turn: turn.to_string(), moves }
    });
    turns.collect()
}
