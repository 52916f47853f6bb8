//! Why a build ends early.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::file::FileError;
use super::sector::Sector;
use super::value::Value;

/// Why a build ends early, in one line.
#[derive(Debug)]
pub enum BuildError {
    /// A sector file cannot be used.
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
        /// The men of the smallest sectors of the game.
        fewest: usize,
    },
    /// A sector has distances that are too long for a file.
    TooLong {
        /// The sector.
        sector: Sector,
        /// Whether its distances are kept unless somebody asks for none.
        is_usual: bool,
    },
    /// Somebody changed the files during the build.
    Changed {
        /// The folder.
        folder: PathBuf,
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
    /// What a task needs is not solved yet.
    Lacking {
        /// The sector of the task.
        sector: Sector,
        /// What is missing.
        lacking: Vec<Sector>,
    },
    /// Another build is running in the folder.
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The observer stopped it.
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
            Self::Memory { sector, needed, allowed, fewest } => {
                let [needed, allowed] = [needed, allowed].map(|&bytes| megabytes(bytes));
                write!(f, "sector {sector} needs {needed:.1} MB of memory, but only ")?;
                write!(f, "{allowed:.1} MB are allowed")?;
                match sector.men() {
                    _ if sector.is_placing() => f.write_str("; --moving leaves it out"),
                    men if men == *fewest => Ok(()),
                    men => write!(f, "; --max-men {} leaves it out", men - 1),
                }
            }
            Self::Disk { folder, needed, free } => write!(
                f,
                "{}: about {:.1} MB of disk are needed, but only {:.1} MB are free",
                folder.display(),
                megabytes(*needed),
                megabytes(*free)
            ),
            Self::TooLong { sector, is_usual } => {
                let turns = Value::MOST_TURNS - 1;
                write!(f, "sector {sector} has wins or losses of {turns} turns or more, ")?;
                f.write_str("more than a file can say; ")?;
                f.write_str(match is_usual {
                    true => "--no-distance solves it without them",
                    false => "without --placing-distance it is solved without them",
                })
            }
            Self::Changed { folder } => {
                write!(f, "{}: files changed while they were used", folder.display())
            }
            Self::Lacking { sector, lacking } => {
                let lacking: Vec<String> = lacking.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "sector {sector} needs sectors that are missing or lack distances: {}",
                    lacking.join(", ")
                )
            }
            Self::Busy { folder } => {
                write!(f, "{}: another build is running", folder.display())
            }
            Self::Stopped => f.write_str("stopped; the same command continues from here"),
        }
    }
}

impl std::error::Error for BuildError {}
