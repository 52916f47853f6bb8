//! What can be wrong with a sector file.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::rules::Identity;
use crate::tablebase::sector::Sector;

/// A sector file that cannot be used, and why, in one line.
#[derive(Debug)]
pub struct FileError {
    path: PathBuf,
    flaw: Flaw,
}

/// Why a file cannot be used.
#[derive(Debug)]
pub enum Flaw {
    /// The system refused to read or write it.
    Io(io::Error),
    /// It does not begin as a sector file does.
    Foreign,
    /// It has another format version.
    Version {
        /// The version that this program reads.
        expected: u64,
        /// That of the file.
        found: u64,
    },
    /// It belongs to another game.
    Rules {
        /// The identity of that game.
        found: Identity,
    },
    /// It belongs to another sector than its name says.
    Sector {
        /// The sector of the name.
        expected: Sector,
    },
    /// It is shorter or longer than it should be.
    Length {
        /// The bytes that it should have.
        expected: u64,
        /// The bytes that it has.
        found: u64,
    },
    /// A part of it is not what was written.
    Damage {
        /// Where the part begins, in bytes.
        offset: u64,
    },
    /// A file of Malom has slots of another size.
    Slots {
        /// The bytes of a slot.
        found: u32,
    },
    /// The first field of a slot in a file of Malom leaves no room for the second one.
    FirstField {
        /// Its bits.
        found: u32,
    },
    /// A file of Malom has more pairs than slots.
    Pairs {
        /// The pairs.
        found: u32,
    },
    /// A slot or a pair in a file of Malom is none of a value.
    NoValue {
        /// Where it begins, in bytes.
        offset: u64,
    },
    /// A line is not what a list of Malom's sector values has there.
    Line {
        /// The number of the line, from 1.
        number: usize,
    },
    /// Malom's list of sector values lacks the sector of the file.
    Unlisted,
    /// A folder has files of Malom, but only for other games.
    OtherGames {
        /// What they are files of.
        found: String,
    },
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

    /// Whether the file was solved for another game.
    #[must_use]
    pub fn is_of_another_game(&self) -> bool {
        matches!(self.flaw, Flaw::Rules { .. })
    }

    /// Whether nothing is lost when the file gets another name and its sector is solved again.
    #[must_use]
    pub fn may_be_set_aside(&self) -> bool {
        !matches!(self.flaw, Flaw::Io(_) | Flaw::Version { .. } | Flaw::Rules { .. })
    }
}

impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.flaw)
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Foreign => f.write_str("not a sector file of Millstone"),
            Self::Version { expected, found } => {
                write!(f, "format version {found}, but this program reads version {expected}")
            }
            Self::Rules { found } => write!(f, "solved for another game, {found}"),
            Self::Sector { expected } => write!(f, "not the sector {expected}"),
            Self::Length { expected, found } => {
                write!(f, "{found} bytes long instead of {expected}")
            }
            Self::Damage { offset } => write!(f, "damaged in the page at byte {offset}"),
            Self::Slots { found } => {
                write!(f, "slots of {found} bytes, but this program reads slots of 3")
            }
            Self::FirstField { found } => write!(f, "a first field of {found} of 24 bits"),
            Self::Pairs { found } => write!(f, "more pairs than slots: {found}"),
            Self::NoValue { offset } => write!(f, "damaged at byte {offset}"),
            Self::Line { number } => write!(f, "line {number} is not one of sector values"),
            Self::Unlisted => f.write_str("the list of sector values lacks its sector"),
            Self::OtherGames { found } => {
                write!(f, "its .sec2 files are not used: they are of {found}")
            }
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.flaw {
            Flaw::Io(error) => Some(error),
            _ => None,
        }
    }
}
