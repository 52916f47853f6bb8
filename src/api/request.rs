//! What requests have in common: a game and the limits of a search.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Refusal, ensure};
use crate::analysis::Effort;
use crate::game::History;
use crate::position::{Move, Turn};
use crate::quote::quote;
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
pub fn is_played(rules: &RuleSet, usual: &RuleSet) -> bool {
    Preset::of(rules).is_some() || rules.canonical() == usual.canonical()
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
