//! The learning file on disk, which several engines may share.
//!
//! Whoever changes it holds the lock of a file beside it, reads it again, and puts a whole new file in
//! its place. So nothing that another engine has added is lost, and a reader needs no lock.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::error::{Damage, LearningError};
use super::lessons::Lessons;
use super::text::{self, Contents};
use crate::file_lock::FileLock;
use crate::whole_file::{self, with_suffix};

/// A learning file, which need not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearningFile {
    path: PathBuf,
}

/// What a learning file holds.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Its good lines.
    pub lessons: Lessons,
    /// What is wrong with others.
    pub damage: Option<Damage>,
    /// What tells whether the file is still the same; none while it does not exist.
    pub stamp: Option<Stamp>,
}

/// The time of the last change and the size of a file.
pub type Stamp = (Option<SystemTime>, u64);

/// A file that is larger has not been written by the program.
const MOST_BYTES: u64 = 64 << 20;
/// How much of a file tells whether it is text at all.
const FIRST_BLOCK: usize = 4096;
/// How long to wait for other programs, which need a moment each.
const PATIENCE: Duration = Duration::from_secs(5);

impl LearningFile {
    /// The learning file with a path.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file would be recognised by now.
    #[must_use]
    pub fn stamp(&self) -> Option<Stamp> {
        let metadata = fs::metadata(&self.path).ok()?;
        Some((metadata.modified().ok(), metadata.len()))
    }

    /// Reads the file; one that does not exist has no lessons.
    ///
    /// # Errors
    ///
    /// When it is something else or of a later format, or the system refuses.
    pub fn read(&self) -> Result<Reading, LearningError> {
        let stamp = self.stamp();
        let bytes = match self.read_bytes() {
            Ok(bytes) => bytes,
            Err(LearningError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Reading::default());
            }
            Err(error) => return Err(error),
        };
        match text::read(&bytes) {
            Contents::Lessons(lessons, damage) => Ok(Reading { lessons, damage, stamp }),
            Contents::Later(format) => {
                Err(LearningError::Later { path: self.path.clone(), format })
            }
            Contents::Foreign(error) => Err(self.foreign(&error)),
        }
    }

    fn read_bytes(&self) -> Result<Vec<u8>, LearningError> {
        let metadata = fs::metadata(&self.path).map_err(|error| self.io(error))?;
        if !metadata.is_file() {
            return Err(self.foreign(&"no file of data"));
        }
        let mut file = File::open(&self.path).map_err(|error| self.io(error))?;
        let mut bytes = Vec::new();
        let first = (&file).take(FIRST_BLOCK as u64).read_to_end(&mut bytes);
        first.map_err(|error| self.io(error))?;
        if bytes.contains(&0) && !text::has_title(&bytes) {
            return Err(self.foreign(&"a file that is no text"));
        }
        if metadata.len() > MOST_BYTES {
            return Err(self.foreign(&format_args!("{} bytes", metadata.len())));
        }
        file.read_to_end(&mut bytes).map_err(|error| self.io(error))?;
        Ok(bytes)
    }

    /// Adds lessons to those that the file has by now, as many as it keeps; all that are there then.
    ///
    /// # Errors
    ///
    /// When the file is foreign, damaged or read-only, which leaves it as it is, when another program
    /// does not let go of it for five seconds, or the system refuses.
    pub fn add(&self, lessons: &Lessons) -> Result<Reading, LearningError> {
        self.add_within(PATIENCE, lessons)
    }

    /// The same for somebody who cannot wait: a file that another program writes just now is busy.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn add_at_once(&self, lessons: &Lessons) -> Result<Reading, LearningError> {
        self.add_within(Duration::ZERO, lessons)
    }

    fn add_within(&self, patience: Duration, lessons: &Lessons) -> Result<Reading, LearningError> {
        let ((), reading) = self.change_within(patience, |all| {
            all.extend(lessons.iter());
            if all.len() > Lessons::MOST {
                all.prune(Lessons::MOST);
            }
        })?;
        Ok(reading)
    }

    /// Changes the lessons of the file, without losing what others add meanwhile.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add).
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut Lessons) -> T,
    ) -> Result<(T, Reading), LearningError> {
        self.change_within(PATIENCE, change)
    }

    fn change_within<T>(
        &self,
        patience: Duration,
        change: impl FnOnce(&mut Lessons) -> T,
    ) -> Result<(T, Reading), LearningError> {
        // Where a link stands for the file, the link shall stay.
        let target = Self { path: fs::canonicalize(&self.path).unwrap_or(self.path.clone()) };
        let is_read_only =
            |path: &Path| fs::metadata(path).is_ok_and(|m| m.permissions().readonly());
        if is_read_only(&target.path) {
            return Err(LearningError::ReadOnly { path: self.path.clone() });
        }
        let _lock = target.lock(patience)?;
        let Reading { mut lessons, damage, stamp } = self.read()?;
        if let Some(damage) = damage {
            return Err(LearningError::Damaged { path: self.path.clone(), damage });
        }
        let before = lessons.clone();
        let result = change(&mut lessons);
        if lessons == before && stamp.is_some() {
            return Ok((result, Reading { lessons, damage: None, stamp }));
        }
        let written = whole_file::write(&target.path, |file| {
            let mut out = BufWriter::new(file);
            text::write(&mut out, &lessons)?;
            out.flush()
        });
        written.map_err(|error| self.io(error))?;
        Ok((result, Reading { lessons, damage: None, stamp: self.stamp() }))
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
