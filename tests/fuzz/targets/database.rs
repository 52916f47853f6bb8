//! A file of a sector with everything that files say, and bytes changed, under checksums that fit again or do not.
//!
//! The first byte of an input says which checksums fit again, as bits: [`OF_PAGES`] and [`OF_HEADER`].
//! Then follow changes of four bytes: the page, where in it (two bytes), and the new byte.

use std::fs;
use std::sync::LazyLock;

use millstone::rules::RuleSet;
use millstone::tablebase::{
    Build, Distances, DrawBuild, DrawOrderKind, Scope, Sector, SectorFile, Solvable, Tablebase,
    Unobserved, Wdl, sector_path,
};
use tempfile::TempDir;

/// Which checksums are computed anew.
pub const OF_PAGES: u8 = 1;
pub const OF_HEADER: u8 = 2;

const PAGE: usize = 4096;
/// The bytes of a checksum of a page, and of that of the header.
const CHECKSUM: usize = 4;
const OWN_CHECKSUM: usize = 8;
/// The bytes of the identity in the header, and the place of the sector.
const IDENTITY: std::ops::Range<usize> = 16..24;
const PLACE: u64 = (13 * 3 + 3) * 3;

/// How far apart the positions are that are looked up one by one.
const STEP: usize = 499;

/// A folder with the smallest sector, and its good file.
static GOOD: LazyLock<(TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let (game, path) = (Solvable::STANDARD, folder.path().to_owned());
    let build = Build {
        game,
        folder: path.clone(),
        scope: Scope::UpTo { men: 6, in_hand: 0 },
        distances: Distances::Moving,
        most_memory: None,
    };
    build.run(&Unobserved).expect("the sector is solved");
    let order = DrawOrderKind::Average;
    let draws = DrawBuild { game, folder: path.clone(), most_men: 6, most_in_hand: 0, order };
    draws.run(&Unobserved).expect("its draws are put in order");
    let file = fs::read(sector_path(&path, smallest())).expect("the file is written");
    assert!(
        with_checksums(file.clone(), OF_PAGES | OF_HEADER) == file,
        "its checksums are known here"
    );
    (folder, file)
});

/// The sector.
fn smallest() -> Sector {
    Sector::new(3, 3).expect("a sector")
}

pub fn run(bytes: &[u8]) {
    let (folder, good) = &*GOOD;
    let Some(file) = changed(good, bytes) else { return };
    let path = sector_path(folder.path(), smallest());
    fs::write(&path, file).expect("a file can be written");
    let identity = RuleSet::NINE_MENS_MORRIS.identity();
    let opened = SectorFile::open(&path, smallest(), identity);
    let tablebase = Tablebase::open(folder.path(), Solvable::STANDARD, &mut drop);
    assert_eq!(opened.is_ok(), tablebase.is_ok());
    if let (Ok(file), Ok(tablebase)) = (opened, tablebase) {
        read_everything(&file, &tablebase);
    }
}

/// A good file with the changes of an input.
fn changed(good: &[u8], input: &[u8]) -> Option<Vec<u8>> {
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
    Some(with_checksums(file, *fitting))
}

/// The file with some checksums computed anew.
pub fn with_checksums(mut file: Vec<u8>, which: u8) -> Vec<u8> {
    let (header, pages) = file.split_at_mut(PAGE);
    let identity = header[IDENTITY].try_into().map_or(0, u64::from_le_bytes);
    let words = [identity, PLACE, SectorFile::VERSION].map(u64::to_le_bytes);
    let number = crc32fast::hash(words.as_flattened());
    for (page, number_of_page) in
        pages.chunks_mut(PAGE).zip(0_u64..).filter(|_| which & OF_PAGES != 0)
    {
        let (contents, checksum) = page.split_at_mut(page.len().saturating_sub(CHECKSUM));
        let mut hasher = crc32fast::Hasher::new_with_initial(number);
        hasher.update(&number_of_page.to_le_bytes());
        hasher.update(contents);
        checksum.copy_from_slice(&hasher.finalize().to_le_bytes());
    }
    if which & OF_HEADER != 0 {
        let (contents, checksum) = header.split_at_mut(PAGE - OWN_CHECKSUM);
        checksum.copy_from_slice(&u64::from(crc32fast::hash(contents)).to_le_bytes());
    }
    file
}

/// Reads a file in all ways; once damage is found, nothing more is answered.
fn read_everything(file: &SectorFile, tablebase: &Tablebase) {
    for index in (0..smallest().len()).step_by(STEP) {
        let (wdl, value) = (file.wdl(index), file.value(index));
        assert!(wdl.is_some() || value.is_none(), "a value of a damaged page");
        let (own, opponent) = smallest().position(index);
        let draw = tablebase.draw_value(smallest(), own, opponent);
        let is_draw = tablebase.wdl(smallest(), own, opponent) == Some(Wdl::Draw);
        assert!(is_draw || draw.is_none() || !tablebase.is_usable(), "{draw:?}");
    }
    let is_good = file.check().is_ok();
    assert!(is_good || !file.is_usable(), "damage that was found is forgotten");
    assert!(tablebase.is_usable() || !tablebase.take_damage().is_empty(), "damage is told");
    match file.load() {
        Ok(solved) => assert_eq!(solved.values().len(), smallest().len()),
        Err(_) => {
            assert!(!is_good || !file.is_usable() || file.has_distances(), "nothing is wrong");
        }
    }
}
