//! The log of a match, a file of JSON lines: the settings, then each game as soon as it has ended.
//!
//! The result of a match is computed from its log, and an interrupted match resumes where the log ends.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::{EngineError, MOST_GAMES, Shard};
use crate::Error;
use crate::position::Move;
use crate::records::{GameRecord, GameResult, Notation};
use crate::rules::RuleSet;
use crate::system::{locks, regular_file};

/// The maximum length of a line in bytes.
const LONGEST_LINE: u64 = 1 << 20;
const NO_MATCH: &str = "not the log of a match";
const OTHER_SETTINGS: &str = "the log of a match with other settings";

/// A file to which a match appends its games, locked against other writers: its log or its game records.
#[derive(Debug)]
pub struct Log {
    file: File,
    path: PathBuf,
    format: Format,
}

/// Formats a game.
type Format = fn(&LogEntry, &LogHeader) -> Result<String, Error>;

/// An error in a file.
type Trouble = Box<dyn std::error::Error + Send + Sync>;

/// Adds the path of a file to its error.
fn at<E: Display>(path: &Path) -> impl Fn(E) -> Error {
    move |error| Error(format!("{}: {error}", path.display()))
}

impl Log {
    /// Opens or creates the log of a match with these settings. Returns the games in it and whether an
    /// incomplete last line was removed.
    ///
    /// # Errors
    ///
    /// If the log is damaged, has other settings, is in use or cannot be read or written.
    pub fn open(path: &Path, header: &LogHeader) -> Result<(Self, Vec<LogEntry>, bool), Error> {
        Self::try_open(path, header).map_err(at(path))
    }

    /// Opens or creates a file of game records in Sanmill's notation, and appends the games played so far that it
    /// lacks.
    ///
    /// # Errors
    ///
    /// If the file holds anything but games of this match, is in use or cannot be read or written.
    pub fn of_records(path: &Path, header: &LogHeader, games: &[LogEntry]) -> Result<Self, Error> {
        let records = games.iter().map(|game| record_text(game, header));
        Self::try_records(path, records.collect::<Result<_, _>>()?).map_err(at(path))
    }

    fn try_open(path: &Path, header: &LogHeader) -> Result<(Self, Vec<LogEntry>, bool), Trouble> {
        let mut log = Self::lock(path, |game, _| with_checksum(game))?;
        let first_line = with_checksum(header)?;
        let mut beginning = Vec::new();
        (&log.file).take(first_line.len() as u64).read_to_end(&mut beginning)?;
        if beginning.len() < first_line.len() && first_line.as_bytes().starts_with(&beginning) {
            log.write_at(0, &first_line)?;
            return Ok((log, Vec::new(), !beginning.is_empty()));
        }
        log.file.rewind()?;
        let (Contents { header: found, games }, length, is_cut) = read(&log.file)?;
        if found != (LogHeader { games: found.games, ..header.clone() }) {
            return Err(OTHER_SETTINGS.into());
        }
        log.write_at(length, "")?;
        Ok((log, games, is_cut))
    }

    fn try_records(path: &Path, mut missing: VecDeque<String>) -> Result<Self, Trouble> {
        let mut records = Self::lock(path, record_text)?;
        let mut content = Vec::new();
        records.file.read_to_end(&mut content)?;
        let mut rest = &content[..];
        while let Some(at) = missing.iter().position(|record| rest.starts_with(record.as_bytes())) {
            rest = &rest[missing.remove(at).map_or(0, |record| record.len())..];
        }
        // The last record may be truncated.
        let is_cut = |record: &String| record.as_bytes().starts_with(rest);
        if !rest.is_empty() && !missing.iter().any(is_cut) {
            return Err("contains something other than games of the log".into());
        }
        records.write_at((content.len() - rest.len()) as u64, &String::from_iter(missing))?;
        Ok(records)
    }

    fn lock(path: &Path, format: Format) -> Result<Self, Trouble> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let file = regular_file::open_with(&mut options, path)?;
        if !locks::try_lock(&file)? {
            return Err("another match is writing it".into());
        }
        Ok(Self { file, path: path.to_owned(), format })
    }

    /// Replaces what follows the first bytes of the file with a text.
    fn write_at(&mut self, length: u64, text: &str) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        self.write(text)
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()
    }

    /// Appends a game and flushes it to disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn append(&mut self, game: &LogEntry, header: &LogHeader) -> Result<(), Error> {
        let text = (self.format)(game, header)?;
        self.write(&text).map_err(at(&self.path))
    }
}

/// Formats a game as a record.
fn record_text(game: &LogEntry, header: &LogHeader) -> Result<String, Error> {
    let record = game.to_record(header).and_then(|record| record.write(Notation::Sanmill));
    record.map_err(|error| Error(format!("game {}: {error}", game.game + 1)))
}

/// The contents of a log.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The settings.
    pub header: LogHeader,
    /// The games in the order in which they ended.
    pub games: Vec<LogEntry>,
}

impl Contents {
    /// The numbers, from 1, of the pairs that lack a game.
    pub fn missing_pairs(&self) -> Vec<u64> {
        let numbers: BTreeSet<u64> = self.games.iter().map(|game| game.game).collect();
        let games = numbers.last().map_or(0, |last| last + 1).max(self.header.games);
        Shard::WHOLE.missing(games, &numbers).map(|games| games[0] / 2 + 1).collect()
    }
}

/// Merges the logs of the parts of a match; the games are sorted by number.
///
/// * `on_cut`: called with each log whose incomplete last line is ignored, as after a power cut.
///
/// # Errors
///
/// If a log cannot be read, the settings differ, or two logs have the same game.
pub fn merge(paths: &[PathBuf], on_cut: &mut dyn FnMut(&Path)) -> Result<Contents, Error> {
    let mut merged: Option<Contents> = None;
    for path in paths {
        let file = regular_file::open(path).map_err(at(path))?;
        let (Contents { header, games }, _, is_cut) = read(&file).map_err(at(path))?;
        if is_cut {
            on_cut(path);
        }
        let none = || Contents { header: header.clone(), games: Vec::new() };
        let all = merged.get_or_insert_with(none);
        if header.of_all_parts() != all.header.of_all_parts() {
            return Err(at(path)(OTHER_SETTINGS));
        }
        all.header.games = all.header.games.max(header.games);
        all.games.extend(games);
        check_doubles(&all.games).map_err(at(path))?;
    }
    let mut merged = merged.ok_or_else(|| at(Path::new(""))(NO_MATCH))?;
    merged.games.sort_by_key(|game| game.game);
    Ok(merged)
}

/// Reads a log line by line; rejects a file that is not a log after its first line. Also returns the length of the
/// complete lines in bytes, and whether an incomplete last line was ignored.
fn read(file: &File) -> Result<(Contents, u64, bool), Trouble> {
    let mut lines = BufReader::new(file);
    let mut next_line = || {
        let mut line = Vec::new();
        lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map(|_| line)
    };
    let first = String::from_utf8(next_line()?).unwrap_or_default();
    let header: Option<LogHeader> = serde_json::from_str(&first).ok();
    let is_whole = |header: &LogHeader| first.ends_with('\n') && header.is_consistent();
    let header = header.filter(is_whole).ok_or(NO_MATCH)?;
    let has_checksums = check(&first).is_some();
    let check_line = |line: usize, text: &str| {
        let fits = check(text).unwrap_or(!has_checksums);
        fits.then_some(()).ok_or_else(|| format!("line {line}: the checksum does not match"))
    };
    check_line(1, &first)?;
    let (mut games, mut length) = (Vec::new(), first.len() as u64);
    loop {
        let (line, bytes) = (games.len() + 2, next_line()?);
        if !bytes.ends_with(b"\n") {
            check_doubles(&games)?;
            return Ok((Contents { header, games }, length, !bytes.is_empty()));
        }
        let text = str::from_utf8(&bytes).unwrap_or_default();
        let game: LogEntry = serde_json::from_str(text).map_err(|_| {
            let found = String::from_utf8_lossy(&bytes);
            Error::found(format_args!("line {line}"), "a game", found.trim_end())
        })?;
        check_line(line, text)?;
        if !game.belongs_to(&header) {
            return Err(format!("line {line}: the game does not belong to this match").into());
        }
        length += text.len() as u64;
        games.push(game);
    }
}

/// Checks that no two games have the same number.
fn check_doubles(games: &[LogEntry]) -> Result<(), Trouble> {
    let mut numbers = BTreeSet::new();
    let double = games.iter().find(|game| !numbers.insert(game.game));
    double.map_or(Ok(()), |game| Err(format!("game {} occurs twice", game.game).into()))
}

/// The text around the digits of a checksum.
const BEFORE: &str = ",\"checksum\":\"";
const AFTER: &str = "\"}";

/// Formats a value as a line of JSON with a checksum: `{"game":0,"white":0}` becomes
/// `{"game":0,"white":0,"checksum":"a5e07b10"}`, with the CRC-32 of the line without this last field, in
/// hexadecimal. To a JSON parser the checksum is one more field.
fn with_checksum(value: &impl Serialize) -> Result<String, Error> {
    let text = serde_json::to_string(value).map_err(|error| Error(error.to_string()))?;
    let digits = digits(&text);
    let open = text.strip_suffix('}').unwrap_or(&text);
    Ok(format!("{open}{BEFORE}{digits}{AFTER}\n"))
}

/// Whether the checksum of a line matches; `None` if it has none, like the lines of older versions.
fn check(line: &str) -> Option<bool> {
    let (open, found) = line.trim_end().strip_suffix(AFTER)?.rsplit_once(BEFORE)?;
    Some(digits(&format!("{open}}}")) == found)
}

fn digits(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

/// The settings of a match and the part of it that is played; the first line of its log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogHeader {
    /// The version of the format.
    pub millstone_match: u32,
    /// The version of the referee.
    pub referee: String,
    /// The engines; results are for the first.
    pub engines: [EngineHeader; 2],
    /// The [name](RuleSet::name) of the rules.
    pub rules: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// A description of the openings.
    pub openings: String,
    /// The number of plies after which a game is drawn.
    pub max_plies: usize,
    /// The part of the match that the log holds.
    #[serde(deserialize_with = "read_shard")]
    pub shard: Shard,
    /// The number of games when the log was created; a match may be extended.
    pub games: u64,
}

impl LogHeader {
    /// The version of the format; other versions are not read.
    pub(super) const VERSION: u32 = 2;

    /// Whether this version of Millstone can have written the header.
    fn is_consistent(&self) -> bool {
        self.millstone_match == Self::VERSION
            && self.games <= MOST_GAMES
            && RuleSet::from_name(&self.rules).is_ok()
    }

    /// The settings that all parts of a match must share; commands and folders may differ.
    fn of_all_parts(&self) -> Self {
        let anywhere = |engine| EngineHeader { command: Vec::new(), folder: None, ..engine };
        let engines = self.engines.clone().map(anywhere);
        Self { engines, shard: Shard::WHOLE, games: 0, ..self.clone() }
    }
}

/// The settings of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineHeader {
    /// The name in the results.
    pub name: String,
    /// The name that the engine reports, usually with a version.
    pub id: String,
    /// The dialect, `uci` or `gbgp`.
    pub dialect: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The working directory; `None` for the directory of the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The options as `Name=value`.
    pub options: Vec<String>,
    /// The limit for a search or a game.
    pub limit: String,
    /// The grace period after the limit, in milliseconds.
    pub margin: u64,
}

/// One game; a line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The number of the game, from 0; games 2n and 2n + 1 are a pair.
    pub game: u64,
    /// The engine that had White, 0 or 1.
    pub white: usize,
    /// The result.
    #[serde(deserialize_with = "read_result")]
    pub result: GameResult,
    /// The reason for the result.
    pub reason: String,
    /// The position text of the start, if it is not the start position.
    pub start: Option<String>,
    /// The number of plies of the opening.
    pub opening_plies: usize,
    /// All moves, with blanks between them.
    pub moves: String,
    /// The thinking time of each engine, in milliseconds.
    pub thought: [u64; 2],
    /// When the game ended.
    pub ended: jiff::Timestamp,
    /// The error by which an engine forfeited the game.
    #[serde(rename = "fault", skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
}

/// A game lost by an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// The engine, 0 or 1.
    pub engine: usize,
    /// The error.
    #[serde(flatten)]
    pub error: EngineError,
}

impl LogEntry {
    /// The engine that has White in a game.
    pub const fn white_in(game: u64) -> usize {
        (game % 2) as usize
    }

    /// Whether the game can belong to a match with these settings.
    fn belongs_to(&self, header: &LogHeader) -> bool {
        self.game < MOST_GAMES
            && header.shard.has_pair(self.pair())
            && self.white == Self::white_in(self.game)
            && self.forfeit.as_ref().is_none_or(|forfeit| forfeit.engine < 2)
    }

    /// The number of the pair.
    pub const fn pair(&self) -> u64 {
        self.game / 2
    }

    /// Twice the points of the first engine.
    pub const fn half_points(&self) -> usize {
        match (self.result, self.white) {
            (GameResult::Draw, _) => 1,
            (GameResult::WhiteWins, 0) | (GameResult::BlackWins, 1) => 2,
            _ => 0,
        }
    }

    /// The game record.
    ///
    /// # Errors
    ///
    /// If the moves cannot be read, as in a log that was edited.
    pub fn to_record(&self, header: &LogHeader) -> Result<GameRecord, Error> {
        let moves: Result<Vec<Move>, _> = self.moves.split_whitespace().map(str::parse).collect();
        let mut record = GameRecord {
            rules: RuleSet::from_name(&header.rules)?,
            start: self.start.clone(),
            main_line: moves?.into_iter().collect(),
            result: self.result,
            ..GameRecord::default()
        };
        record.set_tag("Event", "Millstone match");
        record.set_tag("Site", "?");
        record.set_tag("Date", self.ended.strftime("%Y.%-m.%-d").to_string());
        record.set_tag("Round", format!("{}.{}", self.pair() + 1, self.game % 2 + 1));
        record.set_tag("White", header.engines[self.white].name.as_str());
        record.set_tag("Black", header.engines[1 - self.white].name.as_str());
        record.set_tag("Termination", self.reason.as_str());
        Ok(record)
    }
}

fn read_shard<'de, D: Deserializer<'de>>(from: D) -> Result<Shard, D::Error> {
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}

fn read_result<'de, D: Deserializer<'de>>(from: D) -> Result<GameResult, D::Error> {
    let word = String::deserialize(from)?;
    let result = GameResult::from_word(&word).filter(|result| *result != GameResult::Unknown);
    result.ok_or_else(|| D::Error::custom("expected the result of a game that is over"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn no_line_with_a_changed_bit_fits() {
        let value = BTreeMap::from([("moves", "d6 f4,\"checksum\":\"0\"}"), ("result", "1-0")]);
        let line = with_checksum(&value).unwrap();
        assert_eq!(check(&line), Some(true));
        let read: BTreeMap<&str, String> = serde_json::from_str(&line).unwrap();
        assert_eq!(read["moves"], value["moves"]);
        for bit in 0..(line.len() - 1) * 8 {
            let mut bytes = line.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let fits = str::from_utf8(&bytes).is_ok_and(|line| check(line) == Some(true));
            assert!(!fits, "bit {bit}");
        }
    }

    #[test]
    fn a_line_without_a_checksum_has_none() {
        assert_eq!(check("{\"game\":0}\n"), None);
        assert_eq!(check(""), None);
    }

    #[test]
    fn records_have_the_day_in_utc_without_zeros() {
        let game = r#"{"game":0,"white":0,"result":"1-0","reason":"","start":null,"opening_plies":0,
            "moves":"d6","thought":[0,0],"ended":"2026-01-02T23:59:59Z"}"#;
        let engine = r#"{"name":"a","id":"a","dialect":"uci","command":[],"options":[],"limit":"","margin":0}"#;
        let header = format!(
            r#"{{"millstone_match":2,"referee":"","engines":[{engine},{engine}],"rules":"Dooz",
            "seed":0,"openings":"","max_plies":1,"shard":"1/1","games":2}}"#
        );
        let game: LogEntry = serde_json::from_str(game).unwrap();
        let header = serde_json::from_str(&header).unwrap();
        let record = game.to_record(&header).unwrap();
        assert_eq!(record.tag("Date"), Some("2026.1.2"));
    }
}
