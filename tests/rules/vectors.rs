//! Counts, move lists and games from an independent program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::size::usual_or_full;
use millstone::game::Game;
use millstone::perft::{CountTable, Perft};
use millstone::position::{Move, Position};
use millstone::protocol::Options;
use millstone::rules::{DrawRules, MillAction, Preset, RuleSet, Rules, Standard};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The values of a file in `tests/data`.
pub fn read_rows<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    text.lines().map(parse).collect()
}

#[derive(Deserialize)]
struct Row {
    preset: String,
    options: BTreeMap<String, Value>,
    fen: String,
    depth: u32,
    nodes: u64,
    ended_early: u64,
}

impl Row {
    /// The rows of the file, whose number is known; usually without the 31 that hold nearly all nodes.
    fn read_all() -> Vec<Self> {
        let mut rows: Vec<Self> = read_rows("perft.jsonl");
        assert_eq!(rows.len(), 377);
        let most_nodes = usual_or_full(10_000_000, u64::MAX);
        rows.retain(|row| row.nodes <= most_nodes);
        assert_eq!(rows.len(), usual_or_full(346, 377));
        rows
    }

    fn check<R: Rules>(&self, rules: R, perft: Perft) -> Position<R> {
        let position = Position::from_text(&self.fen, rules).unwrap();
        let count = perft.count(&position, self.depth);
        assert_eq!(count, self.nodes, "{:?}, depth {} of {}", self.options, self.depth, self.fen);
        position
    }
}

#[test]
fn perft_of_nine_mens_morris() {
    let table = CountTable::new(4).unwrap();
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let mut rows = Row::read_all();
    rows.retain(|row| row.options.is_empty());
    assert_eq!(rows.len(), usual_or_full(96, 107));
    for row in rows {
        if row.nodes <= usual_or_full(2_000_000, u64::MAX) {
            row.check(Standard, Perft { plays_last: true, ..Perft::default() });
        }
        let position = row.check(Standard, Perft { table: Some(&table), ..Perft::default() });
        let counts = pool.install(|| Perft::default().split(&position, row.depth));
        let count: u64 = counts.iter().map(|(_, count)| count).sum();
        assert_eq!(count, row.nodes, "depth {} of {}", row.depth, row.fen);
    }
}

/// Counts the games that are over before their last move.
fn count_ended_early<R: Rules>(position: &Position<R>, depth: u32) -> u64 {
    if depth < 2 || position.ending().is_some() {
        return u64::from(depth > 0 && position.ending().is_some());
    }
    let below = |mv: &Move| count_ended_early(&position.after(*mv), depth - 1);
    position.moves().iter().map(below).sum()
}

/// Keys tell apart whatever decides the further play, most of all when placing ends.
#[test]
fn hashed_perft_of_all_games() {
    let mut texts: BTreeSet<(String, String)> = BTreeSet::new();
    let rows = Row::read_all().into_iter().filter(|row| row.nodes < 100_000);
    texts.extend(rows.map(|row| (row.preset, row.fen)));
    let late = [
        "O*O@@O*@/@OOOO@@@/*@@*OO@O w p p 10 1 10 1 0 0 0 0 0 0 0 0 12",
        "@OO@*@@O/O@@@@@O@/O***OO@O w p p 9 1 11 1 0 0 0 0 0 0 0 0 12",
    ];
    texts.extend(late.map(|text| ("Experimental".to_owned(), text.to_owned())));
    texts.par_iter().for_each(|(name, text)| {
        let rules = Preset::named(name).unwrap().rules;
        let position = Position::from_text(text, rules).unwrap();
        let table = CountTable::new(4).unwrap();
        // What a shallower walk leaves in the table is found by the deeper ones.
        for depth in (1..=6).take_while(|depth| position.count_moves().pow(*depth) < 3_000_000) {
            let plain = Perft::default().count(&position, depth);
            let hashed = Perft { table: Some(&table), ..Perft::default() }.count(&position, depth);
            assert_eq!(hashed, plain, "{name}, depth {depth} of {text}");
        }
    });
}

/// Every game through the code for any rules, the standard one too.
#[test]
fn perft_of_all_games() {
    Row::read_all().par_iter().for_each(|row| {
        let position = row.check(rules_of(&row.options), Perft::default());
        let Row { options, depth, fen, .. } = row;
        let ended_early = count_ended_early(&position, *depth);
        assert_eq!(ended_early, row.ended_early, "{options:?}, depth {depth} of {fen}");
    });
}

/// Compares the game as it was played and as either text tells it.
fn check_state<R: Rules>(state: &State, played: &Game<R>, rules: R) {
    let State { fen, fen_nodes, outcome, legal } = state;
    let [read, numbered] = [fen_nodes, fen]
        .map(|text| Game::from_text(text, rules, DrawRules::OFF))
        .map(|game| game.unwrap_or_else(|error| panic!("{fen}: {error}")));
    for game in [played, &read, &numbered] {
        assert_eq!(sorted_moves(game), *legal, "{fen}");
        assert_eq!(outcome_text(game), *outcome, "{fen}");
    }
    let text = played.text().to_string();
    assert_eq!(text.split(' ').nth(16), fen_nodes.split(' ').nth(16), "{text}");
    assert_eq!(read.position().key(), played.position().key(), "{text}");
    assert_eq!(without_move_number(&read.text().to_string()), without_move_number(&text));
    // The program with this text remembers fewer mill moves, to the same effect.
    if !played.position().rules().restricts_repeated_mills {
        let numbered = numbered.text().to_string();
        assert_eq!(without_move_number(&numbered), without_move_number(&text));
    }
}

#[test]
fn recorded_games() {
    let mut playouts: Vec<Playout> = read_rows("playouts.jsonl");
    assert_eq!(playouts.iter().map(|playout| playout.states.len()).sum::<usize>(), 9_656);
    assert!(playouts.iter().all(|playout| playout.states.len() == playout.moves.len() + 1));
    // The program of the file does not do what the third action says.
    playouts.retain(|row| rules_of(&row.options).mill_action != MillAction::OpponentRemovesOwn);
    assert_eq!(playouts.len(), 78);
    playouts.par_iter().for_each(|playout| {
        let rules = rules_of(&playout.options);
        replay(playout, rules);
        if rules.is_standard() {
            replay(playout, Standard);
        }
    });
}

fn replay<R: Rules>(playout: &Playout, rules: R) {
    let mut game = Game::from_position(Position::start(rules), DrawRules::OFF);
    check_state(&playout.states[0], &game, rules);
    for (mv, state) in playout.moves.iter().zip(&playout.states[1..]) {
        game.play(mv.parse().unwrap()).unwrap();
        check_state(state, &game, rules);
    }
}

/// The rules that the options of the protocol make.
fn rules_of(options: &BTreeMap<String, Value>) -> RuleSet {
    let mut made = Options::default();
    for (name, value) in options {
        made.set(name, Some(&value.to_string())).unwrap();
    }
    made.rules
}

/// The texts of the legal moves, sorted.
pub fn sorted_moves<R: Rules>(game: &Game<R>) -> Vec<String> {
    let mut moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

pub fn outcome_text<R: Rules>(game: &Game<R>) -> String {
    game.outcome().map_or_else(|| "ongoing".to_owned(), |outcome| outcome.to_string())
}

/// A position text without its field 17.
fn without_move_number(text: &str) -> String {
    let fields = text.split(' ').enumerate().filter(|(index, _)| *index != 16);
    fields.map(|(_, field)| field).collect::<Vec<_>>().join(" ")
}

/// A game from the start position of its rules, with draws by history off.
#[derive(Deserialize)]
struct Playout {
    /// The options of the protocol that make the rules.
    options: BTreeMap<String, Value>,
    /// The moves from the start.
    moves: Vec<String>,
    /// The positions: the start, then one after each move.
    states: Vec<State>,
}

/// A position of a recorded game.
#[derive(Deserialize)]
struct State {
    /// The text of a program whose move numbers count the removals.
    fen: String,
    /// The text of a program that numbers points from 0 and no point -1.
    fen_nodes: String,
    /// How the game ended, or `ongoing`.
    outcome: String,
    /// The legal moves, sorted.
    legal: Vec<String>,
}
