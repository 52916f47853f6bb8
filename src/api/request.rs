//! What requests have in common: a game, a record and the limits of a search.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::notes::Notes;
use super::{Refusal, ensure};
use crate::analysis::Effort;
use crate::board::Side;
use crate::game::History;
use crate::position::{Move, Turn};
use crate::quote::quote;
use crate::records::{GameRecord, GameResult};
use crate::rules::{Preset, RuleSet};
use crate::search::MAX_DEPTH;

/// The most bytes of a request about one game.
pub const SMALL: usize = 64 << 10;
/// The most bytes of a request with records.
pub const LARGE: usize = 1 << 20;

/// The most moves of a game.
pub const MOST_MOVES: usize = 4_000;
/// The longest time of a search in milliseconds.
pub const MOST_TIME: u64 = 60_000;
/// The time of a search that names none, in milliseconds.
pub const USUAL_TIME: u64 = 1_000;
/// The most lines of play.
pub const MOST_LINES: usize = 96;

/// Reads a request.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad(format_args!("the request: {error}")))
}

/// A game: its rules, its start and its moves.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameText {
    /// The name of the game, as `GET /api/1` lists it.
    variant: Option<String>,
    /// Position text, if it is not the start position of the game.
    start: Option<String>,
    /// Moves or whole turns.
    moves: Vec<String>,
}

impl GameText {
    /// Plays the moves. Draws by history count unless the game goes on after one.
    ///
    /// * `usual`: the rules of a game that names none.
    pub fn play(&self, usual: &RuleSet) -> Result<History, Refusal> {
        let rules = rules(self.variant.as_deref(), usual)?;
        let turns = self.moves.iter().map(|word| word.parse().map_err(Refusal::bad));
        let turns: Vec<Turn> = turns.collect::<Result<_, _>>()?;
        let moves: Vec<Move> = turns.iter().flat_map(Turn::moves).copied().collect();
        check("moves", moves.len(), 0..=MOST_MOVES)?;
        History::replay(self.start.as_deref(), &rules, moves.into_iter()).map_err(Refusal::bad)
    }
}

/// The rules of a game that can be played here.
pub fn rules(variant: Option<&str>, usual: &RuleSet) -> Result<RuleSet, Refusal> {
    let Some(name) = variant else { return Ok(*usual) };
    let rules = RuleSet::from_name(name).ok().filter(|rules| is_played(rules, usual));
    rules.ok_or_else(|| Refusal::bad(format!("there is no game '{}'", quote(name))))
}

/// Whether rules have a name or are those of the server: each game that is looked at gets a tablebase.
fn is_played(rules: &RuleSet, usual: &RuleSet) -> bool {
    Preset::of(rules).is_some() || rules.canonical() == usual.canonical()
}

/// Refuses a game by rules that are not played here.
pub fn check_rules(record: &GameRecord, usual: &RuleSet) -> Result<(), Refusal> {
    ensure(is_played(&record.rules, usual), "only games that have a name are played here")
}

/// A game, or one of those that a text holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordSource {
    game: Option<GameText>,
    text: Option<String>,
    /// Which one of the text, from 0.
    #[serde(default)]
    index: usize,
    /// The name of the game of a text that names none.
    variant: Option<String>,
    /// Who played a game, and how it ended, if its moves do not tell that.
    played: Option<Played>,
    /// What was said of its moves.
    notes: Option<Notes>,
}

/// What the moves of a game do not tell.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    white: Option<String>,
    black: Option<String>,
    /// Who won a game that goes on by its rules: a side, or Draw.
    winner: Option<String>,
    /// Why, such as time loss.
    termination: Option<String>,
}

impl Played {
    /// The most bytes of a name or reason.
    const MOST_BYTES: usize = 100;

    /// Writes it into the record of the game.
    fn tell(&self, record: &mut GameRecord) -> Result<(), Refusal> {
        let tells_end = self.winner.is_some() || self.termination.is_some();
        let is_open = !tells_end || record.result == GameResult::Unknown;
        ensure(is_open, "winner, termination: the game is over by its rules")?;
        let tags =
            [("White", &self.white), ("Black", &self.black), ("Termination", &self.termination)];
        for (name, value) in tags {
            let Some(value) = value else { continue };
            let key = name.to_lowercase();
            check(&key, value.len(), 0..=Self::MOST_BYTES)?;
            let is_line = !value.chars().any(char::is_control);
            ensure(is_line, format_args!("{key}: expected one line"))?;
            record.set_tag(name, value.as_str());
        }
        if let Some(winner) = &self.winner {
            let ends = Side::ALL.map(|side| (side.to_string(), GameResult::won_by(side)));
            let mut ends = ends.into_iter().chain([("Draw".to_owned(), GameResult::Draw)]);
            let end = ends.find(|(name, _)| name == winner);
            let wrong =
                || format!("winner: expected White, Black or Draw, found '{}'", quote(winner));
            record.result = end.ok_or_else(|| Refusal::bad(wrong()))?.1;
        }
        Ok(())
    }
}

impl RecordSource {
    /// The record of the game.
    pub fn record(&self, usual: &RuleSet) -> Result<GameRecord, Refusal> {
        match (&self.game, &self.text) {
            (Some(game), None) if self.variant.is_none() => {
                let mut record = GameRecord::from(&game.play(usual)?);
                self.played.iter().try_for_each(|played| played.tell(&mut record))?;
                self.notes.iter().try_for_each(|notes| notes.tell(&mut record))?;
                Ok(record)
            }
            (None, Some(text)) if self.played.is_none() && self.notes.is_none() => {
                let rules = rules(self.variant.as_deref(), usual)?;
                let mut records = GameRecord::read_each_by(text, &rules);
                let record = records.nth(self.index);
                let missing = || Refusal::bad(format!("the text has no game {}", self.index));
                let record = record.ok_or_else(missing)?.map_err(Refusal::bad)?;
                check_rules(&record, usual)?;
                Ok(record)
            }
            _ => Err(Refusal::bad(
                "expected either game and perhaps played and notes, or text and perhaps index and variant",
            )),
        }
    }
}

/// The limits of a search; the first one reached ends it.
#[derive(Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitsText {
    depth: u32,
    nodes: Option<u64>,
    /// In milliseconds.
    time: u64,
    lines: usize,
}

impl Default for LimitsText {
    fn default() -> Self {
        Self { depth: MAX_DEPTH, nodes: None, time: USUAL_TIME, lines: 1 }
    }
}

impl LimitsText {
    /// The limits, if each is in its range.
    pub fn effort(self) -> Result<Effort, Refusal> {
        check("depth", self.depth, 1..=MAX_DEPTH)?;
        check("nodes", self.nodes.unwrap_or(1), 1..=u64::MAX)?;
        check("time", self.time, 1..=MOST_TIME)?;
        check("lines", self.lines, 1..=MOST_LINES)?;
        let time = Some(Duration::from_millis(self.time));
        Ok(Effort { depth: self.depth, nodes: self.nodes, time, lines: self.lines })
    }
}

/// A game to search, and how far.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    pub game: GameText,
    pub limits: Option<LimitsText>,
}

/// Refuses a number that is out of range.
pub fn check<T: Copy + PartialOrd + Display>(
    name: &str,
    number: T,
    range: RangeInclusive<T>,
) -> Result<(), Refusal> {
    let (least, most) = (range.start(), range.end());
    let expected = format_args!("{name}: expected {least} to {most}, found {number}");
    ensure(range.contains(&number), expected)
}
