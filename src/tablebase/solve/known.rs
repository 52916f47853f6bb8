//! The sectors solved before, on which a sector to be solved depends.

use std::sync::OnceLock;

use super::store::Recent;
use super::{SolveError, SolveObserver, Unobserved, check};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::tablebase::file::{FileError, Flaw, SectorFile};
use crate::tablebase::sector::{Sector, Solvable, Solved};
use crate::tablebase::value::{Probe, Value};

/// Opens the file of a sector.
type Open<'a> = dyn Fn(Sector) -> Result<SectorFile, FileError> + Sync + 'a;

/// The solved sectors of a game, and the observer of the work that depends on them. A file is opened when a value is
/// first needed. Its values are in memory only if they have been loaded.
pub struct Known<'a> {
    pub(super) game: Solvable,
    open: &'a Open<'a>,
    /// The sectors of the game by place.
    slots: Vec<Option<Box<Slot>>>,
    /// Recently solved values in temporary files, which are faster to read than sector files.
    pub(in crate::tablebase) recent: Vec<Recent>,
    /// Whether distances are computed, so that files must have them and none may be too long.
    pub(super) requires_distances: bool,
    /// Follows the work and may stop it.
    pub(in crate::tablebase) observer: &'a dyn SolveObserver,
}

struct Slot {
    sector: Sector,
    file: OnceLock<Result<SectorFile, FileError>>,
    loaded: Option<Solved>,
}

impl<'a> Known<'a> {
    /// The sectors of a game. `open` opens the file of a sector.
    pub fn new(game: Solvable, open: &'a Open<'a>) -> Self {
        let mut slots: Vec<_> = (0..Sector::PLACES).map(|_| None).collect();
        for sector in game.sectors() {
            let slot = Slot { sector, file: OnceLock::new(), loaded: None };
            slots[sector.place()] = Some(Box::new(slot));
        }
        Self {
            game,
            open,
            slots,
            recent: Vec::new(),
            requires_distances: false,
            observer: &Unobserved,
        }
    }

    pub(super) fn file(&self, sector: Sector) -> Result<&SectorFile, SolveError> {
        let slot = self.slots[sector.place()].as_ref().ok_or(SolveError::Unusable(sector))?;
        let opened = slot.file.get_or_init(|| (self.open)(sector));
        let file = opened.as_ref().map_err(FileError::clone)?;
        let has_distances = file.has_distances() && !file.leaves_out_wins();
        if self.requires_distances && !has_distances {
            return Err(FileError::new(file.path(), Flaw::NoDistances).into());
        }
        Ok(file)
    }

    /// Reads a block of a sector, by rank. `worth` converts a stored value to its worth for the side that has moved.
    pub(super) fn read<T: Probe, V>(
        &self,
        sector: Sector,
        block: usize,
        worth: impl Fn(T) -> V,
    ) -> Result<Vec<V>, SolveError> {
        let has_enough = |recent: &&Recent| {
            recent.sector == sector && (recent.has_distances || !self.requires_distances)
        };
        // Prefers the smaller file.
        let recent =
            self.recent.iter().filter(has_enough).min_by_key(|recent| recent.has_distances);
        let warn = |error: &_| log::warn!("{sector}: cannot read its temporary file: {error}");
        let kept = recent.and_then(|recent| recent.block(block).inspect_err(warn).ok());
        let stored: Vec<T> = match kept {
            Some(values) => values,
            None => self.file(sector)?.read_block(block)?,
        };
        Ok(stored.into_iter().map(worth).collect())
    }

    /// Loads sectors into memory. Closes the files of all others, and frees their values.
    pub(super) fn load(&mut self, sectors: &[Sector]) -> Result<(), SolveError> {
        // Frees memory before more is loaded.
        self.close_others(sectors);
        for &sector in sectors {
            if self.loaded(sector).is_none() {
                let observer = self.observer;
                let values =
                    self.file(sector)?.load_unless(|| check(observer).map_err(SolveError::from))?;
                if let Some(slot) = &mut self.slots[sector.place()] {
                    slot.loaded = Some(values);
                }
            }
        }
        Ok(())
    }

    /// Closes all files, and frees all sectors in memory.
    pub(in crate::tablebase) fn close(&mut self) {
        self.close_others(&[]);
    }

    fn close_others(&mut self, sectors: &[Sector]) {
        let slots = self.slots.iter_mut().flatten();
        for slot in slots.filter(|slot| !sectors.contains(&slot.sector)) {
            (slot.file, slot.loaded) = (OnceLock::new(), None);
        }
    }

    /// The values of a sector if they are in memory.
    fn loaded(&self, sector: Sector) -> Option<&Solved> {
        self.slots[sector.place()].as_ref()?.loaded.as_ref()
    }

    /// Returns the value of a position without a pending removal, for the side to move: from memory if its sector is
    /// loaded, else from its file, unless `only_loaded`.
    pub(super) fn value(&self, position: &Position<RuleSet>, only_loaded: bool) -> Option<Value> {
        let sector = self.game.sector_of(position)?;
        let index = sector.index_of(position.own_men(), position.opponent_men());
        match self.loaded(sector) {
            Some(solved) => Some(solved.values()[index]),
            None if only_loaded => None,
            None => self.file(sector).ok()?.read_value(index).ok(),
        }
    }

    /// Returns the reason why a value that a sector needs is not available.
    pub(super) fn error(&self, sector: Sector) -> SolveError {
        let mut slots = self.slots.iter().flatten();
        let damaged = slots.find_map(|slot| slot.file.get()?.as_ref().ok()?.check().err());
        let mut needs = self.game.needs(&self.game.group(sector)).into_iter();
        let missing = || needs.find_map(|needed| self.file(needed).err());
        damaged.map(SolveError::File).or_else(missing).unwrap_or(SolveError::Unusable(sector))
    }
}
