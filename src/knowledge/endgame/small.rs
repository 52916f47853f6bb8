//! Small databases, which programs solve for themselves when they first want them.

use super::build::Build;
use super::file::SectorFile;
use super::folders::cache_folder;
use super::sector::Sector;
use super::tables::Tables;
use crate::rules::RuleSet;

/// The most men of both sides together in small databases.
pub const SMALL_MEN: usize = 7;

impl Build {
    /// Solves what is missing of the small databases, in the user's cache; none if the system names
    /// no folder for that.
    #[must_use]
    pub fn small() -> Option<Self> {
        let folder = cache_folder()?;
        Some(Self { folder, most_men: SMALL_MEN, has_distances: true, most_memory: None })
    }
}

impl Tables {
    /// Opens the small databases of the user's cache; what is damaged is left out, so that it will be
    /// solved again.
    #[must_use]
    pub fn open_small() -> Self {
        let identity = RuleSet::NINE_MENS_MORRIS.identity();
        let folder = cache_folder();
        folder.map(|folder| Self::open(&folder, identity).checked()).unwrap_or_default()
    }

    /// Whether all small databases are there.
    #[must_use]
    pub fn has_small(&self) -> bool {
        let is_there = |sector| self.file(sector).is_some_and(SectorFile::is_usable);
        Sector::all().filter(|sector| sector.men() <= SMALL_MEN).all(is_there)
    }
}
