//! What logs hold, one by one and together.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str;

use super::difference::first_difference;
use super::error::{LogError, Trouble};
use crate::matches::record::{GameRecord, Header};
use crate::matches::schedule::Shard;
use crate::quote::quote;

/// What a log holds.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The settings.
    pub header: Header,
    /// The games in the order in which they ended.
    pub games: Vec<GameRecord>,
    /// Whether the last line is only half there, as after a crash of the machine; it does not count.
    pub is_cut: bool,
}

impl Contents {
    /// The numbers of the pairs, from 1, that are not there with both games.
    #[must_use]
    pub fn missing_pairs(&self) -> Vec<u64> {
        let numbers: BTreeSet<u64> = self.games.iter().map(|game| game.game).collect();
        let games = numbers.last().map_or(0, |last| last + 1).max(self.header.games);
        let missing = Shard::WHOLE.missing(games, &numbers);
        missing.iter().filter_map(|games| games.first()).map(|game| game / 2 + 1).collect()
    }
}

/// Puts the logs of parts of one match together; the games are sorted by number.
///
/// # Errors
///
/// When a log cannot be read, or settings differ, or a game is there twice.
pub fn merge(paths: &[PathBuf]) -> Result<Contents, LogError> {
    let mut merged: Option<Contents> = None;
    let mut numbers = BTreeSet::new();
    for path in paths {
        let contents = read(path)?;
        check_doubles(&contents.games, &mut numbers, path)?;
        let Some(all) = &mut merged else {
            merged = Some(contents);
            continue;
        };
        let [found, expected] = [&contents, all].map(|log| log.header.of_all_parts());
        if let Some(difference) = first_difference(&found, &expected) {
            return Err(LogError::new(path, Trouble::Settings(difference)));
        }
        all.header.games = all.header.games.max(contents.header.games);
        all.games.extend(contents.games);
        all.is_cut |= contents.is_cut;
    }
    let nothing = || LogError::new(Path::new(""), Trouble::NoMatch);
    let mut merged = merged.ok_or_else(nothing)?;
    merged.games.sort_by_key(|game| game.game);
    Ok(merged)
}

fn read(path: &Path) -> Result<Contents, LogError> {
    check_kind(path)?;
    let file = File::open(path).map_err(|error| LogError::new(path, Trouble::Io(error)));
    parse(&read_bytes(&mut file?, path)?, path)
}

/// Refuses what is there and may have no end, such as a device.
pub(super) fn check_kind(path: &Path) -> Result<(), LogError> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Err(LogError::new(path, Trouble::NoFile)),
        _ => Ok(()),
    }
}

pub(super) fn read_bytes(file: &mut File, path: &Path) -> Result<Vec<u8>, LogError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| LogError::new(path, Trouble::Io(error)))?;
    Ok(bytes)
}

/// Where the last line ends that is there as a whole.
pub(super) fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Contents, LogError> {
    let whole = whole_lines(bytes);
    let mut lines = bytes[..whole].split_inclusive(|&byte| byte == b'\n');
    let header = lines.next().and_then(|line| serde_json::from_slice::<Header>(line).ok());
    let header = header.filter(|header| header.millstone_match == Header::FORM);
    let header = header.ok_or_else(|| LogError::new(path, Trouble::NoMatch))?;
    let mut games = Vec::new();
    for (number, line) in (2..).zip(lines) {
        let game = str::from_utf8(line).ok().and_then(|line| serde_json::from_str(line).ok());
        games.push(game.filter(GameRecord::is_consistent).ok_or_else(|| {
            let found = quote(String::from_utf8_lossy(line).trim_end());
            LogError::new(path, Trouble::Damaged { line: number, found })
        })?);
    }
    check_doubles(&games, &mut BTreeSet::new(), path)?;
    Ok(Contents { header, games, is_cut: whole < bytes.len() })
}

/// Adds the numbers of games to those that are there.
fn check_doubles(
    games: &[GameRecord],
    numbers: &mut BTreeSet<u64>,
    path: &Path,
) -> Result<(), LogError> {
    match games.iter().find(|game| !numbers.insert(game.game)) {
        Some(double) => Err(LogError::new(path, Trouble::Doubled(double.game))),
        None => Ok(()),
    }
}
