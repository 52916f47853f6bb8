//! The folder of a build: its lock, its free space, and setting files aside; and the errors of a build.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::build::BuildObserver;
use super::file::FileError;
use super::jobs::Distances;
use super::sector::{Sector, Solvable};
use super::solve::{SolveError, Stopped};
use super::value::Value;
use crate::system::file_at::is_scratch;
use crate::system::locks::lock_file;
use crate::system::regular_file::if_there;
use crate::system::whole_file;

/// The error that ended a build, in one line.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A file or folder cannot be used, or the system refused to read or write it.
    #[error(transparent)]
    File(#[from] FileError),
    /// A task needs sectors that are not solved yet: the sector of the task, and the names of the missing ones.
    #[error("sector {0} needs sectors that are missing or lack distances: {1}")]
    Lacking(Sector, String),
    /// Another build is running in this folder.
    #[error("{}: another build is running", .0.display())]
    Busy(PathBuf),
    /// The rules or the memory do not permit the build, or a sector is missing: a message.
    #[error("{0}")]
    Refused(String),
    /// The observer stopped the build.
    #[error("{0}; the same command continues from here")]
    Stopped(#[from] Stopped),
}

/// The result of a build, or of a part of it.
pub(super) type Result<T = (), E = BuildError> = std::result::Result<T, E>;

/// Renames an unusable file, so that it is built again.
///
/// # Errors
///
/// When the file may be of use elsewhere, or the system refuses.
pub(super) fn set_aside(folder: &Path, error: FileError, observer: &dyn BuildObserver) -> Result {
    if !error.may_be_set_aside() {
        return Err(error.into());
    }
    // Another task may have renamed it already.
    let name = if_there(whole_file::set_aside(error.path()));
    if let Some(name) = name.map_err(|error| FileError::new(folder, error))? {
        observer.set_aside(&error, &name);
    }
    Ok(())
}

/// Checks that the disk of a folder has room for a number of bytes.
pub(super) fn check_disk(folder: &Path, needed: u64) -> Result {
    let free = free_space(folder).map_err(|error| FileError::new(folder, error))?;
    if free >= needed {
        return Ok(());
    }
    let [needed, free] = megabytes(needed, free);
    let message =
        format!("about {needed:.1} MB of disk are needed, but only {free:.1} MB are free");
    Err(FileError::unfit(folder, message).into())
}

/// Checks that a sector may take the memory that it needs, in bytes; `way_out` ends the message with an alternative.
pub(super) fn check_memory(
    sector: Sector,
    needed: u64,
    allowed: Option<u64>,
    way_out: &str,
) -> Result {
    let Some(allowed) = allowed.filter(|allowed| *allowed < needed) else { return Ok(()) };
    let [needed, allowed] = megabytes(needed, allowed);
    Err(BuildError::Refused(format!(
        "sector {sector} needs {needed:.1} MB of memory, but only {allowed:.1} MB are allowed{way_out}"
    )))
}

/// Whether the disk of a folder is known to have room for a number of bytes.
pub(super) fn has_room(folder: &Path, needed: u64) -> bool {
    cfg!(unix) && check_disk(folder, needed).is_ok()
}

/// The name of the list of files of a compact tablebase.
pub(super) const INDEX: &str = "index.txt";

/// Whether a folder is that of a compact tablebase.
pub fn is_compact_folder(folder: &Path) -> bool {
    folder.join(INDEX).exists()
}

/// Checks that a folder is not a compact tablebase, to which a build adds nothing.
pub(super) fn check_whole(folder: &Path) -> Result {
    if is_compact_folder(folder) {
        let message = "a compact tablebase, from which nothing can be built; use another folder";
        return Err(FileError::unfit(folder, message).into());
    }
    Ok(())
}

/// Returns the bytes that are needed and the fewer ones that there are in megabytes, so rounded to tenths that they
/// differ.
fn megabytes(needed: u64, there: u64) -> [f64; 2] {
    [needed.div_ceil(100_000), there / 100_000].map(|tenths| tenths as f64 / 10.0)
}

/// How long a build waits for the lock of another one: a process that it has just spawned may hold the lock a
/// moment longer than the build itself.
const PATIENCE: Duration = Duration::from_millis(200);

/// Turns an error of solving a sector into the error of the build in a folder.
pub(super) fn explain(error: SolveError, game: &Solvable, folder: &Path) -> BuildError {
    match error {
        SolveError::Stopped(error) => error.into(),
        SolveError::File(error) => error.into(),
        SolveError::Scratch(error) => FileError::new(folder, error).into(),
        SolveError::Unusable(_) => {
            FileError::unfit(folder, "modified during the build; run it again").into()
        }
        SolveError::TooLong(sector) => {
            let way_out = if Distances::Moving.includes(game, sector) {
                "use --no-distance to solve it without distances"
            } else {
                "omit --placing-distance to solve it without distances"
            };
            let turns = Value::MOST_TURNS - 1;
            BuildError::Refused(format!(
                "sector {sector} has wins or losses of {turns} turns or more, more than a file can \
                 store; {way_out}"
            ))
        }
    }
}

/// The name of the lock file of a folder.
pub(super) const LOCK: &str = "build.lock";

/// Locks a folder against other builds until the lock is dropped, and removes what killed ones have left behind.
pub(super) fn lock_folder(folder: &Path) -> Result<File> {
    let lock = lock_file(&folder.join(LOCK), PATIENCE);
    let lock = lock.map_err(|error| FileError::new(folder, error))?;
    let lock = lock.ok_or_else(|| BuildError::Busy(folder.to_owned()))?;
    let is_sector = |name: &OsStr| Path::new(name).extension() == Some("mill".as_ref());
    whole_file::remove_left_behind(folder, |path| {
        is_scratch(path) || whole_file::whole_of(path).is_some_and(is_sector)
    });
    Ok(lock)
}

/// Creates a folder and its parents.
pub(super) fn make_folder(folder: &Path) -> Result {
    let made = match fs::create_dir_all(folder) {
        // A loop of links, for instance, has an error of its own.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::metadata(folder).and_then(|_| Err(io::ErrorKind::NotADirectory.into()))
        }
        result => result,
    };
    made.map_err(|error| FileError::new(folder, error).into())
}

/// Returns the bytes that the disk of a folder has free for the user.
#[cfg(unix)]
fn free_space(folder: &Path) -> io::Result<u64> {
    let disk = nix::sys::statvfs::statvfs(folder)?;
    Ok(disk.blocks_available() as u64 * disk.fragment_size() as u64)
}

/// On other systems free space is unknown; a build fails when the disk is full.
#[cfg(not(unix))]
fn free_space(_folder: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_killed_builds_have_left_is_gone_when_a_folder_is_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let scratch = if cfg!(unix) { ".scratch-0123456789ab" } else { "3-5.mill.part-1" };
        let left = ["3-3.mill.part-0123456789ab", scratch].map(path);
        let others = ["3-3.mill.damaged", "3-4.mill.part-123456789abc", "film.part-1"].map(path);
        left.iter().chain(&others).for_each(|path| fs::write(path, "text").unwrap());
        // It is being written.
        let _part = lock_file(&others[1], PATIENCE).unwrap().unwrap();
        let _lock = lock_folder(folder.path()).unwrap();
        assert!(!left.iter().any(|path| path.exists()));
        assert!(others.iter().all(|path| path.exists()));
    }

    #[test]
    fn more_is_needed_than_there_is_in_words_too() {
        for there in [0, 49_999, 73_728, 99_999, 100_000, 1_639_999_999] {
            let [needed, there] = megabytes(there + 1, there);
            assert!(needed > there);
        }
    }
}
