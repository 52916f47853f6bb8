//! The counts of the smallest sectors, which another program counted too.

use std::env;
use std::path::Path;

use crate::tablebases;
use millstone::tablebase::{Longest, Sector, Solvable, Tablebase};

/// A sector with its positions won, drawn and lost, symmetric ones counted once, and the plies of
/// the longest win and loss.
struct Row(usize, usize, [u64; 3], [Option<u8>; 2]);

/// An independent program counted them; here is what `sectors.json` of its vectors says.
const ROWS: [Row; 6] = [
    Row(3, 3, [140_621, 269, 28_736], [Some(25), Some(26)]),
    Row(3, 4, [102_281, 658_117, 0], [Some(33), None]),
    Row(4, 3, [75_397, 681_906, 3_095], [Some(1), Some(32)]),
    Row(4, 4, [159, 3_225_409, 29], [Some(9), Some(8)]),
    Row(3, 5, [6_301, 2_564_412, 9_677], [Some(31), Some(2)]),
    Row(5, 3, [580_660, 1_999_730, 0], [Some(3), None]),
];

#[test]
fn headers_say_what_another_program_counted() {
    let tablebase = tablebases::open(&tablebases::solve("tablebase_counts", 8));
    assert_eq!(tablebase.files().count(), ROWS.len());
    for Row(own, opponent, counts, longest) in ROWS {
        let sector = Sector::new(own, opponent).unwrap();
        let file = tablebase.file(sector).expect("the sector is there");
        let statistics = file.statistics();
        assert_eq!([statistics.wins, statistics.draws, statistics.losses], counts, "{sector}");
        let found = [statistics.longest_win, statistics.longest_loss];
        assert_eq!(found.map(|longest| longest.map(|longest| longest.turns)), longest, "{sector}");
        for Longest { turns, index } in found.into_iter().flatten() {
            let value = file.value(index as usize).expect("the file is good");
            assert_eq!(value.turns(), Some(turns), "{sector}");
        }
    }
}

/// The men and hands of both sides in the first sectors of the placing phase, and the positions won, drawn
/// and lost, as published for the files of Gévay and Danner.
const FIRST: [([usize; 2], [usize; 2], [u64; 3]); 8] = [
    ([0, 0], [9, 9], [0, 1, 0]),
    ([0, 1], [9, 8], [0, 4, 0]),
    ([1, 1], [8, 8], [0, 46, 0]),
    ([1, 2], [8, 7], [31, 397, 0]),
    ([2, 2], [7, 7], [532, 3_641, 27]),
    ([2, 3], [7, 6], [5_327, 21_545, 226]),
    ([3, 3], [6, 6], [61_796, 103_459, 4_371]),
    ([3, 4], [6, 5], [237_331, 479_831, 43_236]),
];

/// The positions of the placing phase of a ply.
const OF_PLIES: [u64; 18] = [
    1,
    4,
    50,
    508,
    5_136,
    35_182,
    234_696,
    1_137_041,
    5_264_226,
    18_665_926,
    62_979_220,
    169_189_814,
    431_620_994,
    902_908_402,
    1_794_931_977,
    3_005_114_203,
    4_805_546_173,
    6_659_107_785,
];

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
    check_published(&tablebase, OF_PLIES.len());
}

/// Checks the counts of a tablebase that has the first plies of the placing phase.
pub fn check_published(tablebase: &Tablebase, plies: usize) {
    let statistics = |sector| tablebase.file(sector).expect("the sector is there").statistics();
    for (men, hands, counts) in FIRST {
        let sector = Sector::with_hands(men, hands).unwrap();
        let found = statistics(sector);
        assert_eq!([found.wins, found.draws, found.losses], counts, "{sector}");
    }
    let mut of_plies = [0; OF_PLIES.len()];
    for sector in Solvable::STANDARD.placing() {
        let ply = Solvable::STANDARD.men() - sector.men_in_hand();
        if ply < plies {
            of_plies[ply] += statistics(sector).positions();
        }
    }
    assert_eq!(of_plies[..plies], OF_PLIES[..plies]);
}
