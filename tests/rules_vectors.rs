//! Counts, move lists and games from an independent program.

mod common;

use common::read_rows;
use millstone::game::Game;
use millstone::perft::{self, Bulk, CountTable, Hashed, Hooks, Plain};
use millstone::position::Position;
use millstone::rules::{DrawRules, Standard};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Deserialize;

/// A debug build has time for the smaller counts only.
const MOST_NODES: u64 = if cfg!(debug_assertions) { 1_000_000 } else { u64::MAX };

#[derive(Deserialize)]
struct Perft {
    fen: String,
    depth: u32,
    nodes: u64,
    ended_early: u64,
}

impl Perft {
    /// The rows of the file, whose number is known.
    fn read_all() -> Vec<Self> {
        let mut rows: Vec<Self> = read_rows("perft.jsonl");
        assert_eq!(rows.len(), 107);
        rows.retain(|row| row.nodes <= MOST_NODES);
        rows
    }

    fn position(&self) -> Position {
        Position::from_text(&self.fen, Standard).unwrap()
    }

    fn check(&self, hooks: &mut impl Hooks<Standard>) {
        let count = perft::walk(&mut self.position(), self.depth, hooks);
        assert_eq!(count, self.nodes, "depth {} of {}", self.depth, self.fen);
    }
}

#[test]
fn plain_perft() {
    Perft::read_all().par_iter().for_each(|row| row.check(&mut Plain));
}

#[test]
fn hashed_perft() {
    let table = CountTable::new(4).unwrap();
    for row in Perft::read_all() {
        row.check(&mut Hashed::new(&table, Bulk));
    }
}

#[test]
fn perft_of_two_threads() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for row in Perft::read_all() {
        let counts = pool.install(|| perft::split(&row.position(), row.depth, &Bulk));
        let count: u64 = counts.iter().map(|(_, count)| count).sum();
        assert_eq!(count, row.nodes, "depth {} of {}", row.depth, row.fen);
    }
}

/// Bulk counting that also counts the games over before their last move.
struct EndedEarly(u64);

impl Hooks<Standard> for EndedEarly {
    fn visit(&mut self, position: &Position, depth: u32) {
        self.0 += u64::from(depth > 0 && position.loss().is_some());
    }

    fn leaf(&mut self, position: &Position, depth: u32) -> Option<u64> {
        Bulk.leaf(position, depth)
    }
}

#[test]
fn bulk_perft_and_games_ended_early() {
    Perft::read_all().par_iter().for_each(|row| {
        row.check(&mut Bulk);
        let mut hooks = EndedEarly(0);
        row.check(&mut hooks);
        assert_eq!(hooks.0, row.ended_early, "depth {} of {}", row.depth, row.fen);
    });
}

#[derive(Deserialize)]
struct Listed {
    fen: String,
    moves_from_start: Option<String>,
    terminal: bool,
    winner: Option<String>,
    outcome: String,
    legal_moves: Vec<String>,
}

impl Listed {
    /// The game by the moves that lead to the position, if it has any.
    fn play(&self) -> Option<Game<Standard>> {
        let mut game = start_without_draws();
        for mv in self.moves_from_start.as_ref()?.split(' ') {
            game.play(mv.parse().unwrap()).unwrap();
        }
        Some(game)
    }

    /// Compares moves and end; a text alone does not tell who has won by a removal.
    fn check(&self, game: &Game<Standard>) {
        assert_eq!(sorted_moves(game), self.legal_moves, "{}", self.fen);
        assert_eq!(game.outcome().is_some(), self.terminal, "{}", self.fen);
        let outcome = outcome_text(game);
        assert_eq!(outcome.rsplit(':').next(), Some(&*self.outcome), "{}", self.fen);
        match self.winner.as_deref() {
            Some("white") => assert!(outcome.starts_with("win0:"), "{}", self.fen),
            Some("black") => assert!(outcome.starts_with("win1:"), "{}", self.fen),
            other => assert_eq!(other, None),
        }
    }
}

#[test]
fn lists_of_legal_moves() {
    let rows: Vec<Listed> = read_rows("legal_moves.jsonl");
    assert_eq!(rows.len(), 53);
    for row in &rows {
        row.check(&Game::from_text(&row.fen, Standard, DrawRules::OFF).unwrap());
    }
    let played: Vec<_> = rows.iter().filter_map(|row| Some((row, row.play()?))).collect();
    assert_eq!(played.len(), 49);
    for (row, game) in played {
        row.check(&game);
        if !row.terminal {
            let text = game.text().to_string();
            assert_eq!(without_move_number(&text), without_move_number(&row.fen));
        }
    }
}

#[derive(Deserialize)]
struct Playout {
    moves: Vec<String>,
    states: Vec<State>,
}

#[derive(Deserialize)]
struct State {
    /// The text of a program whose move numbers count the removals.
    fen: String,
    /// The text of a program that numbers points from 0 and no point -1.
    fen_nodes: String,
    outcome: String,
    legal: Vec<String>,
}

impl State {
    /// The text with points numbered from 8 and no point 0.
    fn text(&self) -> String {
        self.fen_nodes.replace(" -1 -1 -1 -1 ", " 0 0 0 0 ").replace(" ids:nodes", "")
    }

    /// Compares the game as it was played and as either text tells it.
    fn check(&self, played: &Game<Standard>) {
        let [read, numbered] = [&self.fen_nodes, &self.fen]
            .map(|text| Game::from_text(text, Standard, DrawRules::OFF).unwrap());
        for game in [played, &read, &numbered] {
            assert_eq!(sorted_moves(game), self.legal, "{}", self.fen);
            assert_eq!(outcome_text(game), self.outcome, "{}", self.fen);
        }
        assert_eq!(played.text().to_string(), self.text());
        assert_eq!(read.text(), played.text());
        assert_eq!(read.position().key(), played.position().key());
        let [numbered, played] = [numbered.text(), played.text()].map(|text| text.to_string());
        assert_eq!(without_move_number(&numbered), without_move_number(&played));
    }
}

#[test]
fn playouts() {
    let playouts: Vec<Playout> = read_rows("playouts.jsonl");
    assert_eq!(playouts.iter().map(|playout| playout.states.len()).sum::<usize>(), 242);
    for Playout { moves, states } in playouts {
        assert_eq!(states.len(), moves.len() + 1);
        let mut game = start_without_draws();
        states[0].check(&game);
        for (mv, state) in moves.iter().zip(&states[1..]) {
            game.play(mv.parse().unwrap()).unwrap();
            state.check(&game);
        }
    }
}

fn start_without_draws() -> Game<Standard> {
    Game::from_position(Position::start(Standard), DrawRules::OFF)
}

fn sorted_moves(game: &Game<Standard>) -> Vec<String> {
    let mut moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

fn outcome_text(game: &Game<Standard>) -> String {
    game.outcome().map_or_else(|| "ongoing".to_owned(), |outcome| outcome.to_string())
}

/// All fields of a position text but the last.
fn without_move_number(text: &str) -> &str {
    text.rsplit_once(' ').expect("a text has 17 fields").0
}
