//! Files of a sector with bytes changed, under checksums that fit again or do not.
//!
//! The first byte of an input says which checksums fit again, as bits: 1 those of the pages, 2 that of
//! the checksums, 4 that of the header. Then follow changes of four bytes: the page, where in it (two
//! bytes), and the new byte.

use std::fs;
use std::sync::LazyLock;

use millstone::rules::RuleSet;
use millstone::tablebase::{
    Build, Distances, Scope, Sector, SectorFile, Solvable, Unobserved, sector_path,
};
use tempfile::TempDir;

use super::file_of;

const PAGE: usize = 4096;
/// Where the header has the checksum of the checksums and its own.
const CHECKSUM: usize = 104;
const OWN_CHECKSUM: usize = PAGE - 8;

/// How far apart the positions are that are looked up one by one.
const STEP: usize = 499;

/// A good file of the smallest sector.
static GOOD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    fs::read(sector_path(solved().path(), smallest())).expect("the file is written")
});

/// A folder with the smallest sector.
pub fn solved() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let build = Build {
        game: Solvable::STANDARD,
        folder: folder.path().into(),
        scope: Scope::UpTo { men: 6, in_hand: 0 },
        distances: Distances::Moving,
        most_memory: None,
    };
    build.run(&Unobserved).expect("the sector is solved");
    folder
}

/// The sector.
pub fn smallest() -> Sector {
    Sector::new(3, 3).expect("a sector")
}

pub fn run(bytes: &[u8]) {
    if let Some(file) = changed(&GOOD, bytes, CHECKSUM) {
        read_everything(&file);
    }
}

/// A good file, whose header has the checksum of the checksums at a place, with the changes of an input.
pub fn changed(good: &[u8], input: &[u8], checksum: usize) -> Option<Vec<u8>> {
    let (fitting, changes) = input.split_first()?;
    let mut file = good.to_owned();
    let pages = file.len().div_ceil(PAGE);
    for change in changes.chunks_exact(4) {
        let page = usize::from(change[0]) % pages;
        let in_page = usize::from(u16::from_le_bytes([change[1], change[2]])) % PAGE;
        if let Some(byte) = file.get_mut(page * PAGE + in_page) {
            *byte = change[3];
        }
    }
    Some(with_checksums(file, *fitting, checksum))
}

/// The file with some checksums computed anew.
fn with_checksums(mut file: Vec<u8>, which: u8, place: usize) -> Vec<u8> {
    let end = end_of_pages(file.len());
    let sum = |bytes: &[u8]| crc32fast::hash(bytes).to_le_bytes();
    if which & 1 != 0 {
        let sums: Vec<u8> = file[..end].chunks(PAGE).skip(1).flat_map(sum).collect();
        file[end..].copy_from_slice(&sums);
    }
    if which & 2 != 0 {
        let checksum = sum(&file[end..]);
        file[place..][..4].copy_from_slice(&checksum);
    }
    if which & 4 != 0 {
        let checksum = sum(&file[..OWN_CHECKSUM]);
        file[OWN_CHECKSUM..][..4].copy_from_slice(&checksum);
    }
    file
}

/// Where the checksums of a file of this length begin: one for each page but the first.
fn end_of_pages(len: usize) -> usize {
    let ends = (0..).map(|pages| len - pages * size_of::<u32>());
    let mut ends = ends.enumerate().filter(|(pages, end)| end.div_ceil(PAGE) == pages + 1);
    ends.next().expect("a file has its checksums").1
}

/// Reads a file in all ways; once damage is found, nothing more is answered.
fn read_everything(bytes: &[u8]) {
    let identity = RuleSet::NINE_MENS_MORRIS.identity();
    let Ok(file) = SectorFile::open(&file_of(bytes), smallest(), identity) else { return };
    for index in (0..smallest().len()).step_by(STEP) {
        let (wdl, value) = (file.wdl(index), file.value(index));
        assert!(wdl.is_some() || value.is_none(), "a value of a damaged page");
    }
    let is_good = file.check().is_ok();
    assert!(!file.is_usable() || is_good, "damage that was found is forgotten");
    match file.load() {
        Ok(solved) => assert_eq!(solved.values().len(), smallest().len()),
        Err(_) => assert!(!is_good || file.has_distances(), "nothing is wrong"),
    }
}
