//! The log of a match, a file of JSON lines: the settings, then each game as soon as it has ended.
//!
//! The log is the truth about a match. Whatever is told of one is counted from it, and a match goes
//! on where its log ends.

mod contents;
mod difference;
mod error;

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::record::{GameRecord, Header};
use crate::file_lock;
pub use contents::{Contents, merge};
use difference::first_difference;
pub use error::LogError;
use error::Trouble;

/// A log that games are added to, which nobody else writes meanwhile.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Opens the log of a match with these settings, or begins one; the games that it has so far are
    /// returned, and whether a last line that was only half there was taken off.
    ///
    /// # Errors
    ///
    /// When the file cannot be used, is written by another match, is damaged or has other settings.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Vec<GameRecord>, bool), LogError> {
        let io = |error| LogError::new(path, Trouble::Io(error));
        contents::check_kind(path)?;
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        if !file_lock::try_lock(&file).map_err(io)? {
            return Err(LogError::new(path, Trouble::Busy));
        }
        let bytes = contents::read_bytes(&mut file, path)?;
        let whole = contents::whole_lines(&bytes);
        let mut log = Self { file, path: path.to_owned() };
        let mut games = Vec::new();
        if whole == 0 {
            if !serde_json::to_vec(header).is_ok_and(|line| line.starts_with(&bytes)) {
                return Err(LogError::new(path, Trouble::NoMatch));
            }
            log.cut(0).map_err(io)?;
            log.write(header).map_err(io)?;
        } else {
            let contents = contents::parse(&bytes, path)?;
            let expected = Header { games: contents.header.games, ..header.clone() };
            if let Some(difference) = first_difference(&contents.header, &expected) {
                return Err(LogError::new(path, Trouble::Settings(difference)));
            }
            games = contents.games;
            log.cut(whole as u64).map_err(io)?;
        }
        Ok((log, games, whole < bytes.len()))
    }

    /// Adds a game, which is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), LogError> {
        self.write(game).map_err(|error| LogError::new(&self.path, Trouble::Io(error)))
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::End(0)).map(|_| ())
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()
    }
}
