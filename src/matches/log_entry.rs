//! The entries of a match log: the settings, then the games, a line of JSON each.

use std::path::PathBuf;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::shard::{MOST_GAMES, Shard};
use crate::position::Move;
use crate::quote::printable;
use crate::records::{GameRecord, GameResult};
use crate::rules::RuleSet;

/// The settings of a match and which of its games are played; the first line of its log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogHeader {
    /// The version of the format.
    pub millstone_match: u32,
    /// The version of the referee.
    pub referee: String,
    /// The engines; results are those of the first.
    pub engines: [EngineHeader; 2],
    /// The [name](RuleSet::name) of the rules.
    pub rules: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// A description of the openings.
    pub openings: String,
    /// Plies after which a game is drawn.
    pub max_plies: usize,
    /// The part of the match that the log holds.
    #[serde(serialize_with = "write_shard", deserialize_with = "read_shard")]
    pub shard: Shard,
    /// The number of games when the log was created; a match may be extended.
    pub games: u64,
}

impl LogHeader {
    /// The version of the format; others are not read.
    pub(super) const VERSION: u32 = 2;

    /// Whether this program can have written it.
    pub(super) fn is_consistent(&self) -> bool {
        self.millstone_match == Self::VERSION
            && self.games <= MOST_GAMES
            && RuleSet::from_name(&self.rules).is_ok()
    }

    /// The settings that all parts of a match must share: programs may lie in different folders.
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
    /// The name it reports, usually with a version.
    pub id: String,
    /// Its dialect, `uci` or `gbgp`.
    pub dialect: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its working directory, if not that of the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Its options as `Name=value`.
    pub options: Vec<String>,
    /// Its limit for a search or a game.
    pub limit: String,
    /// The grace period after its limit, in milliseconds.
    pub margin: u64,
}

/// One game; a line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The number of the game, from 0; games 2n and 2n + 1 are a pair.
    pub game: u64,
    /// Which engine had White, 0 or 1.
    pub white: usize,
    /// Who won.
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
    pub(super) fn belongs_to(&self, header: &LogHeader) -> bool {
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

    /// The number of plies, including the opening.
    pub fn count_plies(&self) -> usize {
        self.moves.split_whitespace().count()
    }

    /// The game record.
    ///
    /// # Errors
    ///
    /// If the moves cannot be read, as in a log that was edited.
    pub fn to_record(
        &self,
        header: &LogHeader,
        rules: &RuleSet,
    ) -> Result<GameRecord, crate::Error> {
        let moves: Result<Vec<Move>, _> = self.moves.split_whitespace().map(str::parse).collect();
        let mut record = GameRecord {
            rules: *rules,
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

/// The kinds of errors that forfeit a game.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error,
)]
#[serde(rename_all = "snake_case")]
pub enum EngineErrorKind {
    /// The engine terminates.
    #[error("crash")]
    Crash,
    /// It never sends a move.
    #[error("hang")]
    Hang,
    /// Its move is illegal.
    #[error("illegal move")]
    IllegalMove,
    /// Its reply is not a move.
    #[error("garbage")]
    Garbage,
    /// Its move is late.
    #[error("time loss")]
    TimeLoss,
    /// Its dialect cannot express the game.
    #[error("unable")]
    Unable,
}

/// An error of an engine, with the last lines that it printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {}", self.report())]
pub struct EngineError {
    /// The kind of error.
    pub kind: EngineErrorKind,
    /// The error in words.
    pub message: String,
    /// The lines that the engine printed last.
    pub last_lines: Vec<String>,
}

impl EngineError {
    /// The error of a dialect that cannot express the game.
    pub(super) fn unable(message: String) -> Self {
        Self { kind: EngineErrorKind::Unable, message, last_lines: Vec::new() }
    }

    /// The message and the engine's last lines, with control characters escaped.
    pub fn report(&self) -> String {
        let last_lines = self.last_lines.iter().map(|line| format!("\n  | {}", printable(line)));
        printable(&self.message) + &last_lines.collect::<String>()
    }
}

fn write_shard<S: Serializer>(shard: &Shard, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(shard)
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
    use super::*;

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
        let record = game.to_record(&header, &RuleSet::default()).unwrap();
        assert_eq!(record.tag("Date"), Some("2026.1.2"));
    }
}
