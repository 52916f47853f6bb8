//! Perft that checks every node, from positions of all kinds, and moves of random games taken back.

use std::collections::BTreeSet;

use super::vectors::read_rows;
use crate::random_rules::random_rules;
use crate::size::usual_or_full;
use millstone::perft::{self, Bulk, Checked};
use millstone::position::Position;
use millstone::rules::{PRESETS, Preset, Rules, Standard};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
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

/// Every move of random games of random rules keeps key and men in agreement, and undone leaves the position as
/// it was.
#[test]
fn moves_of_random_games_are_taken_back() {
    const MOST_MOVES: usize = 100;
    let play = |seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Position::start(random_rules(&mut rng));
        for _ in 0..MOST_MOVES {
            let (before, moves) = (position, position.moves());
            for &mv in &moves {
                let undo = position.do_move(mv);
                assert_eq!(position.validate(), Ok(()), "{mv} in {before}");
                position.undo_move(undo);
                assert_eq!(position, before, "{mv}");
            }
            let Some(&mv) = moves.choose(&mut rng) else { return };
            let _ = position.do_move(mv);
        }
    };
    (0..usual_or_full(100, 10_000)).into_par_iter().for_each(play);
}
