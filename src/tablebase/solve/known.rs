//! The solved sectors that others are solved by.

use std::sync::OnceLock;

use super::store::Recent;
use super::{SolveError, SolveObserver, Unobserved};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::tablebase::file::{FileError, Flaw, SectorFile};
use crate::tablebase::sector::{Sector, Solvable, Solved};
use crate::tablebase::value::{Probe, Value};

/// Opens the file of a sector.
type Open<'a> = dyn Fn(Sector) -> Result<SectorFile, FileError> + Sync + 'a;

/// The sectors of a game that are solved already, and who follows what is solved by them. A file is opened when a value
/// is first needed, and its values are in memory if they are loaded.
pub struct Known<'a> {
    pub(super) game: Solvable,
    open: &'a Open<'a>,
    /// By the places of the sectors of the game.
    slots: Vec<Option<Box<Slot>>>,
    /// The values of sectors that are kept besides their files, which take longer to read.
    pub(in crate::tablebase) recent: Vec<Recent>,
    /// Whether distances are wanted: each position of a file has to have its own, and none may be too long.
    pub(super) requires_distances: bool,
    /// What is told of the work and may stop it.
    pub(in crate::tablebase) observer: &'a dyn SolveObserver,
}

struct Slot {
    sector: Sector,
    file: OnceLock<Result<SectorFile, FileError>>,
    loaded: Option<Solved>,
}

impl<'a> Known<'a> {
    /// What is known of a game; `open` opens the file of a sector.
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

    fn slot(&self, sector: Sector) -> Option<&Slot> {
        self.slots[sector.place()].as_deref()
    }

    /// The file of a sector.
    pub(super) fn file(&self, sector: Sector) -> Result<&SectorFile, SolveError> {
        let slot = self.slot(sector).ok_or(SolveError::Unusable(sector))?;
        let opened = slot.file.get_or_init(|| (self.open)(sector));
        let file = opened.as_ref().map_err(|_| SolveError::Unusable(sector))?;
        let has_distances = file.has_distances() && !file.leaves_out_wins();
        if self.requires_distances && !has_distances {
            return Err(FileError::new(file.path(), Flaw::NoDistances).into());
        }
        Ok(file)
    }

    /// What the positions of a block of a sector are worth to the side that has moved to them, by rank, given what is
    /// stored of one.
    pub(super) fn read<T: Probe, V>(
        &self,
        sector: Sector,
        block: usize,
        worth: impl Fn(T) -> V,
    ) -> Result<Vec<V>, SolveError> {
        let has_enough = |recent: &&Recent| {
            recent.sector == sector && (recent.has_distances || !self.requires_distances)
        };
        // Of two the smaller one.
        let recent =
            self.recent.iter().filter(has_enough).min_by_key(|recent| recent.has_distances);
        let stored: Vec<T> = match recent.map(|recent| recent.block(block)) {
            Some(Ok(values)) => values,
            kept => {
                if let Some(Err(error)) = kept {
                    log::warn!("{sector}: values that were kept cannot be read: {error}");
                }
                self.file(sector)?.read_block(block)?
            }
        };
        Ok(stored.into_iter().map(worth).collect())
    }

    /// Has some sectors in memory, and no other file open.
    pub(super) fn load(&mut self, sectors: &[Sector]) -> Result<(), SolveError> {
        // Free what is not needed before more is loaded.
        self.close_others(sectors);
        for &sector in sectors {
            if self.loaded(sector).is_none() {
                let values = self.file(sector)?.load()?;
                if let Some(slot) = &mut self.slots[sector.place()] {
                    slot.loaded = Some(values);
                }
            }
        }
        Ok(())
    }

    /// Has no file open and no sector in memory.
    pub(in crate::tablebase) fn close(&mut self) {
        self.close_others(&[]);
    }

    fn close_others(&mut self, sectors: &[Sector]) {
        let slots = self.slots.iter_mut().flatten();
        for slot in slots.filter(|slot| !sectors.contains(&slot.sector)) {
            (slot.file, slot.loaded) = (OnceLock::new(), None);
        }
    }

    /// A sector that was loaded.
    fn loaded(&self, sector: Sector) -> Option<&Solved> {
        self.slot(sector)?.loaded.as_ref()
    }

    /// The value of a position in which no removal is owed, for the side to move, if its sector is loaded, or else from
    /// its file unless only what is loaded counts.
    #[inline]
    pub(super) fn value(&self, position: &Position<RuleSet>, only_loaded: bool) -> Option<Value> {
        let sector = self.game.sector_of(position)?;
        let index = sector.index_of(position.own_men(), position.opponent_men());
        match self.loaded(sector) {
            Some(solved) => Some(solved.values()[index]),
            None if only_loaded => None,
            None => self.file(sector).ok()?.read_value(index).ok(),
        }
    }

    /// Why a value was not known that a sector needs.
    pub(super) fn error(&self, sector: Sector) -> SolveError {
        let mut slots = self.slots.iter().flatten();
        let damaged = slots.find_map(|slot| slot.file.get()?.as_ref().ok()?.check().err());
        damaged.map_or(SolveError::Unusable(sector), SolveError::File)
    }
}
