//! Why a build ends early.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file::FileError;
use super::folder::NoTablebase;
use super::sector::Sector;
use super::value::Value;

/// Why a build ends early, in one line.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A sector file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system refused to read or write.
    #[error("{}: {error}", path.display())]
    Io {
        /// What it should have read or written.
        path: PathBuf,
        /// Why it did not.
        error: io::Error,
    },
    /// A sector needs more memory than may be used.
    #[error(
        "sector {sector} needs {:.1} MB of memory, but only {:.1} MB are allowed{}",
        megabytes(*needed), megabytes(*allowed), way_out(*sector, *fewest)
    )]
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
    #[error(
        "sector {sector} has wins or losses of {} turns or more, more than a file can say; {}",
        Value::MOST_TURNS - 1,
        if *is_usual {
            "--no-distance solves it without them"
        } else {
            "without --placing-distance it is solved without them"
        }
    )]
    TooLong {
        /// The sector.
        sector: Sector,
        /// Whether its distances are kept unless somebody asks for none.
        is_usual: bool,
    },
    /// Somebody changed the files of this folder during the build.
    #[error("{}: modified during the build; run it again", .0.display())]
    Changed(PathBuf),
    /// The disk would fill.
    #[error(
        "{}: about {:.1} MB of disk are needed, but only {:.1} MB are free",
        folder.display(), megabytes(*needed), megabytes(*free)
    )]
    Disk {
        /// The folder.
        folder: PathBuf,
        /// The bytes that are needed.
        needed: u64,
        /// The bytes that are free.
        free: u64,
    },
    /// What a task needs is not solved yet.
    #[error("sector {sector} needs sectors that are missing or lack distances: {}", names(lacking))]
    Lacking {
        /// The sector of the task.
        sector: Sector,
        /// What is missing.
        lacking: Vec<Sector>,
    },
    /// Another build is running in this folder.
    #[error("{}: another build is running", .0.display())]
    Busy(PathBuf),
    /// The rules of the game are not simple enough to put draws in order.
    #[error(
        "draws are put in order only where moves earn nothing but removals from mills and a side that \
         cannot move has lost"
    )]
    Unordered,
    /// The folder whose draws are to be put in order has no tablebase.
    #[error(transparent)]
    NoTablebase(#[from] NoTablebase),
    /// The tablebase whose draws are to be put in order lacks a sector.
    #[error("the sector {0} or its draws are missing")]
    NoSector(Sector),
    /// A whole tablebase that is to be made compact lacks a sector.
    #[error("{}: lacks the sector {sector}; millstone db build makes it", folder.display())]
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// The sector.
        sector: Sector,
    },
    /// A folder for a compact tablebase has this file, which no compact tablebase has.
    #[error("{}: not of a compact tablebase; name another folder for it", .0.display())]
    NotCompact(PathBuf),
    /// The observer stopped it.
    #[error("stopped; the same command continues from here")]
    Stopped,
}

impl BuildError {
    pub(super) fn io(path: &Path, error: io::Error) -> Self {
        Self::Io { path: path.to_owned(), error }
    }
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// The option that leaves out a sector.
fn way_out(sector: Sector, fewest: usize) -> String {
    match sector.men() {
        _ if sector.is_placing() => "; --moving leaves it out".to_owned(),
        men if men == fewest => String::new(),
        men => format!("; --max-men {} leaves it out", men - 1),
    }
}

fn names(sectors: &[Sector]) -> String {
    let names: Vec<String> = sectors.iter().map(ToString::to_string).collect();
    names.join(", ")
}
