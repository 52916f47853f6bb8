//! Putting the draws of a tablebase in order: solving the files of draws that a folder lacks.
//!
//! They follow from the sector files, which must be there, and lie beside them: those of the moving phase in
//! the order of men, then those with men in hand, from the last placements to the first.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::build::lock_folder;
use super::build_error::BuildError;
use super::draw_value::{DrawOrder, DrawOrderKind};
use super::file::{DrawFile, FileError, write_draws};
use super::folder::{Tablebase, draws_path, sector_path};
use super::observer::SolveObserver;
use super::sector::Sector;
use super::solvable::Solvable;
use super::solve::SolveError;
use super::solve::draws::{self, KnownDraws, can_be_ordered, solve_draws};
use crate::system::whole_file;

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

    /// A file that cannot be used was renamed to `name`; its draws are solved again.
    fn set_aside(&self, _error: &FileError, _name: &Path) {}

    /// The draws of a sector were solved and their file written.
    fn finish_draws(&self, _file: &DrawFile) {}
}

impl DrawBuildObserver for super::observer::Unobserved {}

impl DrawBuild {
    /// Solves what is missing and writes it. Files of draws that cannot be used are set aside; those that were
    /// solved by another order are replaced.
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
        let opened = Tablebase::open(&self.folder, self.game, &mut |error| unusable.push(error));
        let tablebase =
            opened.map_err(|error| unusable.pop().map_or(error.into(), BuildError::File))?;
        let statistics = |sector| tablebase.file(sector).map(|file| *file.statistics());
        let order = DrawOrder::new(&self.game, self.order, statistics);
        let wanted = |sector: &Sector| {
            sector.men_in_all() <= self.most_men && sector.men_in_hand() <= self.most_in_hand
        };
        let sectors: Vec<Sector> = self.game.sectors().into_iter().filter(wanted).collect();
        let mut files = HashMap::new();
        for &sector in &sectors {
            if let Some(file) = self.find(sector, observer)? {
                files.insert(sector, file);
            }
        }
        let missing: Vec<Sector> =
            sectors.into_iter().filter(|sector| !files.contains_key(sector)).collect();
        let memory = missing.iter().map(|&sector| draws::memory(&self.game, sector)).max();
        observer.start(&missing, memory.unwrap_or_default());
        for sector in missing {
            if !files.contains_key(&sector) {
                let group = self.solve(sector, &tablebase, &order, &files, observer);
                let group = group.map_err(|error| self.name_damage(error, &mut unusable))?;
                files.extend(group.into_iter().map(|file| (file.sector(), file)));
            }
        }
        Ok(())
    }

    /// Solves the draws of a sector and that of the replies, and writes them.
    fn solve(
        &self,
        sector: Sector,
        tablebase: &Tablebase,
        order: &DrawOrder,
        files: &HashMap<Sector, DrawFile>,
        observer: &dyn DrawBuildObserver,
    ) -> Result<Vec<DrawFile>, BuildError> {
        let file = |sector| tablebase.file(sector).ok_or(SolveError::Unusable(sector));
        let of_sector = |sector| files.get(&sector).ok_or(SolveError::Unusable(sector));
        let load = |sector| Ok(of_sector(sector)?.load(file(sector)?, order)?);
        let ranks = |sector| Ok(of_sector(sector)?.ranks(file(sector)?, order));
        let source =
            KnownDraws { game: &self.game, order, file: &file, load: &load, ranks: &ranks };
        let solved = solve_draws(&source, sector, observer).map_err(|error| self.explain(error))?;
        let written = solved.into_iter().map(|solved| {
            let path = draws_path(&self.folder, solved.sector);
            let identity = self.game.rules().identity();
            write_draws(&path, &solved, order, identity)
                .map_err(|error| BuildError::io(&path, error))?;
            let file = DrawFile::open(&path, solved.sector, identity)?;
            observer.finish_draws(&file);
            Ok(file)
        });
        written.collect()
    }

    /// The file of the draws of a sector, if there is one that can be used; one that cannot is set aside.
    fn find(
        &self,
        sector: Sector,
        observer: &dyn DrawBuildObserver,
    ) -> Result<Option<DrawFile>, BuildError> {
        let path = draws_path(&self.folder, sector);
        let opened = DrawFile::open(&path, sector, self.game.rules().identity());
        let checked = opened.and_then(|file| file.check().map(|()| file));
        match checked {
            Ok(file) => Ok((file.order_kind() == self.order).then_some(file)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) if error.may_be_set_aside() => {
                let name = whole_file::set_aside(&path);
                let name = name.map_err(|error| BuildError::io(&path, error))?;
                observer.set_aside(&error, &name);
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
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
