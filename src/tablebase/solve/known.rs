//! The solved sectors that others are solved by.

use std::io;
use std::path::Path;
use std::sync::OnceLock;

use super::SolveError;
use super::recent::Recent;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::tablebase::file::{FileError, Flaw, SectorFile};
use crate::tablebase::observer::{SolveObserver, Unobserved};
use crate::tablebase::sector::Sector;
use crate::tablebase::solvable::Solvable;
use crate::tablebase::solved::Solved;
use crate::tablebase::value::{Probe, Value};

/// Opens the file of a sector.
type Open<'a> = dyn Fn(Sector) -> Result<SectorFile, FileError> + Sync + 'a;

/// The sectors of a game that are solved already, and who follows what is solved by them. A file is opened when a value
/// is first needed, and its values are in memory if they are loaded.
pub struct Known<'a> {
    pub(super) game: Solvable,
    open: &'a Open<'a>,
    /// By the place of a sector the number of its slot, or [`NONE`].
    numbers: Vec<u16>,
    slots: Vec<Slot>,
    recent: Vec<Recent>,
    /// Whether distances are wanted: each position of a file has to have its own, and none may be too long.
    pub(super) requires_distances: bool,
    /// What is told of the work and may stop it.
    pub(in crate::tablebase) observer: &'a dyn SolveObserver,
}

/// The number of a sector that the game does not have.
const NONE: u16 = u16::MAX;

struct Slot {
    sector: Sector,
    file: OnceLock<Result<SectorFile, FileError>>,
    loaded: Option<Solved>,
}

impl<'a> Known<'a> {
    /// What is known of a game; `open` opens the file of a sector.
    pub fn new(game: Solvable, open: &'a Open<'a>) -> Self {
        let slot = |sector| Slot { sector, file: OnceLock::new(), loaded: None };
        let slots: Vec<Slot> = game.sectors().into_iter().map(slot).collect();
        let mut numbers = vec![NONE; Sector::PLACES];
        for (slot, number) in slots.iter().zip(0..) {
            numbers[slot.sector.place()] = number;
        }
        Self {
            game,
            open,
            numbers,
            slots,
            recent: Vec::new(),
            requires_distances: false,
            observer: &Unobserved,
        }
    }

    fn slot(&self, sector: Sector) -> Option<&Slot> {
        self.slots.get(usize::from(self.numbers[sector.place()]))
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

    /// Keeps the values of a sector in a folder, besides its file, which takes longer to read.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub(in crate::tablebase) fn keep(
        &mut self,
        solved: &Solved,
        has_distances: bool,
        folder: &Path,
    ) -> io::Result<()> {
        self.recent.push(Recent::new(solved, has_distances, folder)?);
        Ok(())
    }

    /// Whether values of a sector are kept that way, with distances or without.
    pub(in crate::tablebase) fn keeps(&self, sector: Sector, has_distances: bool) -> bool {
        let mut recent = self.recent.iter();
        recent.any(|recent| recent.sector == sector && recent.has_distances == has_distances)
    }

    /// Keeps only some of these values: given a sector and whether its values have distances.
    pub(in crate::tablebase) fn retain(&mut self, is_needed: impl Fn(Sector, bool) -> bool) {
        self.recent.retain(|recent| is_needed(recent.sector, recent.has_distances));
    }

    /// Has some sectors in memory, and no other file open.
    pub(super) fn load(&mut self, sectors: &[Sector]) -> Result<(), SolveError> {
        // Free what is not needed before more is loaded.
        self.close_others(sectors);
        for &sector in sectors {
            if self.loaded(sector).is_none() {
                let values = self.file(sector)?.load()?;
                self.slots[usize::from(self.numbers[sector.place()])].loaded = Some(values);
            }
        }
        Ok(())
    }

    /// Has no file open and no sector in memory.
    pub(in crate::tablebase) fn close(&mut self) {
        self.close_others(&[]);
    }

    fn close_others(&mut self, sectors: &[Sector]) {
        for slot in self.slots.iter_mut().filter(|slot| !sectors.contains(&slot.sector)) {
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
        let mut slots = self.slots.iter();
        let damaged = slots.find_map(|slot| slot.file.get()?.as_ref().ok()?.check().err());
        damaged.map_or(SolveError::Unusable(sector), SolveError::File)
    }
}
