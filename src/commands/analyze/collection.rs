//! The file of annotated games.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use millstone::records::{Notation, Record};
use millstone::whole_file;

use crate::commands::CommandResult;

/// About how much time an interruption may cost. Writing after each game would take time that grows
/// with the square of the games.
const INTERVAL: Duration = Duration::from_secs(3);

/// The annotated games so far.
pub struct Collection {
    path: PathBuf,
    notation: Notation,
    text: String,
    /// When they were last written to the file.
    saved: Option<Instant>,
}

impl Collection {
    /// No games yet; the file is not touched.
    pub fn new(path: &Path, notation: Notation) -> Self {
        Self { path: path.to_owned(), notation, text: String::new(), saved: None }
    }

    /// Adds a game, and writes all of them if that is due; the first time at once, so that a file that
    /// cannot be written is found out early.
    pub fn add(&mut self, record: &Record) -> CommandResult {
        self.text += &record.write(self.notation)?;
        let is_due = self.saved.is_none_or(|saved| saved.elapsed() >= INTERVAL);
        // What is no file, such as a pipe, cannot be written again.
        if is_due && whole_file::is_replaced(&self.path) { self.save() } else { Ok(()) }
    }

    /// Whether no game was added.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Writes all games to the file, if there are some.
    pub fn save(&mut self) -> CommandResult {
        if self.is_empty() {
            return Ok(());
        }
        whole_file::save(&self.path, |mut file| file.write_all(self.text.as_bytes()))
            .map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.saved = Some(Instant::now());
        Ok(())
    }
}
