//! The games of a match as a collection of records, to which each is added as it ends.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use millstone::matches::{GameRecord, Header};
use millstone::records::Notation;
use millstone::rules::RuleSet;
use millstone::whole_file;

/// How many bytes of a file tell whether its first record is one of the match.
const LOOKED_AT: u64 = 1 << 16;

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
        let rules = RuleSet::from_name(&header.rules)?;
        let mut records = games.iter().map(|game| text(game, header, &rules));
        if path.is_file() && !is_earlier(path, &mut records)? {
            let expected = "expected no file, or records of the games of this match";
            return Err(format!("{}: {expected}", path.display()).into());
        }
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

/// Whether a file is empty or begins with one of these records, which may be only half there.
fn is_earlier(
    path: &Path,
    records: &mut dyn Iterator<Item = Result<String, Box<dyn Error>>>,
) -> Result<bool, Box<dyn Error>> {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut beginning));
    read.map_err(|error| format!("{}: {error}", path.display()))?;
    if beginning.is_empty() {
        return Ok(true);
    }
    for record in records {
        let record = record?;
        let length = beginning.len().min(record.len());
        if beginning[..length] == record.as_bytes()[..length] {
            return Ok(true);
        }
    }
    Ok(false)
}

fn text(game: &GameRecord, header: &Header, rules: &RuleSet) -> Result<String, Box<dyn Error>> {
    let at = |error: &dyn Error| format!("game {}: {error}", game.game + 1);
    let record = game.to_record(header, rules).map_err(|error| at(&error))?;
    Ok(record.write(Notation::Sanmill).map_err(|error| at(&error))?)
}
