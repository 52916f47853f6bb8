//! The counts of the smallest sectors, which another program counted too.

use std::env;
use std::path::Path;

use crate::rules::vectors::read_rows;
use crate::tablebases;
use millstone::rules::{BoardFullAction, RuleSet};
use millstone::tablebase::{Sector, Solvable, Tablebase};
use serde::Deserialize;

/// A sector by the men and hands of both sides, its positions won, drawn and lost, symmetric ones counted once, and
/// the plies of the longest win and loss.
#[derive(Deserialize)]
struct Row([usize; 2], [usize; 2], [u64; 3], [Option<u8>; 2]);

/// An independent program counted them; `counts_moving.jsonl` has what `sectors.json` of its vectors says.
#[test]
fn headers_say_what_another_program_counted() {
    let tablebase = tablebases::open(tablebases::solved(8));
    assert_eq!(tablebase.files().count(), check(&tablebase, "counts_moving.jsonl"));
    for file in tablebase.files() {
        let (sector, statistics) = (file.sector(), file.statistics());
        for longest in [statistics.longest_win, statistics.longest_loss].into_iter().flatten() {
            let (own, opponent) = sector.position(longest.index as usize);
            let value = tablebase.value(sector, own, opponent).expect("the files are good");
            assert_eq!(value.turns(), Some(longest.turns), "{sector}");
        }
    }
}

/// The positions of the placing phase of each ply.
const OF_PLIES: &str = "1 4 50 508 5136 35182 234696 1137041 5264226 18665926 62979220 169189814 \
    431620994 902908402 1794931977 3005114203 4805546173 6659107785";

/// They follow from all positions of the game, which take too long to solve here: a folder that has them is
/// looked into if `MILLSTONE_TABLEBASE` names one.
#[test]
fn the_whole_game_has_the_published_counts() {
    let Some(folder) = env::var_os("MILLSTONE_TABLEBASE") else { return };
    let tablebase = tablebases::open(Path::new(&folder));
    let sectors = Solvable::STANDARD.placing();
    if sectors.iter().any(|&sector| tablebase.file(sector).is_none()) {
        return;
    }
    check_published(&tablebase, Solvable::STANDARD.men());
}

/// Checks the counts of a tablebase that has the first plies of the placing phase, as published for the files of
/// Gévay and Danner.
pub fn check_published(tablebase: &Tablebase, plies: usize) {
    check(tablebase, "counts_first.jsonl");
    for (ply, published) in OF_PLIES.split(' ').take(plies).enumerate() {
        let mut sectors = Solvable::STANDARD.placing();
        sectors.retain(|sector| sector.men_in_hand() + ply == Solvable::STANDARD.men());
        let file = |sector| tablebase.file(sector).expect("the sector is there");
        let positions = sectors.into_iter().map(|sector| file(sector).statistics().positions());
        assert_eq!(positions.sum::<u64>().to_string(), published, "ply {ply}");
    }
}

/// Twelve Men's Morris in which a full board is drawn, which others have solved too.
pub const TWELVE: RuleSet =
    RuleSet { board_full_action: BoardFullAction::Draw, ..RuleSet::TWELVE_MENS_MORRIS };

/// Twelve men take an hour and a half: a folder that has them is looked into if `MILLSTONE_TWELVE` names one.
#[test]
fn twelve_men_have_the_published_counts() {
    let Some(folder) = env::var_os("MILLSTONE_TWELVE") else { return };
    let game = tablebases::solvable(TWELVE);
    let tablebase = tablebases::open_of(game, Path::new(&folder));
    check(&tablebase, "counts_first_of_twelve.jsonl");
    let rounded = |sectors: &[Sector], unit: u64| {
        let file = |&sector| tablebase.file(sector).expect("the sector is there");
        let positions = sectors.iter().map(|sector| file(sector).statistics().positions());
        (positions.sum::<u64>() + unit / 2) / unit
    };
    assert_eq!(rounded(&game.moving(), 100_000_000), 165, "1.65e10 are published");
    assert_eq!(rounded(&game.placing(), 1_000_000_000), 95, "9.5e10 are published");
}

/// Checks the counts of the sectors of a file, and where they have distances the longest. Returns how many there are.
fn check(tablebase: &Tablebase, file: &str) -> usize {
    let rows = read_rows::<Row>(file);
    for Row(men, hands, counts, longest) in &rows {
        let sector = Sector::with_hands(*men, *hands).unwrap();
        let file = tablebase.file(sector).expect("the sector is there");
        let found = file.statistics();
        assert_eq!([found.wins, found.draws, found.losses], *counts, "{sector}");
        if file.has_distances() {
            let turns = [found.longest_win, found.longest_loss].map(|it| it.map(|it| it.turns));
            assert_eq!(turns, *longest, "{sector}");
        }
    }
    rows.len()
}
