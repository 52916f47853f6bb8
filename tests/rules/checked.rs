//! Perft that checks every node, from positions of all kinds.

use std::collections::BTreeSet;

use super::vectors::read_rows;
use crate::size::usual_or_full;
use millstone::perft::{self, Bulk, Checked};
use millstone::position::Position;
use millstone::rules::{PRESETS, Preset, Rules, Standard};
use rayon::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    preset: String,
    fen: String,
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
