//! The log of a match, a file of JSON lines: the settings, then each game as soon as it has ended.
//!
//! The log is the truth about a match. Whatever is told of one is counted from it, and a match goes
//! on where its log ends.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::record::{GameRecord, Header};
use crate::quote::quote;

/// A log that games are added to, which nobody else writes meanwhile.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
}

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

impl Log {
    /// Opens the log of a match with these settings, or begins one; the games that it has so far are
    /// returned, and whether a last line that was only half there was taken off.
    ///
    /// # Errors
    ///
    /// When the file cannot be used, is written by another match, is damaged or has other settings.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Vec<GameRecord>, bool), LogError> {
        let io = |error| LogError::new(path, Trouble::Io(error));
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match fs4::FileExt::try_lock(&file) {
            Ok(()) => {}
            Err(fs4::TryLockError::WouldBlock) => return Err(LogError::new(path, Trouble::Busy)),
            Err(fs4::TryLockError::Error(error)) => return Err(io(error)),
        }
        let text = read_text(&mut file, path)?;
        let whole = whole_lines(&text);
        let mut log = Self { file, path: path.to_owned() };
        let mut games = Vec::new();
        if whole == 0 {
            if !serde_json::to_string(header).is_ok_and(|line| line.starts_with(&text)) {
                return Err(LogError::new(path, Trouble::NoMatch));
            }
            log.cut(0).map_err(io)?;
            log.write(header).map_err(io)?;
        } else {
            let contents = parse(&text, path)?;
            if let Some(difference) = first_difference(&contents.header, header) {
                return Err(LogError::new(path, Trouble::Settings(difference)));
            }
            games = contents.games;
            log.cut(whole as u64).map_err(io)?;
        }
        Ok((log, games, whole < text.len()))
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

/// Reads a log.
///
/// # Errors
///
/// When the file cannot be read or is damaged.
pub fn read(path: &Path) -> Result<Contents, LogError> {
    let file = File::open(path).map_err(|error| LogError::new(path, Trouble::Io(error)));
    parse(&read_text(&mut file?, path)?, path)
}

/// Puts the logs of parts of one match together; the games are sorted by number.
///
/// # Errors
///
/// When a log cannot be read, or settings differ, or a game is there twice.
pub fn merge(paths: &[PathBuf]) -> Result<Contents, LogError> {
    let mut merged: Option<Contents> = None;
    for path in paths {
        let contents = read(path)?;
        let Some(all) = &mut merged else {
            merged = Some(contents);
            continue;
        };
        if let Some(difference) = first_difference(&contents.header, &all.header) {
            return Err(LogError::new(path, Trouble::Settings(difference)));
        }
        all.games.extend(contents.games);
        all.is_cut |= contents.is_cut;
        check_doubles(&all.games, path)?;
    }
    let nothing = || LogError::new(Path::new(""), Trouble::NoMatch);
    let mut merged = merged.ok_or_else(nothing)?;
    merged.games.sort_by_key(|game| game.game);
    Ok(merged)
}

/// Where the last line ends that is there as a whole.
fn whole_lines(text: &str) -> usize {
    text.rfind('\n').map_or(0, |at| at + 1)
}

fn read_text(file: &mut File, path: &Path) -> Result<String, LogError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| LogError::new(path, Trouble::Io(error)))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn parse(text: &str, path: &Path) -> Result<Contents, LogError> {
    let whole = whole_lines(text);
    let mut lines = text[..whole].lines();
    let no_match = || LogError::new(path, Trouble::NoMatch);
    let header: Header =
        lines.next().and_then(|line| serde_json::from_str(line).ok()).ok_or_else(no_match)?;
    if header.millstone_match != Header::FORM {
        return Err(no_match());
    }
    let mut games = Vec::new();
    for (number, line) in (2..).zip(lines) {
        let game = serde_json::from_str::<GameRecord>(line).ok();
        let game = game.filter(GameRecord::is_consistent);
        games.push(game.ok_or_else(|| {
            LogError::new(path, Trouble::Damaged { line: number, found: quote(line) })
        })?);
    }
    check_doubles(&games, path)?;
    Ok(Contents { header, games, is_cut: whole < text.len() })
}

fn check_doubles(games: &[GameRecord], path: &Path) -> Result<(), LogError> {
    let mut numbers = BTreeSet::new();
    match games.iter().find(|game| !numbers.insert(game.game)) {
        Some(double) => Err(LogError::new(path, Trouble::Doubled(double.game))),
        None => Ok(()),
    }
}

/// The first setting that differs, with both of its values.
fn first_difference(found: &Header, expected: &Header) -> Option<String> {
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
        _ => Some(format!("expected {name} to be {expected}, found {found}")),
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
            Trouble::Busy => f.write_str("expected a log that no other match is writing"),
            Trouble::NoMatch => f.write_str("expected the log of a match"),
            Trouble::Damaged { line, found } => {
                write!(f, "line {line}: expected a game, found '{found}'")
            }
            Trouble::Settings(difference) => write!(f, "another match: {difference}"),
            Trouble::Doubled(game) => write!(f, "expected each game once, found game {game} twice"),
        }
    }
}

impl std::error::Error for LogError {}
