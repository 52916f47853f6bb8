//! Sector files: wins, draws, losses and distances, packed in small chunks that are read independently.
//!
//! The documentation of the [tablebase](super) specifies the format. Every page is verified on first use:
//! opening a file reads little of it, and no value ever comes from a damaged page.
//!
//! ```text
//! arithmetic   binary arithmetic coding
//! model        a network that predicts win, draw or loss, and its evaluation of consecutive positions
//! train        trains the network on a part of the sector
//! wdl          wins, draws and losses, arithmetic-coded with the predictions of the model
//! huffman      Huffman codes with contexts
//! chunks       chunks of packed positions, each read independently; columns of them, coded by preceding symbols:
//!              distances, and where draws come to rest
//! header       the first page, and where the parts of a file lie
//! pages        the bytes of a local, built-in or remote file, verified page by page
//! map          memory-mapped files that survive truncation
//! read         open files: reads single values, ranges of them, and where draws come to rest
//! write        writes solved sectors
//! ```
//!
//! # Adding a column
//!
//! 1. `chunks.rs`: its number and coding; `header.rs`: its size in the header, and a new version; the format in
//!    `tablebase/mod.rs`.
//! 2. `write.rs` writes it and decides whether rewriting a file keeps it; `read.rs` reads it.
//! 3. `probe.rs` of the tablebase returns it, `verify` checks it, `db info` and `db verify` name it.
//! 4. The fuzz target `tests/fuzz/targets/database.rs` reads every column.

mod arithmetic;
mod chunks;
mod header;
mod huffman;
#[cfg(feature = "map")]
mod map;
#[cfg(not(feature = "map"))]
mod map {
    use std::fs::File;

    /// No file is mapped.
    pub enum Map {}

    impl Map {
        pub fn new(_: &File) -> Option<Self> {
            None
        }

        pub fn copy(&self, _: &File, _: usize, _: &mut [u8]) -> bool {
            match *self {}
        }
    }
}
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
use std::sync::Arc;

use thiserror::Error;

use crate::rules::Identity;

/// A sector file that cannot be used. Displayed as its path and the reason, in one line.
#[derive(Clone, Debug, Error)]
#[error("{}: {flaw}", path.display())]
pub struct FileError {
    path: PathBuf,
    #[source]
    flaw: Arc<Flaw>,
}

/// The reason why a file cannot be used.
#[derive(Debug, Error)]
pub enum Flaw {
    /// The system could not read or write the file.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file belongs to another game, which has this identity.
    #[error("solved for another game, {0}")]
    Rules(Identity),
    /// The actual and the expected length in bytes.
    #[error("{0} bytes long instead of {1}")]
    Length(u64, u64),
    /// The page that starts at this byte is damaged.
    #[error("damaged in the page at byte {0}")]
    Damage(u64),
    /// A description of other damage, or of contents that do not match the file name.
    #[error("{0}")]
    Wrong(String),
    /// A description of why this program cannot use the file, which may be intact.
    #[error("{0}")]
    Unfit(String),
    /// The format version of the file, and the one that this program reads.
    #[error("format version {0}, but this program reads version {1}")]
    Version(u64, u64),
    /// The file stores only lower bounds of values.
    #[error("a file of a compact tablebase, from which nothing can be built; use another folder")]
    Quiet,
    /// The file lacks distances that another sector needs, at least those of wins.
    #[error("lacks the distances that another sector needs; a build computes them again")]
    NoDistances,
}

impl FileError {
    pub(super) fn new(path: &Path, flaw: impl Into<Flaw>) -> Self {
        Self { path: path.to_owned(), flaw: Arc::new(flaw.into()) }
    }

    /// Creates the error of a file or folder that this program cannot use, although it may be intact.
    pub(super) fn unfit(path: &Path, why: impl Into<String>) -> Self {
        Self::new(path, Flaw::Unfit(why.into()))
    }

    /// The path of the file, or the name of a remote one.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file does not exist.
    pub fn is_missing(&self) -> bool {
        let Flaw::Io(error) = &*self.flaw else { return false };
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    }

    /// Whether the system could not read or write the file.
    pub fn is_of_system(&self) -> bool {
        matches!(*self.flaw, Flaw::Io(_))
    }

    /// Whether the file was solved for another game.
    pub fn is_of_another_game(&self) -> bool {
        matches!(*self.flaw, Flaw::Rules(_))
    }

    /// Whether a build may rename the file and solve its sector again, since nothing is lost by that.
    pub fn may_be_set_aside(&self) -> bool {
        matches!(*self.flaw, Flaw::Length(..) | Flaw::Damage(_) | Flaw::Wrong(_))
    }
}
