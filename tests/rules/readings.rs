//! Rules on which mill programs disagree, or which they leave open: one row or test for each reading.

use super::vectors::{outcome_text, read_rows, sorted_moves};
use crate::patterns::fits;
use millstone::game::Game;
use millstone::protocol::Options;
use millstone::rules::{DrawRules, RuleSet};
use serde::Deserialize;

const LATE: DrawRules = DrawRules { n_move: 10, endgame_n_move: 10, threefold_repetition: true };

/// The rules that options of the protocol make, each `Name=value`.
fn rules(options: &str) -> RuleSet {
    let mut made = Options::default();
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').unwrap();
        made.set(name, Some(value)).unwrap();
    }
    made.rules
}

/// The game from a text, or from its start, after some moves.
fn played_by(draws: DrawRules, options: &str, text: &str, moves: &str) -> Game {
    let rules = rules(options);
    let mut game = match text {
        "startpos" => Game::start(rules, draws),
        text => Game::from_text(text, rules, draws).unwrap(),
    };
    for mv in moves.split_whitespace() {
        game.play(mv.parse().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    }
    game
}

fn played(options: &str, text: &str, moves: &str) -> Game {
    played_by(DrawRules::default(), options, text, moves)
}

/// The text of a game, its legal moves, and how it ended, each in brackets.
fn state(game: &Game) -> String {
    format!("[{}] [{}] [{}]", game.text(), sorted_moves(game).join(" "), outcome_text(game))
}

/// A reading, and games by it.
#[derive(Deserialize)]
struct Reading {
    name: String,
    options: String,
    text: String,
    moves: String,
    /// What the state has after each part of the moves, which semicolons end; nothing of a text that no game
    /// reaches.
    states: Vec<String>,
}

#[test]
fn readings_are_those_that_are_written_down() {
    for Reading { name, options, text, moves, states } in read_rows("readings.jsonl") {
        if states.is_empty() {
            let read = Game::from_text(&text, rules(&options), DrawRules::default());
            assert!(read.is_err(), "{name}: {text}");
            continue;
        }
        let ends = moves.match_indices(';').map(|(end, _)| end).chain([moves.len()]);
        let parts: Vec<String> = ends.map(|end| moves[..end].replace(';', " ")).collect();
        assert_eq!(parts.len(), states.len(), "{name}");
        for (moves, expected) in parts.iter().zip(&states) {
            let state = state(&played(&options, &text, moves));
            assert!(fits(&format!("...{expected}..."), &state), "{name}: no {expected} in {state}");
        }
    }
}

#[test]
fn a_removal_that_is_owed_comes_before_the_n_move_rule() {
    let text = "@*******/***@*@**/O*O***@O b m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
    let draws = DrawRules { threefold_repetition: false, ..LATE };
    let slides = "d5-c5 g4-g1 c5-d5 g1-g4 d5-c5 g4-g1 c5-d5 g1-g4 d5-c5 g4-g7";
    let mut game = played_by(draws, "MayFly=false", text, slides);
    assert_eq!((game.outcome(), game.position().pending()), (None, 1));
    game.play("xf2".parse().unwrap()).unwrap();
    assert_eq!(game.position().quiet_plies(), 0);
}

#[test]
fn the_n_move_rule_comes_before_the_removal_of_a_blocked_side() {
    let text = "*O****O*/O***O@*@/O****O@@ w m s 6 0 4 0 0 0 0 0 0 0 0 9 85";
    for action in 0..=5 {
        let game = played_by(LATE, &format!("StalemateAction={action}"), text, "c4-b4");
        assert!(state(&game).ends_with("[draw:drawFiftyMove]"), "{action}");
    }
}

#[test]
fn a_removal_for_the_last_placement_is_another_position_than_one_for_a_slide() {
    let options = "PiecesCount=12 HasDiagonalLines=true IsDefenderMoveFirst=true";
    let placed = "OOO@@@**/OOO@*@**/OOO@@@** b p r 9 0 8 0 0 1 0 0 0 0 0 0 13";
    let slid = placed.replace(" p ", " m ");
    let key = |text| played(options, text, "").position().key();
    assert_ne!(key(placed), key(&slid));
}
