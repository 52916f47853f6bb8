//! The opening book: the wins, draws and losses of the first plies.
//!
//! That of Nine Men's Morris is in the program: `book.bin` is what `millstone db book` writes, and is read where
//! it lies, without a copy. Those of other games are sector files in the user's cache.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use super::build_folder::{BuildError, make_folder};
use super::file::{self, FileError, Kept, SHIPPED, SectorFile, to_ship};
use super::folder::{Tablebase, cache_folder, open_sector, sector_path};
use super::sector::{Sector, Solvable};

/// The most men that a position of the book has seen placed, so that it judges the moves before that.
pub const BOOK_PLIES: usize = 8;

/// The book in the program as a tablebase of Nine Men's Morris.
pub fn book() -> &'static Arc<Tablebase> {
    static BOOK: LazyLock<Arc<Tablebase>> = LazyLock::new(|| {
        let book = Tablebase::from_book(include_bytes!("book.bin"));
        Arc::new(book.unwrap_or_else(|error| {
            log::error!("{error}");
            Tablebase::default()
        }))
    });
    &BOOK
}

/// The folder of the book of a game, in the user's cache.
pub fn book_folder(game: &Solvable) -> Option<PathBuf> {
    Some(cache_folder(game)?.join("book"))
}

impl Tablebase {
    /// A book of Nine Men's Morris.
    ///
    /// * `bytes`: as [`write_book`] makes them.
    ///
    /// # Errors
    ///
    /// When the bytes are others.
    pub fn from_book(bytes: &'static [u8]) -> Result<Self, FileError> {
        let game = Solvable::STANDARD;
        Ok(Self::of(game, SectorFile::shipped(bytes, game.rules().identity())?))
    }

    /// Whether the values of a sector come from the opening book.
    pub fn is_from_book(&self, sector: Sector) -> bool {
        let is_of_book = |path: &Path| {
            path == Path::new(SHIPPED) && sector.is_placing()
                || book_folder(self.game()).is_some_and(|folder| path.starts_with(folder))
        };
        self.source(sector, false).is_some_and(is_of_book)
    }
}

/// The book of a game, or `None` if it is neither in the program nor in the user's cache.
pub(super) fn book_of(game: Solvable, report: &mut dyn FnMut(FileError)) -> Option<Arc<Tablebase>> {
    if game == Solvable::STANDARD {
        return Some(Arc::clone(book()));
    }
    Tablebase::open(&book_folder(&game)?, game, report).ok().map(Arc::new)
}

/// The bytes of the book in the program, made from a tablebase of Nine Men's Morris.
///
/// # Errors
///
/// When the tablebase lacks a sector of the first [`BOOK_PLIES`] plies, or its file is damaged.
pub fn write_book(tablebase: &Tablebase) -> Result<Vec<u8>, BuildError> {
    let mut bytes = Vec::new();
    let identity = tablebase.game().rules().identity();
    for file in files_of_book(tablebase)? {
        bytes.extend(to_ship(&file.load()?, identity, Kept::Wdl)?);
    }
    Ok(bytes)
}

/// Writes the book of any game to a folder, made from a tablebase. Returns its size in bytes.
///
/// # Errors
///
/// When the tablebase lacks a sector of the first [`BOOK_PLIES`] plies, its file is damaged, or the system
/// refuses to write.
pub fn write_book_files(tablebase: &Tablebase, folder: &Path) -> Result<u64, BuildError> {
    let (files, game) = (files_of_book(tablebase)?, tablebase.game());
    make_folder(folder)?;
    let mut bytes = 0;
    for file in files {
        let path = sector_path(folder, file.sector());
        file::write(&path, &file.load()?, game.rules().identity(), Kept::Wdl)?;
        bytes += open_sector(folder, game, file.sector())?.bytes() as u64;
    }
    Ok(bytes)
}

/// The files of the sectors of the first plies.
fn files_of_book(tablebase: &Tablebase) -> Result<Vec<&SectorFile>, BuildError> {
    let game = tablebase.game();
    let sectors = game.placing().into_iter();
    let sectors = sectors.filter(|sector| game.men() - sector.men_in_hand() <= BOOK_PLIES);
    let missing = |sector| BuildError::Refused(format!("the tablebase lacks the sector {sector}"));
    let file = |sector| tablebase.file(sector).ok_or_else(|| missing(sector));
    sectors.map(file).collect()
}
