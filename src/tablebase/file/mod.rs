//! One file a sector: wins, draws and losses, and distances, in small packed chunks that are read on their own.
//!
//! The [tablebase](super) says how a file is laid out. Every page is checked when it is first read, so
//! that opening a file reads little of it, and no value ever comes from a damaged page.
//!
//! ```text
//! arithmetic   strings of bits from decisions of known probabilities
//! model        what a position is probably worth, and positions that follow one another
//! train        learning that from a part of the sector
//! wdl          wins, draws and losses, coded by a model
//! huffman      prefix codes that depend on the symbols before
//! chunks       packed positions, each chunk read on its own; columns of them: distances, and where draws come to
//!              rest, coded by the symbols before
//! header       the first page, and where the parts of a file lie
//! pages        the bytes of a file, here or elsewhere, checked page by page
//! map          the file in memory, which may be cut short
//! read         an open file, single values of it, and many that follow one another; where its draws come to rest
//! write        writing a solved sector
//! ```
//!
//! # Adding a column
//!
//! 1. `chunks.rs`: its number and how it is coded; `header.rs`: its bytes in the header, and another version; the
//!    format in `tablebase/mod.rs`.
//! 2. `write.rs` writes it and says what keeps it when a file is written anew, `read.rs` reads it.
//! 3. `probe.rs` of the tablebase: who asks for it. `verify` checks it, `db info` and `db verify` name it.
//! 4. The fuzz target `tests/fuzz/targets/database.rs`, which reads all.

mod arithmetic;
mod chunks;
mod header;
mod huffman;
mod map;
mod model;
mod pages;
mod read;
mod train;
mod wdl;
mod write;

pub use pages::Remote;
pub(super) use read::SHIPPED;
pub use read::SectorFile;
pub use write::{
    Kept, add_distances, add_draws, to_ship, write, write_new, write_wdl_of, write_wins,
};

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::rules::Identity;

/// A sector file that cannot be used, and why, in one line.
#[derive(Debug, Error)]
#[error("{}: {flaw}", path.display())]
pub struct FileError {
    path: PathBuf,
    #[source]
    flaw: Flaw,
}

/// Why a file cannot be used.
#[derive(Debug, Error)]
pub enum Flaw {
    /// The system refused to read or write it.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It belongs to another game, of this identity.
    #[error("solved for another game, {0}")]
    Rules(Identity),
    /// It has the first number of bytes instead of the second.
    #[error("{0} bytes long instead of {1}")]
    Length(u64, u64),
    /// The part of it from this byte on is not what was written.
    #[error("damaged in the page at byte {0}")]
    Damage(u64),
    /// It is not what its name says, or is damaged otherwise, in words.
    #[error("{0}")]
    Wrong(String),
    /// It is of no use here, but may be elsewhere, in words.
    #[error("{0}")]
    Unfit(String),
    /// It has the first format version, but this program reads the second.
    #[error("format version {0}, but this program reads version {1}")]
    Version(u64, u64),
    /// It has only lower bounds of its values.
    #[error(
        "a file of a compact tablebase, of which nothing is built; a whole one needs another folder"
    )]
    Quiet,
    /// It lacks distances, at least of wins, by which another sector is solved.
    #[error("without the distances by which another sector is solved; a build makes them again")]
    NoDistances,
}

impl FileError {
    pub(super) fn new(path: &Path, flaw: impl Into<Flaw>) -> Self {
        Self { path: path.to_owned(), flaw: flaw.into() }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        let Flaw::Io(error) = &self.flaw else { return false };
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    }

    /// Whether the system refused to read it.
    pub fn is_of_system(&self) -> bool {
        matches!(self.flaw, Flaw::Io(_))
    }

    /// Whether the file was solved for another game.
    pub fn is_of_another_game(&self) -> bool {
        matches!(self.flaw, Flaw::Rules(_))
    }

    /// Whether nothing is lost when the file gets another name and its sector is solved again.
    pub fn may_be_set_aside(&self) -> bool {
        matches!(self.flaw, Flaw::Length(..) | Flaw::Damage(_) | Flaw::Wrong(_))
    }
}
