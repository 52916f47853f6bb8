//! `position`: what is on the board, and the legal moves.

use serde::Deserialize;
use serde_json::{Value, json};

use super::request::GameText;
use super::{Job, Refusal, Site};
use crate::board::{Side, SquareSet, lines};
use crate::game::History;
use crate::position::{Move, MoveKind};
use crate::records::GameResult;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    game: GameText,
}

/// Plays the moves and shows what is on the board.
pub fn job(request: &Request, site: &dyn Site) -> Result<Job, Refusal> {
    Ok(Job::Answer(board(&request.game.play(site.rules())?)))
}

/// What is on the board of a game, what may be played and what was.
pub fn board(history: &History) -> Value {
    let game = history.game();
    let sentence = match game.outcome() {
        Some(outcome) => outcome.sentence(game.draw_rules()),
        None => format!("{}.", game.request()),
    };
    let sides = Side::ALL.map(|side| {
        let position = game.position();
        json!({"side": side, "men": position.men(side), "in_hand": position.in_hand(side)})
    });
    json!({
        "position": game.text().to_string(),
        "mfen": game.mfen().to_string(),
        "to_move": game.to_move(),
        "outcome": game.outcome(),
        "result": GameResult::from(game.outcome()),
        "variant": game.rules().name(),
        "sentence": sentence,
        "sides": sides,
        "may_fly": game.position().may_fly(game.to_move()),
        "marked": game.position().extras().marked,
        "mills": mills(history).collect::<Vec<_>>(),
        "legal": game.moves().into_iter().map(move_json).collect::<Vec<_>>(),
        "turns": turns(history),
    })
}

/// A move and its points.
fn move_json(mv: Move) -> Value {
    let (from, to, remove) = match mv.kind() {
        MoveKind::Place(to) => (None, Some(to), None),
        MoveKind::Slide { from, to } => (Some(from), Some(to), None),
        MoveKind::Remove(man) => (None, None, Some(man)),
    };
    json!({"move": mv, "from": from, "to": to, "remove": remove})
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
fn turns(history: &History) -> Vec<Value> {
    let mut game = history.start().clone();
    let turns = history.turns().iter().map(|(side, turn)| {
        let number = game.position().move_number();
        let _ = turn.moves().iter().try_for_each(|&mv| game.play(mv));
        let moves: Vec<Value> = turn.moves().iter().copied().map(move_json).collect();
        json!({"number": number, "side": side, "turn": turn, "moves": moves})
    });
    turns.collect()
}
