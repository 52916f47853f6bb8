//! Putting the draws of a tablebase in order: solving where draws come to rest, which the files of a folder lack.
//!
//! It follows from the sector files, and is added to them: to those of the moving phase in the order of men, then to
//! those with men in hand, from the last placements to the first.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::build::lock_folder;
use super::build_error::BuildError;
use super::draw_value::{DrawOrder, DrawOrderKind};
use super::file::{FileError, SectorFile, add_draws};
use super::files::open_files;
use super::folder::sector_path;
use super::observer::SolveObserver;
use super::sector::Sector;
use super::solvable::Solvable;
use super::solve::SolveError;
use super::solve::draws::{self, KnownDraws, can_be_ordered, solve_draws};

/// Which draws to put in order, and where.
#[derive(Clone, Debug)]
pub struct DrawBuild {
    /// The game.
    pub game: Solvable,
    /// The folder of the sector files.
    pub folder: PathBuf,
    /// The most men of both sides together, on the board and in hand, of the sectors to solve.
    pub most_men: usize,
    /// The most men in hand of both sides together; 0 leaves out the placing phase.
    pub most_in_hand: usize,
    /// Which sectors a side prefers.
    pub order: DrawOrderKind,
}

/// Follows putting draws in order.
pub trait DrawBuildObserver: SolveObserver {
    /// The sectors to solve, and the most bytes of memory that one takes.
    fn start(&self, _sectors: &[Sector], _memory: u64) {}

    /// The draws of a sector were solved and added to its file.
    fn finish_draws(&self, _file: &SectorFile) {}
}

/// The sector files of a folder.
type Files = HashMap<Sector, SectorFile>;

impl DrawBuildObserver for super::observer::Unobserved {}

impl DrawBuild {
    /// Solves what is missing and writes it; draws that were solved by another order are replaced.
    ///
    /// # Errors
    ///
    /// When the rules are not simple enough, a sector file is missing or damaged, another build is running in
    /// the folder, the system refuses to read or write, or the observer stops it.
    pub fn run(&self, observer: &dyn DrawBuildObserver) -> Result<(), BuildError> {
        if !can_be_ordered(&self.game) {
            return Err(BuildError::Unordered);
        }
        let _lock = lock_folder(&self.folder)?;
        let mut unusable = Vec::new();
        let mut files = self.open(&mut unusable);
        let statistics = |sector| files.get(&sector).map(|file| *file.statistics());
        let order = DrawOrder::new(&self.game, self.order, statistics);
        let is_wanted = |sector: &Sector| {
            sector.men_in_all() <= self.most_men && sector.men_in_hand() <= self.most_in_hand
        };
        let is_ordered = |files: &Files, sector| {
            files.get(&sector).and_then(SectorFile::draw_order_kind) == Some(self.order)
        };
        let mut missing: Vec<Sector> = self.game.sectors().into_iter().filter(is_wanted).collect();
        missing.retain(|&sector| !is_ordered(&files, sector));
        let memory = missing.iter().map(|&sector| draws::memory(&self.game, sector)).max();
        observer.start(&missing, memory.unwrap_or_default());
        for sector in missing {
            if !is_ordered(&files, sector) {
                let solved = self.solve(sector, &mut files, &order, observer);
                solved.map_err(|error| self.name_damage(error, &mut unusable))?;
            }
        }
        Ok(())
    }

    /// Opens the files of all sectors, and collects what is wrong with those that cannot be used.
    fn open(&self, unusable: &mut Vec<FileError>) -> Files {
        let sectors = self.game.sectors().into_iter();
        let paths: Vec<_> =
            sectors.map(|sector| (sector, sector_path(&self.folder, sector))).collect();
        let identity = self.game.rules().identity();
        let open = |path: &Path, sector| SectorFile::open(path, sector, identity);
        let files = open_files(&paths, open, &mut |error| unusable.push(error));
        files.into_iter().map(|file| (file.sector(), file)).collect()
    }

    /// Solves the draws of a sector and that of the replies, and writes their files anew.
    fn solve(
        &self,
        sector: Sector,
        files: &mut Files,
        order: &DrawOrder,
        observer: &dyn DrawBuildObserver,
    ) -> Result<(), BuildError> {
        let source = KnownDraws { game: &self.game, order, files };
        let solved = solve_draws(&source, sector, observer).map_err(|error| self.explain(error))?;
        for solved in solved {
            let sector = solved.sector;
            let file = files.remove(&sector).ok_or(BuildError::NoSector(sector))?;
            let path = file.path().to_owned();
            add_draws(file, &solved, order)?;
            let file = SectorFile::open(&path, sector, self.game.rules().identity())?;
            observer.finish_draws(&file);
            files.insert(sector, file);
        }
        Ok(())
    }

    /// Why the build ends when the draws of a sector are not solved.
    fn explain(&self, error: SolveError) -> BuildError {
        match error {
            SolveError::Stopped(_) => BuildError::Stopped,
            SolveError::File(error) => BuildError::File(error),
            SolveError::Scratch(error) => BuildError::io(&self.folder, error),
            SolveError::Unusable(sector) | SolveError::TooLong(sector) => {
                BuildError::NoSector(sector)
            }
        }
    }

    /// The damage of the file of a sector that is missed, if it is there and could not be used.
    fn name_damage(&self, error: BuildError, unusable: &mut Vec<FileError>) -> BuildError {
        let BuildError::NoSector(sector) = error else { return error };
        let path = sector_path(&self.folder, sector);
        let found = unusable.iter().position(|error| error.path() == path);
        found.map_or(error, |found| BuildError::File(unusable.swap_remove(found)))
    }
}
