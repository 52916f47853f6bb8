//! The words of the page's API, from a request to its answer, whatever brings them: `millstone serve` by HTTP,
//! a page without a server by the messages of a worker; and what requests have in common.
//!
//! ```text
//! game, puzzle, records   the words
//! json                    shapes that the commands print too
//! ```
//!
//! A new word is a line of [`WORDS`] and a function; `commands/serve/api.txt` explains it.

mod game;
pub(crate) mod json;
mod puzzle;
mod records;

pub use records::{LONGEST, MOST_GAMES};

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use crate::analysis::Effort;
use crate::board::{Square, lines};
use crate::clusters::SizeError;
use crate::game::{Game, History};
use crate::position::{Move, Turn};
use crate::quote::quote;
use crate::records::Notation;
use crate::rules::{DrawRules, PRESETS, Preset, RuleSet};
use crate::search::{Engine, MAX_DEPTH, MAX_LINES, Skill};
use crate::tablebase::{Solvable, Tablebase};
use records::MOST_TURNS;

/// The version of the API.
pub const VERSION: u8 = 1;

/// A word of the API.
pub struct Word {
    /// What it is called.
    pub name: &'static str,
    /// The most bytes of a request.
    pub most_bytes: usize,
    /// Gives the work that a request, as JSON, asks for, or why it cannot be carried out.
    pub read: Read,
}

/// A function that reads a request.
pub type Read = fn(&[u8], &dyn Site) -> Result<Job, Refusal>;

/// All words that have requests.
pub static WORDS: [Word; 8] = [
    word("position", SMALL, |body, site| game::position(&parse(body)?, site)),
    word("move", SMALL, |body, site| game::play(&parse(body)?, site)),
    word("analysis", SMALL, |body, site| game::analysis(&parse(body)?, site)),
    word("lesson", SMALL, |body, site| game::lesson(&parse(body)?, site)),
    word("review", LARGE, |body, site| records::review(&parse(body)?, site)),
    word("puzzle", SMALL, |body, site| puzzle::job(parse(body)?, site)),
    word("games", LARGE, |body, site| records::read(&parse(body)?, site)),
    word("record", LARGE, |body, site| records::write(&parse(body)?, site)),
];

const fn word(name: &'static str, most_bytes: usize, read: Read) -> Word {
    Word { name, most_bytes, read }
}

/// Says what the site is and can do.
pub fn about(site: &dyn Site) -> Value {
    let own = Some(site.rules()).filter(|rules| Preset::of(rules).is_none());
    let games = PRESETS.iter().map(|preset| &preset.rules).chain(own);
    serde_json::json!({
        "api": VERSION,
        "version": env!("CARGO_PKG_VERSION"),
        "tablebase": site.has_tablebases(),
        "levels": {"least": 0, "most": Skill::FULL.level(), "usual": Skill::USUAL.level()},
        "notations": Notation::ALL.map(Notation::name),
        "most": {
            "depth": MAX_DEPTH,
            "time": MOST_TIME,
            "lines": MAX_LINES,
            "moves": MOST_MOVES,
            "turns": MOST_TURNS,
            // Of a request that has a game of moves, and of one that has the text of a record.
            "bytes": SMALL,
            "record_bytes": LARGE,
        },
        "points": Square::ALL,
        "usual": site.rules().name(),
        "usual_time": USUAL_TIME,
        "games": games.map(about_game).collect::<Vec<_>>(),
    })
}

fn about_game(rules: &RuleSet) -> Value {
    serde_json::json!({
        "name": rules.name(),
        "identity": rules.identity(),
        "men": rules.men,
        "summary": rules.summary(),
        "sentences": rules.sentences().lines().collect::<Vec<_>>(),
        "lines": lines::lines(rules.diagonals),
        "has_tablebase": Solvable::of(rules).is_ok(),
    })
}

/// Why a request is refused.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct Refusal {
    /// The status by which HTTP says so.
    pub status: u16,
    message: String,
}

impl Refusal {
    /// A refusal with a status of HTTP, and why.
    pub fn new(status: impl Into<u16>, message: impl Into<String>) -> Self {
        Self { status: status.into(), message: message.into() }
    }

    /// A request that cannot be carried out as it is.
    pub fn bad(error: impl Display) -> Self {
        Self::new(400_u16, error.to_string())
    }
}

/// Refuses a request unless something holds.
fn ensure(holds: bool, otherwise: impl Display) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::bad(otherwise)) }
}

impl From<SizeError> for Refusal {
    /// There is no room for it now.
    fn from(error: SizeError) -> Self {
        Self::new(503_u16, error.to_string())
    }
}

/// What is wrong, as JSON.
pub fn error(error: impl Display) -> Value {
    serde_json::json!({"error": error.to_string()})
}

/// What all requests share.
pub trait Site {
    /// The rules of games that name none.
    fn rules(&self) -> &RuleSet;

    /// Whether tablebases are used.
    fn has_tablebases(&self) -> bool;

    /// The tablebase of a game as it is now, if it can have one.
    fn tablebase(&self, rules: &RuleSet) -> Option<Arc<Tablebase>> {
        self.tablebase_with_small(rules, &|| false)
    }

    /// The tablebase of a game with the small sectors, as long as somebody waits for them.
    fn tablebase_with_small(
        &self,
        rules: &RuleSet,
        is_awaited: &dyn Fn() -> bool,
    ) -> Option<Arc<Tablebase>>;

    /// A number that nobody foresees.
    fn seed(&self) -> u64;
}

/// Who has asked.
pub trait Client {
    /// Whether nobody waits for the answer any more.
    fn is_gone(&self) -> bool;

    /// Takes an event.
    ///
    /// * `data`: JSON.
    fn send(&self, name: &str, data: &str);

    /// Takes an event, unless it has not read those before.
    fn send_if_idle(&self, name: &str, data: &str) {
        self.send(name, data);
    }
}

/// The work that a request asks for.
pub enum Job {
    /// None: this is the answer.
    Answer(Value),
    /// A search.
    Search(Search),
}

impl Job {
    fn search(
        role: Role,
        purpose: Purpose,
        events: Option<usize>,
        run: impl FnOnce(Engine, &dyn Site, &dyn Client) -> Searched + Send + 'static,
    ) -> Self {
        Self::Search(Search { role, purpose, events, run: Box::new(run) })
    }
}

/// What an engine does for the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It plays.
    Player,
    /// It gives advice, which must not make a player stronger.
    Analyst,
}

/// What searches must have in common to share a table: scores under other rules are wrong, and those of a
/// stronger level would help a weaker one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose {
    /// The rules of the game.
    pub rules: RuleSet,
    draws: DrawRules,
    skill: Skill,
}

impl Purpose {
    /// To search a game at a level.
    fn of(game: &Game, skill: Skill) -> Self {
        Self { rules: *game.rules(), draws: game.draw_rules(), skill }
    }

    /// To review whole games or to grade puzzles, which begins with an empty table.
    pub(crate) fn review(rules: &RuleSet) -> Self {
        Self { rules: *rules, draws: DrawRules::default(), skill: Skill::FULL }
    }
}

/// An answer, and the engine for the next search.
pub type Searched = (Result<Value, Refusal>, Engine);

/// What a search does with the engine that is lent to it.
pub type Run = dyn FnOnce(Engine, &dyn Site, &dyn Client) -> Searched + Send;

/// A search to come.
pub struct Search {
    /// Who searches.
    pub role: Role,
    /// What for.
    pub purpose: Purpose,
    /// How many events may wait to be read; none if the search sends none.
    pub events: Option<usize>,
    /// Searches with an engine whose table is empty or has served the same purpose.
    pub run: Box<Run>,
}

/// The most bytes of a request about one game.
const SMALL: usize = 64 << 10;
/// The most bytes of a request with records.
const LARGE: usize = 1 << 20;

/// The most moves of a game.
const MOST_MOVES: usize = 4_000;
/// The longest time of a search in milliseconds.
pub const MOST_TIME: u64 = 60_000;
/// The time of a search that names none, in milliseconds.
pub const USUAL_TIME: u64 = 1_000;

/// Reads a request.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::bad(format_args!("the request: {error}")))
}

/// A game: its rules, its start and its moves.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct GameText {
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
    fn play(&self, usual: &RuleSet) -> Result<History, Refusal> {
        let rules = rules(self.variant.as_deref(), usual)?;
        let turns = self.moves.iter().map(|word| word.parse().map_err(Refusal::bad));
        let turns: Vec<Turn> = turns.collect::<Result<_, _>>()?;
        let moves: Vec<Move> = turns.iter().flat_map(Turn::moves).copied().collect();
        check("moves", moves.len(), 0..=MOST_MOVES)?;
        History::replay(self.start.as_deref(), &rules, moves.into_iter()).map_err(Refusal::bad)
    }
}

/// The rules of a game that can be played here.
fn rules(variant: Option<&str>, usual: &RuleSet) -> Result<RuleSet, Refusal> {
    let Some(name) = variant else { return Ok(*usual) };
    let rules = RuleSet::from_name(name).ok().filter(|rules| is_played(rules, usual));
    rules.ok_or_else(|| Refusal::bad(format!("there is no game '{}'", quote(name))))
}

/// Whether rules have a name or are those of the server: each game that is looked at gets a tablebase.
fn is_played(rules: &RuleSet, usual: &RuleSet) -> bool {
    Preset::of(rules).is_some() || rules.canonical() == usual.canonical()
}

/// The limits of a search; the first one reached ends it.
#[derive(Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LimitsText {
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
    fn effort(self) -> Result<Effort, Refusal> {
        check("depth", self.depth, 1..=MAX_DEPTH)?;
        check("nodes", self.nodes.unwrap_or(1), 1..=u64::MAX)?;
        check("time", self.time, 1..=MOST_TIME)?;
        check("lines", self.lines, 1..=MAX_LINES as usize)?;
        let time = Some(Duration::from_millis(self.time));
        Ok(Effort { depth: self.depth, nodes: self.nodes, time, lines: self.lines })
    }
}

/// A game to search, and how far.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchRequest {
    game: GameText,
    limits: Option<LimitsText>,
}

/// Refuses a number that is out of range.
fn check<T: Copy + PartialOrd + Display>(
    name: &str,
    number: T,
    range: RangeInclusive<T>,
) -> Result<(), Refusal> {
    let (least, most) = (range.start(), range.end());
    let expected = format_args!("{name}: expected {least} to {most}, found {number}");
    ensure(range.contains(&number), expected)
}
