//! The placing phase, solved: each value follows from those of the positions that the moves lead to, by
//! the rules of the mailbox.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use super::values::check_values;
use crate::size::usual_or_full;
use crate::tablebases::{self, small_game};
use millstone::tablebase::{Distances, Sector, Tablebase, sector_path};

/// The men of a side.
const MEN: usize = 4;

/// A folder with all sectors of a game with four men a side.
pub static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = tablebases::fresh_folder("placing");
    solve(&folder, MEN, 0);
    folder
});

pub static TABLES: LazyLock<Arc<Tablebase>> = LazyLock::new(|| Arc::new(open(&FOLDER, MEN)));

/// The tablebase of a folder of a game with so many men a side.
pub fn open(folder: &Path, men: usize) -> Tablebase {
    tablebases::open_of(small_game(men as u8), folder)
}

/// Solves a game with so many men a side from a ply on.
fn solve(folder: &Path, men: usize, first_ply: usize) {
    tablebases::build(
        small_game(men as u8),
        folder,
        [2 * men, 2 * men - first_ply],
        Distances::Moving,
    );
}

#[test]
fn values_follow_from_those_of_the_moves_by_the_rules() {
    let sectors = TABLES.game().placing();
    assert!(sectors.iter().all(|&sector| TABLES.file(sector).is_some()));
    let checked = check_values(&TABLES, &sectors, usual_or_full(400, 20_000));
    assert!(checked > 5000, "{checked}");
}

/// The distances of wins of the sector between them follow from the later one.
#[test]
fn lost_files_two_plies_apart_are_built_again() {
    let folder = tablebases::fresh_folder("placing_lost");
    let build = || tablebases::build(small_game(3), &folder, [6, 6], Distances::All);
    build();
    let lost = ["1+2-1+2.mill", "2+1-2+1.mill"].map(|name| folder.join(name));
    let before = lost.each_ref().map(|path| fs::read(path).unwrap());
    for path in &lost {
        fs::remove_file(path).unwrap();
    }
    build();
    assert!(before == lost.map(|path| fs::read(path).unwrap()));
}

#[test]
fn a_build_of_the_last_plies_goes_on_with_the_first() {
    let [whole, parts] = ["placing_whole", "placing_parts"].map(tablebases::fresh_folder);
    solve(&whole, 3, 0);
    solve(&parts, 3, 4);
    let is_there = |sector: &Sector| sector_path(&parts, *sector).exists();
    for sector in small_game(3).placing() {
        assert_eq!(is_there(&sector), sector.men_in_hand() <= 2, "{sector}");
    }
    solve(&parts, 3, 0);
    for sector in small_game(3).placing() {
        let bytes = |folder| fs::read(sector_path(folder, sector)).expect("the sector is there");
        assert!(bytes(&whole) == bytes(&parts), "{sector}");
    }
}
