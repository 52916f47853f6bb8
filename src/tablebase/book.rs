//! The opening book: the wins, draws and losses of the first plies, which the program has in itself.
//!
//! `book.bin` is what `millstone db book` writes. It is read where it lies, without a copy.

use std::fmt;
use std::io;
use std::sync::{Arc, LazyLock};

use super::file::{FileError, SectorFile, to_ship};
use super::folder::Tablebase;
use super::sector::Sector;
use super::solvable::Solvable;

/// The most men that a position of the book has seen placed, so that it judges the moves before that.
pub const BOOK_PLIES: usize = 8;

/// The book as a tablebase of Nine Men's Morris.
#[must_use]
pub fn book() -> &'static Arc<Tablebase> {
    static BOOK: LazyLock<Arc<Tablebase>> = LazyLock::new(|| {
        let bytes = include_bytes!("book.bin");
        let files = SectorFile::shipped(bytes, Solvable::STANDARD.rules().identity());
        let files = files.unwrap_or_else(|error| {
            log::error!("{error}");
            Vec::new()
        });
        Arc::new(Tablebase::of(Solvable::STANDARD, files))
    });
    &BOOK
}

/// Why there is no book.
#[derive(Debug)]
pub enum BookError {
    /// The tablebase lacks a sector.
    Missing(Sector),
    /// A file is damaged.
    Damaged(FileError),
    /// There is no room for it.
    Io(io::Error),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(sector) => write!(f, "the sector {sector} is missing"),
            Self::Damaged(error) => error.fmt(f),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BookError {}

/// The bytes of the book, made from a tablebase.
///
/// # Errors
///
/// When the tablebase lacks a sector of the first [`BOOK_PLIES`] plies, or its file is damaged.
pub fn write_book(tablebase: &Tablebase) -> Result<Vec<u8>, BookError> {
    let game = Solvable::STANDARD;
    let mut sectors = game.placing();
    sectors.retain(|sector| game.men() - sector.men_in_hand() <= BOOK_PLIES);
    let mut bytes = Vec::new();
    for sector in sectors {
        let file = tablebase.file(sector).ok_or(BookError::Missing(sector))?;
        let solved = file.load().map_err(BookError::Damaged)?;
        bytes.extend(to_ship(&solved, game.rules().identity()).map_err(BookError::Io)?);
    }
    Ok(bytes)
}
