//! The sectors that tests solve, and what can happen to their files.

use std::fs::{self, File};
use std::path::Path;

use crate::tablebases::open;
use millstone::tablebase::{Sector, Solvable, Tablebase, sector_path};
use tempfile::TempDir;

/// The sectors up to a number of men.
pub fn sectors(most_men: usize) -> Vec<Sector> {
    Solvable::STANDARD.moving().into_iter().filter(|sector| sector.men() <= most_men).collect()
}

/// A folder with the files of another, one of which has a bit flipped in the byte that `place` finds
/// by its length.
pub fn with_damage(good: &Path, sector: Sector, place: impl Fn(usize) -> usize) -> TempDir {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    for file in open(good).files() {
        let mut bytes = fs::read(file.path()).expect("the file is there");
        if file.sector() == sector {
            let place = place(bytes.len());
            bytes[place] ^= 4;
        }
        fs::write(sector_path(folder.path(), file.sector()), bytes).expect("files can be written");
    }
    folder
}

/// A folder with the files of some sectors of a tablebase.
pub fn copied(tablebase: &Tablebase, is_wanted: impl Fn(Sector) -> bool) -> TempDir {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    for file in tablebase.files().filter(|file| is_wanted(file.sector())) {
        fs::copy(file.path(), sector_path(folder.path(), file.sector()))
            .expect("files can be copied");
    }
    folder
}

/// Asks the system to drop a file from its memory.
pub fn forget(path: &Path) {
    let file = File::open(path).expect("the file is there");
    file.sync_all().expect("the disk is there");
    #[cfg(target_os = "linux")]
    {
        use nix::fcntl::{PosixFadviseAdvice::POSIX_FADV_DONTNEED, posix_fadvise};
        posix_fadvise(&file, 0, 0, POSIX_FADV_DONTNEED).expect("a plain file");
    }
}
