//! The lists of critical positions say what the tablebase says.
//!
//! `MILLSTONE_TABLEBASE` names a folder with all sectors; without it only small ones are solved, and
//! only positions with so few men are looked at. `MILLSTONE_TWELVE` names one for the list with diagonals.

use std::env;
use std::path::Path;

use super::counts::TWELVE;
use crate::critical_positions::Critical;
use crate::tablebases;
use millstone::position::{Ending, Position};

use millstone::tablebase::{Solvable, Tablebase, Wdl};

/// The most men of the sectors that are solved here.
const MOST_MEN: usize = 8;

/// What the position is worth to the side to move, at least up to `enough`, from which on the rest
/// does not matter.
fn worth(tablebase: &Tablebase, position: &Position, enough: Wdl) -> Wdl {
    match position.ending() {
        Some(Ending::Loss(_)) => return Wdl::Loss,
        Some(Ending::Draw(_)) => return Wdl::Draw,
        None => {}
    }
    if let Some(wdl) = tablebase.probe_wdl(position) {
        return wdl;
    }
    let mut best = Wdl::Loss;
    for (after, _) in after_turns(position) {
        best = best.max(worth(tablebase, &after, Wdl::Win).before_move());
        if best >= enough {
            break;
        }
    }
    best
}

/// The positions after each turn of the side to move, and the turns; those that close a mill first.
fn after_turns(position: &Position) -> Vec<(Position, String)> {
    let mut closing = Vec::new();
    let mut quiet = Vec::new();
    for &mv in &position.moves() {
        let after = position.after(mv);
        if after.to_move() == position.to_move() && after.ending().is_none() {
            let removals = after.moves().into_iter();
            closing.extend(removals.map(|man| (after.after(man), format!("{mv}{man}"))));
        } else {
            quiet.push((after, mv.to_string()));
        }
    }
    closing.append(&mut quiet);
    closing
}

fn check(tablebase: &Tablebase, critical: &Critical) {
    let position = critical.game.position();
    let turns = after_turns(position);
    let best = if critical.is_won { Wdl::Win } else { Wdl::Draw };
    for (after, turn) in &turns {
        let worth = worth(tablebase, after, Wdl::Win).before_move();
        assert!(worth <= best, "{position}: {turn}");
        assert_eq!(worth == best, critical.keeping.contains(turn), "{position}: {turn}");
    }
    assert!(2 * critical.keeping.len() <= turns.len() && !critical.keeping.is_empty());
}

#[test]
fn the_turns_that_are_listed_and_no_others_keep_the_value() {
    let folder = env::var_os("MILLSTONE_TABLEBASE");
    let has_all = folder.is_some();
    let folder = folder.map_or_else(|| tablebases::solve("critical", MOST_MEN), Into::into);
    let tablebase = tablebases::open(&folder);
    let mut positions = Critical::all("moving");
    if has_all {
        positions.extend(Critical::all("placing"));
    }
    positions.retain(|critical| has_all || tablebase.probe_wdl(critical.game.position()).is_some());
    assert!(positions.len() >= 100, "{} positions", positions.len());
    for critical in &positions {
        check(&tablebase, critical);
    }
}

#[test]
fn the_turns_that_are_listed_with_diagonals_keep_the_value() {
    let Some(folder) = env::var_os("MILLSTONE_TWELVE") else { return };
    let game = Solvable::of(&TWELVE).expect("no position has a memory");
    let tablebase = tablebases::open_of(game, Path::new(&folder));
    for critical in &Critical::all_of("placing_with_diagonals", TWELVE) {
        check(&tablebase, critical);
    }
}
