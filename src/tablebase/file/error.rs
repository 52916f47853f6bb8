//! What can be wrong with a sector file.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::rules::Identity;
use crate::tablebase::sector::Sector;

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
    /// It does not begin as a sector file does.
    #[error("not a sector file of Millstone")]
    Foreign,
    /// It has another format version.
    #[error("format version {found}, but this program reads version {expected}")]
    Version {
        /// The version that this program reads.
        expected: u64,
        /// That of the file.
        found: u64,
    },
    /// It has this older format version.
    #[error(
        "format version {0} of an older program: millstone db build --dir makes new files elsewhere"
    )]
    Old(u64),
    /// It has the draws of a sector, which older programs kept apart.
    #[error(
        "a file of draws of an older program, which is not read: millstone db draws puts them into the sector files"
    )]
    OldDraws,
    /// It belongs to another game, of this identity.
    #[error("solved for another game, {0}")]
    Rules(Identity),
    /// It belongs to another sector than this one, which its name says.
    #[error("not the sector {0}")]
    Sector(Sector),
    /// It is shorter or longer than it should be.
    #[error("{found} bytes long instead of {expected}")]
    Length {
        /// The bytes that it should have.
        expected: u64,
        /// The bytes that it has.
        found: u64,
    },
    /// The part of it from this byte on is not what was written.
    #[error("damaged in the page at byte {0}")]
    Damage(u64),
    /// It has only lower bounds of its values.
    #[error(
        "a file of a compact tablebase, of which nothing is built; a whole one needs another folder"
    )]
    Quiet,
    /// It lacks distances, at least of wins, by which another sector is solved.
    #[error("without the distances by which another sector is solved; a build makes them again")]
    NoDistances,
    /// A file of Malom has slots of another size, of so many bytes.
    #[error("slots of {0} bytes, but this program reads slots of 3")]
    Slots(u32),
    /// The first field of a slot in a file of Malom has so many bits that it leaves no room for the second one.
    #[error("corrupt Malom file: field width {0}")]
    FirstField(u32),
    /// A file of Malom has more pairs than slots.
    #[error("more pairs than slots: {0}")]
    Pairs(u32),
    /// The slot or pair in a file of Malom at this byte is none of a value.
    #[error("damaged at byte {0}")]
    NoValue(u64),
    /// The line with this number, from 1, is not what a list of Malom's sector values has there.
    #[error("line {0} is not one of sector values")]
    Line(usize),
    /// Malom's list of sector values lacks the sector of the file.
    #[error("the list of sector values lacks its sector")]
    Unlisted,
    /// A folder has files of Malom, but only for these other games.
    #[error("its .sec2 files are not used: they are of {0}")]
    OtherGames(String),
}

impl FileError {
    pub(in crate::tablebase) fn new(path: &Path, flaw: impl Into<Flaw>) -> Self {
        Self { path: path.to_owned(), flaw: flaw.into() }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is no such file.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        let Flaw::Io(error) = &self.flaw else { return false };
        matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
    }

    /// Whether the system refused to read it.
    #[must_use]
    pub fn is_of_system(&self) -> bool {
        matches!(self.flaw, Flaw::Io(_))
    }

    /// Whether the file was solved for another game.
    #[must_use]
    pub fn is_of_another_game(&self) -> bool {
        matches!(self.flaw, Flaw::Rules(_))
    }

    /// Whether nothing is lost when the file gets another name and its sector is solved again.
    #[must_use]
    pub fn may_be_set_aside(&self) -> bool {
        !matches!(
            self.flaw,
            Flaw::Io(_)
                | Flaw::Version { .. }
                | Flaw::Old(_)
                | Flaw::Rules(_)
                | Flaw::Quiet
                | Flaw::NoDistances
        )
    }
}
