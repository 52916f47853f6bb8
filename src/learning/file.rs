//! The learning file on disk, which several engines may share.
//!
//! Whoever changes it holds the lock of a file beside it, reads it again, and puts a whole new file
//! in its place. So nothing that another engine has added is lost, and a reader needs no lock.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::error::{Damage, LearningError};
use super::positions::LearnedPositions;
use super::text::{self, TextError};
use crate::system::file_at::scratch;
use crate::system::folders;
use crate::system::locks::FileLock;
use crate::system::regular_file;
use crate::system::whole_file::{self, with_suffix};

/// A learning file, which need not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearningFile {
    path: PathBuf,
}

/// What a learning file holds.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The positions of its good lines.
    pub positions: LearnedPositions,
    /// Its bad lines.
    pub damage: Option<Damage>,
    /// The stamp of the file when it was read or written; `None` if it does not exist.
    pub stamp: Option<Stamp>,
}

/// The time of the last change and the size of a file, by which a change is noticed.
pub type Stamp = (Option<SystemTime>, u64);

/// A larger file is not written by the program.
const MAX_BYTES: u64 = 64 << 20;
/// How many bytes of a file are read to see whether it is text.
const FIRST_BLOCK: usize = 4096;
/// How long to wait for other programs that write the file.
const PATIENCE: Duration = Duration::from_secs(5);

impl LearningFile {
    /// The name of the default file, which is that of other mill programs.
    pub const DEFAULT_NAME: &str = "endgame.txt";

    /// The learning file with a path.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where the file is unless an option names another: in the user's data folder, or beside the
    /// program if there is one that can be written, as other mill programs have theirs. `None` if the system names
    /// no such folder.
    #[must_use]
    pub fn default_path() -> Option<PathBuf> {
        let program = env::current_exe().ok();
        choose_default(program.as_deref().and_then(Path::parent), folders::data().as_deref())
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The stamp of the file as it is now; `None` if it does not exist.
    #[must_use]
    pub fn stamp(&self) -> Option<Stamp> {
        let metadata = fs::metadata(&self.path).ok()?;
        Some((metadata.modified().ok(), metadata.len()))
    }

    /// Reads the file; one that does not exist is empty.
    ///
    /// # Errors
    ///
    /// When it is not a learning file, has a later format, or the system refuses.
    pub fn read(&self) -> Result<Contents, LearningError> {
        let stamp = self.stamp();
        let bytes = match self.read_bytes() {
            Ok(bytes) => bytes,
            Err(LearningError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Contents::default());
            }
            Err(error) => return Err(error),
        };
        match text::parse(&bytes) {
            Ok((positions, damage)) => Ok(Contents { positions, damage, stamp }),
            Err(TextError::LaterFormat(format)) => {
                Err(LearningError::LaterFormat { path: self.path.clone(), format })
            }
            Err(TextError::Foreign(error)) => Err(self.foreign(&error)),
        }
    }

    fn read_bytes(&self) -> Result<Vec<u8>, LearningError> {
        let file = regular_file::open(&self.path).map_err(|error| self.io(error))?;
        let metadata = file.metadata().map_err(|error| self.io(error))?;
        let mut bytes = Vec::new();
        let first = (&file).take(FIRST_BLOCK as u64).read_to_end(&mut bytes);
        first.map_err(|error| self.io(error))?;
        if bytes.contains(&0) && !text::has_title(&bytes) {
            return Err(self.foreign(&"it is binary"));
        }
        if metadata.len() > MAX_BYTES {
            return Err(self.foreign(&format_args!("it has {} bytes", metadata.len())));
        }
        // It may grow while it is read.
        let rest = (&file).take(MAX_BYTES).read_to_end(&mut bytes);
        rest.map_err(|error| self.io(error))?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(self.foreign(&"it grows"));
        }
        Ok(bytes)
    }

    /// Adds positions to the file and prunes it to [`LearnedPositions::MAX`]; what it holds then.
    ///
    /// # Errors
    ///
    /// When the file is foreign, of a later format, damaged or read-only, when another program
    /// holds its lock for five seconds, or the system refuses; the file stays as it is.
    pub fn add(&self, positions: &LearnedPositions) -> Result<Contents, LearningError> {
        self.add_within(PATIENCE, positions)
    }

    /// As [`add`](Self::add), but without waiting for another program that holds the lock.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn add_at_once(&self, positions: &LearnedPositions) -> Result<Contents, LearningError> {
        self.add_within(Duration::ZERO, positions)
    }

    fn add_within(
        &self,
        patience: Duration,
        positions: &LearnedPositions,
    ) -> Result<Contents, LearningError> {
        let ((), contents) = self.change_within(patience, |all| {
            all.extend(positions.iter());
            if all.len() > LearnedPositions::MAX {
                all.prune(LearnedPositions::MAX);
            }
        })?;
        Ok(contents)
    }

    /// Changes the positions of the file, without losing what others add meanwhile.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut LearnedPositions) -> T,
    ) -> Result<(T, Contents), LearningError> {
        self.change_within(PATIENCE, change)
    }

    fn change_within<T>(
        &self,
        patience: Duration,
        change: impl FnOnce(&mut LearnedPositions) -> T,
    ) -> Result<(T, Contents), LearningError> {
        // A symbolic link stays, and the file that it leads to is replaced.
        let target = Self { path: fs::canonicalize(&self.path).unwrap_or(self.path.clone()) };
        let is_read_only =
            |path: &Path| fs::metadata(path).is_ok_and(|m| m.permissions().readonly());
        if is_read_only(&target.path) {
            return Err(LearningError::ReadOnly { path: self.path.clone() });
        }
        let _lock = target.lock(patience)?;
        let Contents { mut positions, damage, stamp } = self.read()?;
        if let Some(damage) = damage {
            return Err(LearningError::Damaged { path: self.path.clone(), damage });
        }
        let before = positions.clone();
        let result = change(&mut positions);
        if positions == before && stamp.is_some() {
            return Ok((result, Contents { positions, damage: None, stamp }));
        }
        let written = whole_file::write(&target.path, |file| {
            let mut out = BufWriter::new(file);
            text::write(&mut out, &positions)?;
            out.flush()?;
            if file.metadata()?.len() > MAX_BYTES {
                return Err(io::Error::other("longer than is read again"));
            }
            Ok(())
        });
        written.map_err(|error| self.io(error))?;
        Ok((result, Contents { positions, damage: None, stamp: self.stamp() }))
    }

    /// Keeps others from changing the file.
    fn lock(&self, patience: Duration) -> Result<FileLock, LearningError> {
        let refused = |path: &Path, error| LearningError::Io { path: path.to_owned(), error };
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(|error| refused(folder, error))?;
        }
        let path = with_suffix(&self.path, ".lock");
        let lock = FileLock::acquire_within(&path, patience);
        let lock = lock.map_err(|error| refused(&path, error))?;
        lock.ok_or_else(|| LearningError::Busy { path: self.path.clone() })
    }

    fn foreign(&self, found: &dyn ToString) -> LearningError {
        LearningError::Foreign { path: self.path.clone(), found: found.to_string() }
    }

    fn io(&self, error: io::Error) -> LearningError {
        LearningError::Io { path: self.path.clone(), error }
    }
}

/// The default path, given the folder of the program and that for data.
fn choose_default(beside: Option<&Path>, data: Option<&Path>) -> Option<PathBuf> {
    let file = |folder: &Path| folder.join(LearningFile::DEFAULT_NAME);
    let is_used = |folder: &&Path| can_write(&file(folder)) && can_create_files(folder);
    beside.filter(is_used).or(data).map(file)
}

/// Whether a file is there and can be written.
fn can_write(path: &Path) -> bool {
    regular_file::open_with(File::options().write(true), path).is_ok()
}

/// Whether files can be created in a folder, found out by trying.
fn can_create_files(folder: &Path) -> bool {
    scratch(folder).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is longer than is read is named, and neither read nor changed.
    #[test]
    fn a_file_that_is_too_long_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = LearningFile::new(folder.path().join("long"));
        file.add(&LearnedPositions::default()).unwrap();
        let written = File::options().write(true).open(file.path()).unwrap();
        written.set_len(MAX_BYTES + 1).unwrap();
        let expected = format!("it has {} bytes", MAX_BYTES + 1);
        for error in [file.read().unwrap_err(), file.add(&LearnedPositions::default()).unwrap_err()]
        {
            assert!(error.to_string().contains(&expected), "{error}");
        }
        assert_eq!(written.metadata().unwrap().len(), MAX_BYTES + 1);
    }

    /// A new file beside a program such as `~/.cargo/bin/millstone` would be where nobody looks for it.
    #[test]
    fn a_new_file_is_in_the_data_folder_and_one_beside_the_program_is_used() {
        const NAME: &str = LearningFile::DEFAULT_NAME;
        let folder = tempfile::tempdir().unwrap();
        let data = Some(PathBuf::from("data"));
        let in_data = Some(Path::new("data").join(NAME));
        assert_eq!(choose_default(Some(folder.path()), data.as_deref()), in_data);
        assert_eq!(choose_default(None, None), None);
        File::create(folder.path().join(NAME)).unwrap();
        let beside = Some(folder.path().join(NAME));
        assert_eq!(choose_default(Some(folder.path()), data.as_deref()), beside);
        fs::remove_file(folder.path().join(NAME)).unwrap();
        fs::create_dir(folder.path().join(NAME)).unwrap();
        assert_eq!(choose_default(Some(folder.path()), data.as_deref()), in_data, "not a file");
    }
}
