//! The lists of critical positions say what the tablebase says.
//!
//! `MILLSTONE_TABLEBASE` names a folder with all sectors; without it only small ones are solved, and
//! only positions with so few men are looked at. `MILLSTONE_TWELVE` names one for the list with diagonals.

use std::env;
use std::path::Path;

use super::counts::TWELVE;
use crate::critical_positions::Critical;
use crate::tablebases::{self, solvable};
use millstone::tablebase::{Tablebase, Wdl};

/// The most men of the sectors that are solved here.
const MOST_MEN: usize = 8;

fn check(tablebase: &Tablebase, critical: &Critical) {
    let (text, turns) = (critical.game.text(), critical.game.turns());
    let best = if critical.is_won { Wdl::Win } else { Wdl::Draw };
    for (turn, after) in &turns {
        let worth: Wdl = tablebase.probe(after.position()).expect("the sectors are there");
        let (worth, turn) = (worth.before_move(), turn.to_string());
        assert!(worth <= best, "{text}: {turn}");
        assert_eq!(worth == best, critical.keeping.contains(&turn), "{text}: {turn}");
    }
    assert!((1..turns.len()).contains(&critical.keeping.len()), "{text}");
}

#[test]
fn the_turns_that_are_listed_and_no_others_keep_the_value() {
    let folder = env::var_os("MILLSTONE_TABLEBASE");
    let has_all = folder.is_some();
    let folder = folder.map_or_else(|| tablebases::solved(MOST_MEN).to_owned(), Into::into);
    let tablebase = tablebases::open(&folder);
    let lists = ["moving", "moving_by_lot", "placing_by_lot", "opening_by_lot"];
    for list in &lists[..if has_all { 4 } else { 2 }] {
        let mut positions = Critical::all(list);
        positions.retain(|critical| tablebase.probe_wdl(critical.game.position()).is_some());
        assert!(positions.len() >= if has_all { 1000 } else { 50 }, "{list}");
        for critical in &positions {
            check(&tablebase, critical);
        }
    }
}

#[test]
fn the_turns_that_are_listed_with_diagonals_keep_the_value() {
    let Some(folder) = env::var_os("MILLSTONE_TWELVE") else { return };
    let tablebase = tablebases::open_of(solvable(TWELVE), Path::new(&folder));
    for critical in &Critical::all_of("placing_with_diagonals", TWELVE) {
        check(&tablebase, critical);
    }
}
