//! Why a build ends early.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::tablebase::file::FileError;
use crate::tablebase::sector::Sector;

/// Why a build ends early, in one line.
#[derive(Debug)]
pub enum BuildError {
    /// A file of the folder cannot be used.
    File(FileError),
    /// The system refused to read or write.
    Io {
        /// What it should have read or written.
        path: PathBuf,
        /// Why it did not.
        error: io::Error,
    },
    /// A sector needs more memory than may be used.
    Memory {
        /// The sector.
        sector: Sector,
        /// The bytes that it needs.
        needed: u64,
        /// The bytes that may be used.
        allowed: u64,
    },
    /// The disk would fill.
    Disk {
        /// The folder.
        folder: PathBuf,
        /// The bytes that are needed.
        needed: u64,
        /// The bytes that are free.
        free: u64,
    },
    /// Another build works in the folder.
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The follower said stop.
    Stopped,
}

impl From<FileError> for BuildError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => write!(f, "{error}"),
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Memory { sector, needed, allowed } => {
                let [needed, allowed] = [needed, allowed].map(|&bytes| megabytes(bytes));
                write!(f, "expected at least {needed:.1} MB of memory for the sector {sector}, ")?;
                write!(f, "found {allowed:.1} MB allowed")?;
                match sector.men() {
                    Sector::FEWEST_MEN => Ok(()),
                    men => write!(f, "; --max-men {} leaves it out", men - 1),
                }
            }
            Self::Disk { folder, needed, free } => write!(
                f,
                "expected about {:.1} MB free in {}, found {:.1} MB",
                megabytes(*needed),
                folder.display(),
                megabytes(*free)
            ),
            Self::Busy { folder } => {
                write!(f, "expected {} to be free, found another build there", folder.display())
            }
            Self::Stopped => f.write_str("stopped; the same command goes on from here"),
        }
    }
}

impl std::error::Error for BuildError {}
