//! The games of a match as a collection of records, to which each is added as it ends.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use millstone::matches::{GameRecord, Header};
use millstone::records::Notation;
use millstone::rules::RuleSet;
use millstone::whole_file;

/// A file of records that games are added to.
pub struct Collection {
    file: File,
    path: PathBuf,
    header: Header,
    rules: RuleSet,
}

impl Collection {
    /// Writes the games that have been played so far.
    ///
    /// # Errors
    ///
    /// When the system refuses, or when a file is there that no earlier part of the match can have
    /// written.
    pub fn begin(
        path: &Path,
        header: &Header,
        games: &[GameRecord],
    ) -> Result<Self, Box<dyn Error>> {
        let at = |error: io::Error| format!("{}: {error}", path.display());
        if games.is_empty() && path.metadata().is_ok_and(|file| file.len() > 0) {
            return Err(format!("{}: expected no file, found one", path.display()).into());
        }
        let rules = RuleSet::from_name(&header.rules)?;
        let texts: Result<Vec<_>, _> =
            games.iter().map(|game| text(game, header, &rules)).collect();
        let texts = texts?.concat();
        whole_file::save(path, |mut file| file.write_all(texts.as_bytes())).map_err(at)?;
        let file = OpenOptions::new().append(true).open(path).map_err(at)?;
        Ok(Self { file, path: path.to_owned(), header: header.clone(), rules })
    }

    /// Adds a game, which is on the disk when this returns.
    ///
    /// # Errors
    ///
    /// When the system refuses.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), Box<dyn Error>> {
        let text = text(game, &self.header, &self.rules)?;
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        Ok(written.map_err(|error| format!("{}: {error}", self.path.display()))?)
    }
}

fn text(game: &GameRecord, header: &Header, rules: &RuleSet) -> Result<String, Box<dyn Error>> {
    let at = |error: &dyn Error| format!("game {}: {error}", game.game + 1);
    let record = game.to_record(header, rules).map_err(|error| at(&error))?;
    Ok(record.write(Notation::Sanmill).map_err(|error| at(&error))?)
}
