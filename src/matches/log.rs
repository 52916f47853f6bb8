//! The log of a match, a file of JSON lines: the settings, then each game as soon as it has ended.
//!
//! The result of a match is counted from its log, and a match goes on where its log ends.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::checked_line::{self, Checksum};
use super::log_entry::{LogEntry, LogHeader};
use super::shard::Shard;
use crate::quote::quote;
use crate::system::locks;
use crate::system::regular_file;

/// The most bytes of the first line of a log.
const LONGEST_HEADER: u64 = 1 << 20;

/// A log that games are added to, which nobody else writes meanwhile.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Opens the log of a match with these settings, or begins one; returns the games that it has so
    /// far, and whether an incomplete last line was removed.
    ///
    /// # Errors
    ///
    /// When the file cannot be used, is being written by another match, is damaged or has other settings.
    pub fn open(path: &Path, header: &LogHeader) -> Result<(Self, Vec<LogEntry>, bool), LogError> {
        let io = |error| LogError::new(path, Trouble::Io(error));
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = regular_file::open_with(&mut options, path).map_err(io)?;
        if !locks::try_lock(&file).map_err(io)? {
            return Err(LogError::new(path, Trouble::Busy));
        }
        let bytes = read_bytes(&mut file, path)?;
        let whole = whole_lines(&bytes);
        let mut log = Self { file, path: path.to_owned() };
        let mut games = Vec::new();
        if whole == 0 {
            if !checked_line::write(header).is_ok_and(|line| line.as_bytes().starts_with(&bytes)) {
                return Err(LogError::new(path, Trouble::NoMatch));
            }
            log.cut(0).map_err(io)?;
            log.write(header).map_err(io)?;
        } else {
            let contents = parse(&bytes, path)?;
            let expected = LogHeader { games: contents.header.games, ..header.clone() };
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
    pub fn append(&mut self, game: &LogEntry) -> Result<(), LogError> {
        self.write(game).map_err(|error| LogError::new(&self.path, Trouble::Io(error)))
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::End(0)).map(|_| ())
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.file.write_all(checked_line::write(line)?.as_bytes())?;
        self.file.sync_data()
    }
}

/// What a log holds.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The settings.
    pub header: LogHeader,
    /// The games in the order in which they ended.
    pub games: Vec<LogEntry>,
    /// Whether the last line is incomplete, as after a power cut; it does not count.
    pub is_cut: bool,
}

impl Contents {
    /// How many pairs lack a game, and the numbers, from 1, of the first of them.
    ///
    /// * `most`: the most numbers.
    #[must_use]
    pub fn missing_pairs(&self, most: usize) -> (u64, Vec<u64>) {
        let numbers: BTreeSet<u64> = self.games.iter().map(|game| game.game).collect();
        let games = numbers.last().map_or(0, |last| last + 1).max(self.header.games);
        let is_whole = |game: u64| game + 1 == games || numbers.contains(&(game + 1));
        let whole = numbers.iter().filter(|&&game| game % 2 == 0 && is_whole(game));
        let missing = Shard::WHOLE.missing(games, &numbers).take(most);
        let first = missing.map(|games| games[0] / 2 + 1).collect();
        (games.div_ceil(2) - whole.count() as u64, first)
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
    let file = regular_file::open(path).map_err(|error| LogError::new(path, Trouble::Io(error)));
    parse(&read_bytes(&mut file?, path)?, path)
}

/// The bytes of a log. Of another file no more is read than the first line of a log may have.
fn read_bytes(file: &mut File, path: &Path) -> Result<Vec<u8>, LogError> {
    let io = |error| LogError::new(path, Trouble::Io(error));
    let mut bytes = Vec::new();
    let read = Read::by_ref(file).take(LONGEST_HEADER).read_to_end(&mut bytes).map_err(io)?;
    if read as u64 == LONGEST_HEADER {
        header(&bytes[..whole_lines(&bytes)], path)?;
    }
    file.read_to_end(&mut bytes).map_err(io)?;
    Ok(bytes)
}

/// The settings that whole lines begin with, and their line.
fn header<'l>(lines: &'l [u8], path: &Path) -> Result<(LogHeader, &'l str), LogError> {
    let first = lines.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = str::from_utf8(first).unwrap_or_default();
    let header = serde_json::from_str(first).ok().filter(LogHeader::is_consistent);
    header.map(|header| (header, first)).ok_or_else(|| LogError::new(path, Trouble::NoMatch))
}

/// Where the last line ends that is there as a whole.
fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

fn parse(bytes: &[u8], path: &Path) -> Result<Contents, LogError> {
    let whole = whole_lines(bytes);
    let (header, first) = header(&bytes[..whole], path)?;
    let lines = bytes[first.len()..whole].split_inclusive(|&byte| byte == b'\n');
    let has_checksums = checked_line::check(first) != Checksum::Missing;
    let check = |line: usize, text: &str| match checked_line::check(text) {
        Checksum::Fits => Ok(()),
        Checksum::Missing if !has_checksums => Ok(()),
        _ => Err(LogError::new(path, Trouble::Checksum { line })),
    };
    check(1, first)?;
    let mut games = Vec::new();
    for (number, line) in (2..).zip(lines) {
        let text = str::from_utf8(line).unwrap_or_default();
        let game: LogEntry = serde_json::from_str(text).map_err(|_| {
            let found = quote(String::from_utf8_lossy(line).trim_end());
            LogError::new(path, Trouble::Damaged { line: number, found })
        })?;
        check(number, text)?;
        if !game.belongs_to(&header) {
            return Err(LogError::new(path, Trouble::Stray { line: number }));
        }
        games.push(game);
    }
    check_doubles(&games, &mut BTreeSet::new(), path)?;
    Ok(Contents { header, games, is_cut: whole < bytes.len() })
}

/// Adds the numbers of games to those that are there.
fn check_doubles(
    games: &[LogEntry],
    numbers: &mut BTreeSet<u64>,
    path: &Path,
) -> Result<(), LogError> {
    match games.iter().find(|game| !numbers.insert(game.game)) {
        Some(double) => Err(LogError::new(path, Trouble::Doubled(double.game))),
        None => Ok(()),
    }
}

/// The first setting that differs, with both of its values.
fn first_difference(found: &LogHeader, expected: &LogHeader) -> Option<String> {
    let value = |header| serde_json::to_value(header).unwrap_or_default();
    difference("", &value(found), &value(expected))
}

fn difference(name: &str, found: &Value, expected: &Value) -> Option<String> {
    let below = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
    match (found, expected) {
        _ if found == expected => None,
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().find_map(|(key, value)| {
                difference(&below(key), found.get(key).unwrap_or(&Value::Null), value)
            })
        }
        (Value::Array(found), Value::Array(expected)) if found.len() == expected.len() => {
            let pairs = found.iter().zip(expected).enumerate();
            pairs.into_iter().find_map(|(at, (found, expected))| {
                difference(&below(&(at + 1).to_string()), found, expected)
            })
        }
        _ => Some(format!("{name} is {found}, not {expected}")),
    }
}

/// What is wrong with a log.
#[derive(Debug)]
pub struct LogError {
    path: PathBuf,
    trouble: Trouble,
}

#[derive(Debug)]
enum Trouble {
    Io(io::Error),
    Busy,
    NoMatch,
    Damaged { line: usize, found: String },
    Checksum { line: usize },
    Stray { line: usize },
    Settings(String),
    Doubled(u64),
}

impl LogError {
    fn new(path: &Path, trouble: Trouble) -> Self {
        Self { path: path.to_owned(), trouble }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.trouble {
            Trouble::Io(error) => write!(f, "{error}"),
            Trouble::Busy => f.write_str("another match is writing it"),
            Trouble::NoMatch => f.write_str("not the log of a match"),
            Trouble::Damaged { line, found } => {
                write!(f, "line {line}: expected a game, found '{found}'")
            }
            Trouble::Checksum { line } => write!(f, "line {line}: the checksum does not fit"),
            Trouble::Stray { line } => {
                write!(f, "line {line}: the game does not belong to this match")
            }
            Trouble::Settings(difference) => write!(f, "another match: {difference}"),
            Trouble::Doubled(game) => write!(f, "game {game} is there twice"),
        }
    }
}

impl std::error::Error for LogError {}
