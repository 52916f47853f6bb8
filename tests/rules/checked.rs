//! Perft that checks every node, from positions of all kinds.

use std::collections::{BTreeMap, BTreeSet};

use super::playouts::Playout;
use super::vectors::read_rows;
use crate::size::usual_or_full;
use millstone::perft::{self, Bulk, Checked};
use millstone::position::{Phase, Position, PositionText};
use millstone::rules::{PRESETS, Preset, Rules, Standard};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;

/// How many positions of each kind are walked, by phase and removals owed.
const QUOTAS: [(Phase, u8, usize); 4] = [
    (Phase::Placing, 0, 12),
    (Phase::Placing, 1, 6),
    (Phase::Moving, 0, 20),
    (Phase::Moving, 1, 12),
];

/// The most leaves at depth 4.
const MOST_LEAVES: u64 = 20_000;

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    preset: String,
    #[serde(default)]
    options: BTreeMap<String, Value>,
    fen: String,
}

/// The positions of the standard game in the data files in which the game goes on.
fn positions() -> Vec<Position<Standard>> {
    let mut playouts = Playout::read_all();
    playouts.retain(|playout| playout.options.is_empty());
    let rows = ["perft.jsonl", "legal_moves.jsonl"].into_iter().flat_map(read_rows);
    let rows = rows.filter(|row: &Row| row.options.is_empty()).map(|row| row.fen);
    let states = playouts.into_iter().flat_map(|playout| playout.states);
    let texts: BTreeSet<String> = rows.chain(states.map(|state| state.fen)).collect();
    let read = |text: String| PositionText::parse(&text, Standard).unwrap();
    let read = texts.into_iter().map(read);
    read.filter(|text| !text.is_over).map(|text| text.position).collect()
}

fn check<R: Rules>(position: &Position<R>, depth: u32) {
    let expected = perft::walk(position, depth, &mut Bulk);
    let count = perft::walk(position, depth, &mut Checked);
    assert_eq!(count, expected, "{position}");
}

#[test]
fn start_position() {
    check(&Position::start(Standard), 3);
}

#[test]
fn every_named_game() {
    // How deep, where there are no more leaves than the second number.
    let (most_depth, most_leaves) = usual_or_full((3, 14_000), (4, 320_000));
    let rows: Vec<Row> = read_rows("perft.jsonl");
    let texts: BTreeSet<(String, String)> =
        rows.into_iter().map(|row| (row.preset, row.fen)).collect();
    let walk = |(name, text): &(String, String)| {
        let rules = Preset::named(name).unwrap().rules;
        let position = Position::from_text(text, rules).unwrap();
        let count = |depth| perft::walk(&position, depth, &mut Bulk);
        let depth = (1..=most_depth).rev().find(|depth| count(*depth) <= most_leaves);
        check(&position, depth.unwrap());
        (name.clone(), depth.unwrap())
    };
    let walks: Vec<(String, u32)> = texts.par_iter().map(walk).collect();
    let deepest: BTreeSet<_> = walks.iter().filter(|(_, depth)| *depth == most_depth).collect();
    assert_eq!(deepest.len(), PRESETS.len(), "{walks:?}");
}

#[test]
fn positions_with_few_moves() {
    let mut positions = positions();
    let count = |position: &Position<Standard>| perft::walk(position, 4, &mut Bulk);
    positions.retain(|position| (1..=MOST_LEAVES).contains(&count(position)));
    let mut chosen = Vec::new();
    for (phase, owed, quota) in QUOTAS {
        let is_such = |p: &&Position<Standard>| p.phase() == phase && p.pending() == owed;
        let such: Vec<_> = positions.iter().filter(is_such).collect();
        assert!(such.len() >= quota, "{phase:?}, {owed}: {}", such.len());
        chosen.extend(such.iter().step_by(such.len() / quota).take(quota).copied());
    }
    let depth = usual_or_full(4, 5);
    chosen.par_iter().for_each(|position| check(position, depth));
}

#[test]
fn positions_with_flying_men() {
    let mut positions = positions();
    positions.retain(|position| position.may_fly(position.to_move()));
    assert!(positions.len() > 10);
    positions.par_iter().for_each(|position| check(position, 2));
}
