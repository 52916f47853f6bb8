//! The counts of the smallest sectors, which another program counted too.

use crate::tablebases;
use millstone::tablebase::{Longest, Sector};

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
