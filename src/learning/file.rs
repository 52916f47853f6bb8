//! The learning file on disk, which several engines may share.
//!
//! A writer locks a second file, reads the learning file again and replaces it as a whole. So no
//! position of another engine is lost, and readers need no lock.

use std::env;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{LearnedPositions, text};
use crate::system::file_at::scratch;
use crate::system::locks::lock_file;
use crate::system::whole_file::{self, with_suffix};
use crate::system::{folders, regular_file};

/// A learning file, which need not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearningFile {
    path: PathBuf,
}

/// The contents of a learning file.
#[derive(Debug, Default)]
pub struct Contents {
    /// The positions of the good lines.
    pub positions: LearnedPositions,
    /// The error of the bad lines, if there are any.
    pub damage: Option<io::Error>,
    /// The stamp of the file when it was read or written; `None` if there is no file.
    pub stamp: Option<Stamp>,
}

/// The modification time and size of a file, to detect changes.
pub type Stamp = (Option<SystemTime>, u64);

/// The maximum size of a file in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The number of bytes that are checked for binary content.
const FIRST_BLOCK: u64 = 4096;

impl LearningFile {
    /// The name of the default file, as in other mill programs.
    pub const DEFAULT_NAME: &str = "endgame.txt";

    /// A learning file at a path.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The default path: in the user's data folder, or beside the program if a file is already there and
    /// can be written. `None` if the system names no data folder.
    pub fn default_path() -> Option<PathBuf> {
        let program = env::current_exe().ok();
        choose_default(program.as_deref().and_then(Path::parent), folders::data().as_deref())
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The current stamp of the file; `None` if there is no file.
    pub fn stamp(&self) -> Option<Stamp> {
        let metadata = fs::metadata(&self.path).ok()?;
        Some((metadata.modified().ok(), metadata.len()))
    }

    /// Reads the file; a missing file is empty.
    ///
    /// # Errors
    ///
    /// If the file is not a learning file of this version, or cannot be read. Bad lines are reported in
    /// the contents.
    pub fn read(&self) -> io::Result<Contents> {
        let stamp = self.stamp();
        let read = self.read_bytes().and_then(|bytes| text::parse(&bytes));
        let (positions, damage) = read.map_err(|error| self.error(&error))?;
        Ok(Contents { positions, damage: damage.map(|damage| self.error(&damage)), stamp })
    }

    /// Adds the path to an error.
    fn error(&self, error: &io::Error) -> io::Error {
        let message = format!("learning file {}: {error}", self.path.display());
        // A file that the system calls busy is not one that another program is writing.
        let is_busy = error.kind() == ErrorKind::ResourceBusy;
        io::Error::new(if is_busy { ErrorKind::Other } else { error.kind() }, message)
    }

    /// The bytes of the file; empty if it is missing.
    fn read_bytes(&self) -> io::Result<Vec<u8>> {
        let opened = regular_file::if_there(regular_file::open(&self.path))?;
        let Some(file) = opened else { return Ok(Vec::new()) };
        let length = file.metadata()?.len();
        let mut bytes = Vec::new();
        (&file).take(FIRST_BLOCK).read_to_end(&mut bytes)?;
        if bytes.contains(&0) && !bytes.starts_with(text::TITLE.as_bytes()) {
            return Err(text::foreign("it is binary"));
        }
        if length > MAX_BYTES {
            return Err(text::foreign(format_args!("it has {length} bytes")));
        }
        (&file).take(MAX_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Adds positions to the file and prunes it to [`LearnedPositions::MAX`]. Returns the new contents.
    ///
    /// * `patience`: how long to wait for another program that is writing the file.
    ///
    /// # Errors
    ///
    /// If the file is read-only, damaged or cannot be read or written, or if another program is writing it
    /// ([`ResourceBusy`](io::ErrorKind::ResourceBusy)); it is then unchanged.
    pub fn add(&self, added: &LearnedPositions, patience: Duration) -> io::Result<Contents> {
        let refused = |error| self.error(&error);
        // The target of a symbolic link is replaced, not the link.
        let target = fs::canonicalize(&self.path).unwrap_or(self.path.clone());
        if fs::metadata(&target).is_ok_and(|file| file.permissions().readonly()) {
            return Err(refused(io::Error::other("it is read-only")));
        }
        target.parent().map(fs::create_dir_all).transpose().map_err(refused)?;
        let lock = with_suffix(&target, ".lock");
        let held = lock_file(&lock, patience).map_err(|error| {
            refused(io::Error::new(error.kind(), format!("{}: {error}", lock.display())))
        })?;
        let busy = || refused(io::Error::other("another program is writing it"));
        let _held = held.ok_or_else(|| io::Error::new(ErrorKind::ResourceBusy, busy()))?;
        let Contents { mut positions, damage, mut stamp } = self.read()?;
        damage.map_or(Ok(()), Err)?;
        let before = positions.clone();
        positions.extend(added.iter());
        positions.prune(LearnedPositions::MAX);
        if positions != before || stamp.is_none() {
            let text = text::written(&positions);
            let written = whole_file::write(&target, |mut file| file.write_all(text.as_bytes()));
            written.map_err(refused)?;
            stamp = self.stamp();
        }
        Ok(Contents { positions, damage: None, stamp })
    }
}

/// The default path.
///
/// * `beside`: the folder of the program.
/// * `data`: the data folder of the user.
fn choose_default(beside: Option<&Path>, data: Option<&Path>) -> Option<PathBuf> {
    let file = |folder: &Path| folder.join(LearningFile::DEFAULT_NAME);
    let is_used = |folder: &&Path| {
        let can_write = regular_file::open_with(File::options().write(true), &file(folder)).is_ok();
        can_write && scratch(folder).is_ok()
    };
    beside.filter(is_used).or(data).map(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file above the maximum size is reported, and neither read nor changed.
    #[test]
    fn a_file_that_is_too_long_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = LearningFile::new(folder.path().join("long"));
        let add = || file.add(&LearnedPositions::default(), Duration::ZERO);
        add().unwrap();
        let written = File::options().write(true).open(file.path()).unwrap();
        written.set_len(MAX_BYTES + 1).unwrap();
        let expected = format!("it has {} bytes", MAX_BYTES + 1);
        for error in [file.read().unwrap_err(), add().unwrap_err()] {
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
