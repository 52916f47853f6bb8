//! A compact tablebase, which leaves out what a probe finds by looking at moves.
//!
//! A sector whose quiet moves all lead to stored sectors has no file: in the moving phase the one of each pair in
//! which the side to move has fewer men, and every second ply of placing. In the largest stored ply, with two men in
//! hand, the sectors in which the side to move has fewer men on the board have a lower bound of each value, which is
//! the value itself unless a conversion reaches it; a probe looks the conversions up. Bounds in more sectors would
//! save a tenth of the tablebase, and bounds in more plies a fifth, but take many more look-ups of conversions: half
//! as many positions again would take more than a tenth of a millisecond, and the slowest one a second.
//!
//! See: Ronald de Man, Syzygy tablebases, 2013, which store arbitrary values for positions with winning captures.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;

use super::build::{Build, BuildObserver};
use super::build_folder::{
    INDEX, LOCK, Result, check_disk, check_memory, explain, is_compact_folder, lock_folder,
    make_folder, set_aside,
};
use super::file::{self, FileError, Kept, SectorFile};
use super::folder::{if_there, open_sector, sector_path};
use super::sector::{Sector, Solvable};
use super::solve::{Known, check, conversions, has_conversions};
use crate::system::whole_file;

/// Returns the sector that the quiet moves of a sector lead to, or `None` if a compact tablebase has a file of the
/// sector itself.
pub fn answers(game: &Solvable, sector: Sector) -> Option<Sector> {
    // Where a turn may pass, positions without a file may lead to each other in a cycle.
    if game.rules().may_move_in_placing || !game.ends_if_blocked() {
        None
    } else if sector.is_placing() {
        game.after(sector, 1, 0).filter(|_| sector.men_in_hand() % 2 == 1)
    } else {
        (sector.own() < sector.opponent()).then(|| sector.reply())
    }
}

/// Whether a compact tablebase stores lower bounds of the values of a sector.
fn is_quiet(game: &Solvable, sector: Sector) -> bool {
    sector.men_in_hand() == 2 && sector.own() < sector.opponent() && has_conversions(game, sector)
}

/// The most memory that two sectors may take together, in bytes: as much as the largest one of a whole tablebase.
const MOST_MEMORY: u64 = 2_500_000_000;

/// Makes a compact tablebase from a whole one.
pub struct Compact<'a> {
    /// The game.
    pub game: Solvable,
    /// The folder of the whole tablebase, with a file for every sector.
    pub from: &'a Path,
    /// The folder of the compact tablebase. Existing sectors are not written again.
    pub to: &'a Path,
}

impl Compact<'_> {
    /// Returns the sectors whose files are missing. Reads existing files, and sets damaged ones aside.
    fn missing(&self, observer: &dyn BuildObserver) -> Result<Vec<Sector>> {
        let mut missing = Vec::new();
        for sector in self.game.sectors() {
            check(observer)?;
            let is_kept = answers(&self.game, sector).is_none();
            let opened = self.open(self.to, sector).and_then(|file| file.check().map(|()| file));
            let is_right = |file: &SectorFile| {
                is_kept && file.is_quiet() == is_quiet(&self.game, sector) && !file.has_distances()
            };
            match opened {
                Ok(file) if is_right(&file) => {}
                Ok(file) => {
                    let message = "not part of a compact tablebase; choose another folder";
                    return Err(FileError::unfit(file.path(), message).into());
                }
                Err(error) => {
                    if !error.is_missing() {
                        set_aside(self.to, error, observer)?;
                    }
                    missing.extend(is_kept.then_some(sector));
                }
            }
        }
        Ok(missing)
    }

    /// Writes missing sectors and the list of all files. Returns the number of sectors written.
    ///
    /// * `whole`: the build of the whole tablebase, which runs if anything is missing; its files are removed at the
    ///   end.
    ///
    /// # Errors
    ///
    /// When the whole tablebase lacks a sector or is damaged, the folder has a file that no compact tablebase has,
    /// memory or disk do not suffice, another build is running there, the system refuses to read or write, or the
    /// observer stops it.
    pub fn run(&self, whole: Option<&Build>, observer: &dyn BuildObserver) -> Result<usize> {
        if whole.is_none() && !self.to.exists() {
            self.check_whole(&self.game.sectors())?;
        }
        make_folder(self.to)?;
        let _lock = lock_folder(self.to)?;
        let missing = self.missing(observer)?;
        let most_memory = whole.and_then(|whole| whole.most_memory);
        for &sector in &missing {
            let way_out = "; a build without --compact needs less";
            check_memory(sector, self.memory_of(sector), most_memory, way_out)?;
        }
        if whole.is_none() {
            self.check_whole(&missing)?;
        }
        if !is_compact_folder(self.to) {
            // From now on only the compact tablebase is built there.
            self.write_list("")?;
        }
        if let Some(whole) = whole.filter(|_| !missing.is_empty()) {
            whole.run(observer)?;
        }
        check_disk(self.to, self.check_whole(&missing)?)?;
        observer.start_compact(self.to, &missing);
        // A model is trained on one thread, so two are written at a time if memory suffices.
        for two in missing.chunks(2) {
            let needed: u64 = two.iter().map(|&sector| self.memory_of(sector)).sum();
            let at_a_time = if needed <= most_memory.unwrap_or(MOST_MEMORY) { 2 } else { 1 };
            for now in two.chunks(at_a_time) {
                check(observer)?;
                now.par_iter().try_for_each(|&sector| self.write(sector, observer))?;
                for &sector in now {
                    observer.finish_sector(&self.open(self.to, sector)?);
                }
            }
        }
        self.write_index()?;
        if whole.is_some() && self.from.exists() {
            self.remove_whole()?;
        }
        Ok(missing.len())
    }

    /// Checks that the whole tablebase is complete, if any sector is missing. Returns the most bytes that the missing
    /// sectors will take.
    fn check_whole(&self, missing: &[Sector]) -> Result<u64> {
        let mut bytes = 0;
        for sector in self.game.sectors().into_iter().filter(|_| !missing.is_empty()) {
            let Some(file) = if_there(self.open(self.from, sector))? else {
                let message = format!("lacks the sector {sector}; millstone db build makes it");
                return Err(FileError::unfit(self.from, message).into());
            };
            if missing.contains(&sector) {
                bytes += file.bytes_without_distances() as u64;
            }
        }
        Ok(bytes)
    }

    /// The memory in bytes that writing a sector takes: with lower bounds, its values and its conversions.
    fn memory_of(&self, sector: Sector) -> u64 {
        if is_quiet(&self.game, sector) { 2 * sector.len() as u64 } else { 0 }
    }

    fn open(&self, folder: &Path, sector: Sector) -> Result<SectorFile, FileError> {
        open_sector(folder, &self.game, sector)
    }

    fn write(&self, sector: Sector, observer: &dyn BuildObserver) -> Result {
        let open = |sector| self.open(self.from, sector);
        let path = sector_path(self.to, sector);
        if is_quiet(&self.game, sector) {
            let mut known = Known::new(self.game, &open);
            known.observer = observer;
            let conversions = conversions(sector, &known);
            let conversions = conversions.map_err(|error| explain(error, &self.game, self.from))?;
            let kept = Kept::Quiet(&conversions);
            file::write(&path, &open(sector)?.load()?, self.game.rules().identity(), kept)?;
        } else {
            file::write_wdl_of(&path, open(sector)?)?;
            observer.advance(sector.len() as u64);
        }
        Ok(())
    }

    /// Writes the list of files, with the size in bytes and the CRC-32 of each.
    fn write_index(&self) -> Result {
        let line = |sector| {
            let path = sector_path(self.to, sector);
            let bytes = fs::read(&path).map_err(|error| FileError::new(&path, error))?;
            let checksum = crc32fast::hash(&bytes);
            Ok::<_, FileError>(format!("{sector}.mill {} {checksum:08x}\n", bytes.len()))
        };
        let sectors = self.game.sectors().into_iter();
        let kept = sectors.filter(|&sector| answers(&self.game, sector).is_none());
        self.write_list(&kept.map(line).collect::<Result<String, _>>()?)
    }

    fn write_list(&self, lines: &str) -> Result {
        let path = self.to.join(INDEX);
        let written = whole_file::write(&path, |mut file| file.write_all(lines.as_bytes()));
        written.map_err(|error| FileError::new(&path, error).into())
    }

    /// Removes the files of the whole tablebase, and its folder unless it contains anything else.
    fn remove_whole(&self) -> Result {
        let is_done = |removed: io::Result<()>| match removed.map_err(|error| error.kind()) {
            Ok(()) | Err(io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty) => Ok(()),
            Err(error) => Err(FileError::new(self.from, io::Error::from(error)).into()),
        };
        let lock = lock_folder(self.from)?;
        for sector in self.game.sectors() {
            is_done(fs::remove_file(sector_path(self.from, sector)))?;
        }
        drop(lock);
        is_done(fs::remove_file(self.from.join(LOCK)))?;
        is_done(fs::remove_dir(self.from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;
    use crate::tablebase::{Distances, Scope, Unobserved};

    #[test]
    fn the_disk_suffices_and_what_a_killed_build_left_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["whole.part", "compact"].map(|name| folder.path().join(name));
        let game = Solvable::of(&RuleSet { men: 3, ..RuleSet::default() }).unwrap();
        let build = Build {
            game,
            folder: from.clone(),
            scope: Scope::UpTo { men: 6, in_hand: 6 },
            distances: Distances::None,
            most_memory: None,
        };
        build.run(&Unobserved).unwrap();
        let compact = Compact { game, from: &from, to: &to };
        let missing = compact.missing(&Unobserved).unwrap();
        let needed = compact.check_whole(&missing).unwrap();
        compact.run(None, &Unobserved).unwrap();
        let lengths = missing.iter().map(|&sector| sector_path(&to, sector).metadata());
        assert_eq!(needed, lengths.map(|found| found.unwrap().len()).sum::<u64>());
        fs::write(from.join("3-3.mill.part-0123456789ab"), "half").unwrap();
        compact.run(Some(&build), &Unobserved).unwrap();
        assert!(!from.exists());
    }
}
