//! The entries of a match log: the settings, then the games, a line of JSON each.

use std::fmt;
use std::path::PathBuf;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::shard::{MOST_GAMES, Shard};
use crate::position::{Move, MoveTextError};
use crate::quote::printable;
use crate::records::{GameRecord, GameResult};
use crate::rules::RuleSet;

/// The settings of a match and which of its games are played; the first line of its log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogHeader {
    /// The version of the format.
    pub millstone_match: u32,
    /// The version of the program that referees.
    pub referee: String,
    /// The engines; results are those of the first.
    pub engines: [EngineHeader; 2],
    /// The name of the rules, as [`RuleSet::name`] has it.
    pub rules: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// A description of the openings.
    pub openings: String,
    /// Plies after which a game is drawn.
    pub max_plies: usize,
    /// The part of the match that the log holds.
    pub shard: Shard,
    /// The number of games when the log was begun; the match may be lengthened.
    pub games: u64,
}

impl LogHeader {
    /// The version of the format; other versions are not read.
    pub(super) const VERSION: u32 = 2;

    /// Whether this program can have written it.
    pub(super) fn is_consistent(&self) -> bool {
        self.millstone_match == Self::VERSION
            && self.games <= MOST_GAMES
            && RuleSet::from_name(&self.rules).is_ok()
    }

    /// The settings that all parts of a match have in common, on whatever machine they are played.
    pub(super) fn of_all_parts(&self) -> Self {
        let mut common = Self { shard: Shard::WHOLE, games: 0, ..self.clone() };
        for engine in &mut common.engines {
            engine.command.clear();
            engine.folder = None;
        }
        common
    }
}

/// The settings of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineHeader {
    /// Its name in the results.
    pub name: String,
    /// The name that it gives itself, usually with its version.
    pub id: String,
    /// Its dialect, `uci` or `gbgp`.
    pub dialect: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The folder in which it runs; the one of the match if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Its options as `Name=value`.
    pub options: Vec<String>,
    /// Its limit for a search or a game.
    pub limit: String,
    /// How much later than its limit a move may arrive, in milliseconds.
    pub margin: u64,
}

/// One game; a line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The number of the game, from 0; those of a pair are an even number and the next.
    pub game: u64,
    /// Which engine had White, 0 or 1.
    pub white: usize,
    /// Who won.
    #[serde(deserialize_with = "read_result")]
    pub result: GameResult,
    /// The reason of the result.
    pub reason: String,
    /// The position text of the start; none for the start position of the game.
    pub start: Option<String>,
    /// The number of plies of the opening.
    pub opening_plies: usize,
    /// All moves, with blanks between them.
    pub moves: String,
    /// How long each engine thought, in milliseconds.
    pub thought: [u64; 2],
    /// When the game ended.
    pub ended: jiff::Timestamp,
    /// The engine that lost by an error.
    #[serde(rename = "fault", skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<Forfeit>,
}

/// Which engine lost its game by an error, and which error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// The engine, 0 or 1.
    pub engine: usize,
    /// What it did.
    #[serde(flatten)]
    pub error: EngineError,
}

impl LogEntry {
    /// The engine that has White in a game.
    #[must_use]
    pub const fn white_in(game: u64) -> usize {
        (game % 2) as usize
    }

    /// Whether a match with these settings can have the game.
    pub(super) fn belongs_to(&self, header: &LogHeader) -> bool {
        self.game < MOST_GAMES
            && header.shard.has_pair(self.pair())
            && self.white == Self::white_in(self.game)
            && self.forfeit.as_ref().is_none_or(|forfeit| forfeit.engine < 2)
    }

    /// The number of the pair.
    #[must_use]
    pub const fn pair(&self) -> u64 {
        self.game / 2
    }

    /// The first engine's points, twice.
    #[must_use]
    pub const fn half_points(&self) -> usize {
        match (self.result, self.white) {
            (GameResult::Draw, _) => 1,
            (GameResult::WhiteWins, 0) | (GameResult::BlackWins, 1) => 2,
            _ => 0,
        }
    }

    /// The number of plies, those of the opening included.
    #[must_use]
    pub fn count_plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The game record.
    ///
    /// # Errors
    ///
    /// When the moves cannot be read, as in a log that was changed.
    pub fn to_record(
        &self,
        header: &LogHeader,
        rules: &RuleSet,
    ) -> Result<GameRecord, MoveTextError> {
        let moves: Result<Vec<Move>, _> = self.moves.split_whitespace().map(str::parse).collect();
        let mut record = GameRecord {
            rules: *rules,
            start: self.start.clone(),
            main_line: moves?.into_iter().collect(),
            result: self.result,
            ..GameRecord::default()
        };
        let day = self.ended.to_zoned(jiff::tz::TimeZone::UTC).date();
        record.set_tag("Event", "Millstone match");
        record.set_tag("Site", "?");
        record.set_tag("Date", format!("{}.{}.{}", day.year(), day.month(), day.day()));
        record.set_tag("Round", format!("{}.{}", self.pair() + 1, self.game % 2 + 1));
        record.set_tag("White", header.engines[self.white].name.as_str());
        record.set_tag("Black", header.engines[1 - self.white].name.as_str());
        record.set_tag("Termination", self.reason.as_str());
        Ok(record)
    }
}

/// An error by which an engine loses the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineErrorKind {
    /// The engine ends.
    Crash,
    /// It sends no move, not even late.
    Hang,
    /// Its move cannot be played.
    IllegalMove,
    /// What it sends is no move.
    Garbage,
    /// Its move comes too late.
    TimeLoss,
    /// Its dialect cannot express the game.
    Unable,
}

impl fmt::Display for EngineErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::IllegalMove => "illegal move",
            Self::Garbage => "garbage",
            Self::TimeLoss => "time loss",
            Self::Unable => "unable",
        })
    }
}

/// An error of an engine, with what it printed last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {}", self.report())]
pub struct EngineError {
    /// What went wrong.
    pub kind: EngineErrorKind,
    /// The error in a sentence.
    pub message: String,
    /// The lines that the engine printed last.
    pub last_lines: Vec<String>,
}

impl EngineError {
    /// An error without lines of the engine.
    pub(super) fn new(kind: EngineErrorKind, message: String) -> Self {
        Self { kind, message, last_lines: Vec::new() }
    }

    /// The sentence, then the lines that the engine printed last; control characters are escaped.
    #[must_use]
    pub fn report(&self) -> String {
        let last_lines = self.last_lines.iter().map(|line| format!("\n  | {}", printable(line)));
        printable(&self.message) + &last_lines.collect::<String>()
    }
}

fn read_result<'de, D: Deserializer<'de>>(from: D) -> Result<GameResult, D::Error> {
    let word = String::deserialize(from)?;
    let result = GameResult::from_word(&word).filter(|result| *result != GameResult::Unknown);
    result.ok_or_else(|| D::Error::custom("expected the result of a game that is over"))
}
