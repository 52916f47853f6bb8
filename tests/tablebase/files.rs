//! Files of a tablebase that are not as they were written: reported, and never answered from.

use std::fs::{self, File};
use std::path::Path;
use std::sync::LazyLock;

use crate::fuzz::targets::database::{OF_HEADER, OF_PAGES, with_checksums};
use crate::random::{RngExt, seeded};
use crate::size::usual_or_full;
use crate::tablebases::{self, assert_values_come, forget, open_damaged, sectors};
use millstone::rules::PRESETS;
use millstone::tablebase::{
    FileError, Sector, SectorFile, Solvable, Solved, Tablebase, sector_path,
};
use rayon::prelude::*;
use tempfile::TempDir;

const MOST_MEN: usize = 8;
/// What is checked together.
const PAGE: usize = 4096;
/// Where the header has the version, the identity of the game and more.
const VERSION: usize = 8;
const IDENTITY: usize = 16;
const WINS: usize = 40;
const INDEX_OF_LONGEST_WIN: usize = 72;
const PACKED_BYTES: usize = 96;

/// Good files, and what they say.
struct Good {
    folder: &'static Path,
    solved: Vec<Solved>,
}

static GOOD: LazyLock<Good> = LazyLock::new(|| {
    let folder = tablebases::solved(MOST_MEN);
    let tablebase = tablebases::open(folder);
    let load = |file: &SectorFile| tablebase.load(file).unwrap();
    let solved = tablebase.files().map(load).collect();
    Good { folder, solved }
});

impl Good {
    fn bytes(&self, sector: Sector) -> Vec<u8> {
        fs::read(sector_path(self.folder, sector)).unwrap()
    }

    /// A folder with the same files, but for the one of a sector, which has other bytes.
    fn with_file(&self, sector: Sector, bytes: &[u8]) -> TempDir {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        for other in sectors(MOST_MEN).into_iter().filter(|other| *other != sector) {
            let of = |folder: &Path| sector_path(folder, other);
            fs::hard_link(of(self.folder), of(folder.path())).unwrap();
        }
        fs::write(sector_path(folder.path(), sector), bytes).unwrap();
        folder
    }

    /// Every sector but one gives right answers. The distance of a win may follow from that sector, and is unknown then.
    fn assert_others_answer(&self, tablebase: &Tablebase, sector: Sector) {
        for solved in self.solved.iter().filter(|solved| solved.sector != sector) {
            let leaves_out_wins = tablebase.file(solved.sector).unwrap().leaves_out_wins();
            let may_lack =
                leaves_out_wins && Solvable::STANDARD.leads_to(solved.sector).contains(&sector);
            for number in (0..solved.sector.len()).step_by(usual_or_full(49_999, 4999)) {
                let (own, opponent) = solved.sector.position(number);
                let value = solved.values()[number];
                let sector = solved.sector;
                assert_eq!(tablebase.wdl(sector, own, opponent), Some(value.into()), "{sector}");
                let found = tablebase.value(sector, own, opponent);
                assert!(found == Some(value) || found.is_none() && may_lack && value.is_win());
            }
        }
    }
}

/// One position of so many is asked for: a page has thousands of them.
const ONE_OF: usize = 211;

/// How many of some positions of a sector, from every page, have an answer, each of which must be right.
fn count_answers(tablebase: &Tablebase, solved: &Solved) -> usize {
    let Some(file) = tablebase.file(solved.sector) else { return 0 };
    let mut answers = 0;
    for (number, &right) in solved.values().iter().enumerate().step_by(ONE_OF) {
        let (value, wdl) = (file.value(number), file.wdl(number));
        assert!(value.is_none_or(|value| value == right), "{}: {number}", solved.sector);
        assert!(wdl.is_none_or(|wdl| wdl == right.into()), "{}: {number}", solved.sector);
        let follows = right.is_win() && file.leaves_out_wins();
        answers += usize::from((value.is_some() || follows) && wdl.is_some());
    }
    answers
}

/// The one error that there is, found at once or since then, which must be one line that names the
/// file; without the name.
fn the_error(tablebase: &Tablebase, mut errors: Vec<FileError>, path: &Path) -> String {
    errors.extend(tablebase.take_damage());
    assert_eq!(errors.len(), 1, "{}: {errors:?}", path.display());
    assert!(tablebase.take_damage().is_empty(), "{}: reported twice", path.display());
    assert_eq!(errors[0].path(), path);
    let text = errors[0].to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.strip_prefix(&format!("{}: ", path.display())).expect(&text).to_owned()
}

/// Flips a bit and reads all answers; what only `load` looks at must at least be found by that.
fn flip(solved: &Solved, bit: usize) {
    let sector = solved.sector;
    let mut bytes = GOOD.bytes(sector);
    bytes[bit / 8] ^= 1 << (bit % 8);
    let folder = GOOD.with_file(sector, &bytes);
    let (tablebase, errors) = open_damaged(Solvable::STANDARD, folder.path());
    let answers = count_answers(&tablebase, solved);
    if answers == sector.len().div_ceil(ONE_OF) {
        let file = tablebase.file(sector).unwrap();
        assert!(file.load().is_err(), "{sector}: bit {bit} is not covered");
    }
    the_error(&tablebase, errors, &sector_path(folder.path(), sector));
    assert_eq!(count_answers(&tablebase, solved), 0, "{sector}: goes on with bit {bit} flipped");
    GOOD.assert_others_answer(&tablebase, sector);
}

#[test]
fn a_flipped_bit_is_reported_and_never_answered_from() {
    let mut rng = seeded(1);
    let solved = GOOD.solved.iter().cycle().take(usual_or_full(12, 200));
    let bits = |solved: &Solved| 8 * GOOD.bytes(solved.sector).len();
    let flips: Vec<_> = solved.map(|solved| (solved, rng.random_range(0..bits(solved)))).collect();
    flips.par_iter().for_each(|(solved, bit)| flip(solved, *bit));
}

/// Padding too: the last byte of a part is followed by zeros to the end of the page.
#[test]
fn every_page_is_covered_from_its_first_byte_to_its_last() {
    let solved = &GOOD.solved[0];
    let len = GOOD.bytes(solved.sector).len();
    let ends = (0..len).step_by(PAGE).map(|start| (start, len.min(start + PAGE) - 1));
    let bytes: Vec<_> = ends.flat_map(|(first, last)| [first, last]).collect();
    bytes.par_iter().for_each(|byte| flip(solved, 8 * byte + byte % 8));
}

/// The bytes of a file whose header says something else, with the checksum that belongs to it.
fn with_word(mut bytes: Vec<u8>, at: usize, word: u64) -> Vec<u8> {
    bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
    with_checksums(bytes, OF_HEADER)
}

#[test]
fn files_that_are_something_else_are_named_and_left_out() {
    let sector = Sector::new(3, 4).unwrap();
    let good = GOOD.bytes(sector);
    let len = good.len();
    let mut noise = vec![0_u8; len];
    seeded(2).fill(&mut noise[..]);
    let longer = [&good[..], &[0]].concat();
    let other_game = PRESETS[1].rules.identity();
    let version = u64::from_le_bytes(good[VERSION..VERSION + 8].try_into().unwrap());
    let length = |found: usize| format!("{found} bytes long instead of {len}");
    let foreign = "not a Millstone sector file".to_owned();
    let damaged = "damaged in the page at byte 0".to_owned();
    for (bytes, expected) in [
        (Vec::new(), "0 bytes long instead of 4096".to_owned()),
        (good[..1].to_vec(), "1 bytes long instead of 4096".to_owned()),
        (good[..PAGE - 1].to_vec(), "4095 bytes long instead of 4096".to_owned()),
        (good[..PAGE].to_vec(), length(PAGE)),
        (good[..len / 2].to_vec(), length(len / 2)),
        (good[..len - 1].to_vec(), length(len - 1)),
        (longer, length(len + 1)),
        (noise, foreign.clone()),
        (vec![0; len], foreign),
        ([&good[..8], &vec![0; len - 8]].concat(), damaged.clone()),
        (with_word(good.clone(), WINS, 1 << 40), damaged.clone()),
        (with_word(good.clone(), INDEX_OF_LONGEST_WIN, 1_000_000_000), damaged.clone()),
        (with_word(good.clone(), PACKED_BYTES, u64::MAX - 1), damaged),
        (GOOD.bytes(sector.reply()), "not the sector 3-4".to_owned()),
        (
            with_word(good.clone(), IDENTITY, other_game.0),
            format!("solved for another game, {other_game}"),
        ),
        (
            with_word(good.clone(), VERSION, version + 1),
            format!("format version {}, but this program reads version {version}", version + 1),
        ),
    ] {
        let folder = GOOD.with_file(sector, &bytes);
        let (tablebase, errors) = open_damaged(Solvable::STANDARD, folder.path());
        assert!(tablebase.file(sector).is_none(), "{expected}");
        let path = sector_path(folder.path(), sector);
        assert_eq!(the_error(&tablebase, errors, &path), expected);
        GOOD.assert_others_answer(&tablebase, sector);
    }
}

#[test]
fn a_build_sets_damaged_files_aside_and_solves_them_again() {
    let (first, later) = (Sector::new(3, 3).unwrap(), Sector::new(4, 3).unwrap());
    let mut damaged = GOOD.bytes(first);
    for damaged_byte in [7, damaged.len() / 2] {
        damaged[damaged_byte] ^= 16;
        let folder = GOOD.with_file(first, &damaged);
        // A build reads the file of a sector only where it solves another that needs it.
        fs::remove_file(sector_path(folder.path(), later)).unwrap();
        tablebases::solve_missing(folder.path(), MOST_MEN);
        for sector in sectors(MOST_MEN) {
            let found = fs::read(sector_path(folder.path(), sector)).unwrap();
            assert!(found == GOOD.bytes(sector), "{sector} after byte {damaged_byte}");
        }
        let aside = fs::read(folder.path().join("3-3.mill.damaged")).unwrap();
        assert!(aside == damaged, "byte {damaged_byte}");
        damaged[damaged_byte] ^= 16;
    }
}

/// A file that cannot be loaded, though its checksums fit: all its pages are ones.
#[test]
fn a_build_sets_aside_what_was_written_wrong() {
    let (first, later) = (Sector::new(3, 3).unwrap(), Sector::new(4, 3).unwrap());
    let mut wrong = GOOD.bytes(first);
    wrong[PAGE..].fill(0xff);
    let wrong = with_checksums(wrong, OF_PAGES);
    let folder = GOOD.with_file(first, &wrong);
    let identity = Solvable::STANDARD.rules().identity();
    let file = SectorFile::open(&sector_path(folder.path(), first), first, identity).unwrap();
    assert!(file.check().is_ok() && file.load().is_err());
    fs::remove_file(sector_path(folder.path(), later)).unwrap();
    tablebases::solve_missing(folder.path(), MOST_MEN);
    assert!(fs::read(sector_path(folder.path(), first)).unwrap() == GOOD.bytes(first));
    assert!(fs::read(folder.path().join("3-3.mill.damaged")).unwrap() == wrong);
}

#[test]
fn values_that_come_from_the_disk_can_be_had_without_waiting() {
    let sectors = sectors(MOST_MEN);
    let folder = tablebases::copy(GOOD.folder, "files_cold");
    for &sector in &sectors {
        forget(&sector_path(&folder, sector));
    }
    let good = tablebases::open(GOOD.folder);
    assert_values_come(&tablebases::open(&folder), &sectors, |sector, own, opponent| {
        good.value(sector, own, opponent).expect("the files are good")
    });
}

/// As a program does that copies another file over it in place, while the file is in use.
#[cfg(unix)]
#[test]
fn a_file_that_is_cut_short_is_reported_and_never_answered_from() {
    let solved = &GOOD.solved[0];
    let bytes = GOOD.bytes(solved.sector);
    for is_read_before in [false, true] {
        for length in [bytes.len() / 2, 0] {
            let folder = GOOD.with_file(solved.sector, &bytes);
            let path = sector_path(folder.path(), solved.sector);
            let (tablebase, errors) = open_damaged(Solvable::STANDARD, folder.path());
            if is_read_before {
                assert_eq!(count_answers(&tablebase, solved), solved.sector.len().div_ceil(ONE_OF));
            }
            File::options().write(true).open(&path).unwrap().set_len(length as u64).unwrap();
            assert!(count_answers(&tablebase, solved) < solved.sector.len().div_ceil(ONE_OF));
            assert!(the_error(&tablebase, errors, &path).starts_with("damaged in the page"));
            assert_eq!(count_answers(&tablebase, solved), 0);
            GOOD.assert_others_answer(&tablebase, solved.sector);
        }
    }
}
