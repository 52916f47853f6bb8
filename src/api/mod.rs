//! The API of the page, from request to answer, independent of the transport: HTTP in `millstone serve`, the
//! messages of a worker in a page without a server.
//!
//! A word names a kind of request, such as `move`. A new one needs a line in [`WORDS`], a function, and an
//! explanation in `commands/serve/api.txt`.
//!
//! ```text
//! game, puzzle, records   the words
//! json                    JSON that the commands print too
//! ```

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

use crate::analysis::{Analyst, Effort};
use crate::board::{Square, spans};
use crate::clusters::SizeError;
use crate::game::{Game, History};
use crate::position::{Move, Turn};
use crate::quote::quote;
use crate::records::Notation;
use crate::rules::{DrawRules, PRESETS, Preset, RuleSet};
use crate::search::{MAX_DEPTH, MAX_LINES, Skill};
use crate::tablebase::{Solvable, Tablebase};
use records::MOST_TURNS;

/// The version of the API.
pub const VERSION: u8 = 1;

/// A kind of request.
pub struct Word {
    /// The name of the word.
    pub name: &'static str,
    /// The most bytes of a request.
    pub most_bytes: usize,
    /// Turns a request in JSON into a job, or says why it is refused.
    pub read: Read,
}

/// A function that reads a request.
pub type Read = fn(&[u8], &dyn Site) -> Result<Job, Refusal>;

/// All words.
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

/// Describes the site: its games, levels, notations, defaults and limits.
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
            // Of a request about one game, and of one with records.
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
        "lines": spans(rules.diagonals).iter().map(|span| span.points()).collect::<Vec<_>>(),
        "has_tablebase": Solvable::of(rules).is_ok(),
    })
}

/// The reason why a request is refused.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The HTTP status code.
    pub status: u16,
    message: String,
}

impl Refusal {
    /// Creates a refusal with an HTTP status code and a message.
    pub fn new(status: impl Into<u16>, message: impl Into<String>) -> Self {
        Self { status: status.into(), message: message.into() }
    }

    /// Creates a refusal of a bad request, with status 400.
    pub fn bad(error: impl Display) -> Self {
        Self::new(400_u16, error.to_string())
    }
}

/// Refuses a request unless a condition holds.
fn ensure(holds: bool, otherwise: impl Display) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::bad(otherwise)) }
}

impl From<SizeError> for Refusal {
    /// Converts to status 503: there is too little memory at the moment.
    fn from(error: SizeError) -> Self {
        Self::new(503_u16, error.to_string())
    }
}

/// Returns an error as a JSON object.
pub fn error(error: impl Display) -> Value {
    serde_json::json!({"error": error.to_string()})
}

/// The state that all requests share.
pub trait Site {
    /// Returns the rules of a request that names no game.
    fn rules(&self) -> &RuleSet;

    /// Whether the site uses tablebases.
    fn has_tablebases(&self) -> bool;

    /// Returns the tablebase of a game, if the game can have one.
    ///
    /// * `is_awaited`: as long as it returns `true`, waits for the small sectors to be solved.
    fn tablebase(&self, rules: &RuleSet, is_awaited: &dyn Fn() -> bool) -> Option<Arc<Tablebase>>;

    /// Returns an unpredictable seed.
    fn seed(&self) -> u64;
}

/// The sender of a request.
pub trait Client {
    /// Whether the client no longer waits for the answer.
    fn is_gone(&self) -> bool;

    /// Sends an event to the client, without waiting until it is read.
    ///
    /// * `data`: JSON.
    fn send(&self, name: &str, data: &str);
}

/// The work that a request asks for.
pub enum Job {
    /// No work: this is the answer.
    Answer(Value),
    /// A search.
    Search(Search),
}

impl Job {
    fn search(
        role: Role,
        purpose: Purpose,
        sends_events: bool,
        run: impl FnOnce(&mut Analyst, &dyn Site, &dyn Client) -> Searched + Send + 'static,
    ) -> Self {
        Self::Search(Search { role, purpose, sends_events, run: Box::new(run) })
    }
}

/// What an engine does for the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Plays.
    Player,
    /// Analyzes; its results must not make the player stronger.
    Analyst,
}

/// What searches must have in common to share a transposition table: scores under other rules are wrong, and
/// those of a stronger level would help a weaker one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose {
    /// The rules of the game.
    pub rules: RuleSet,
    draws: DrawRules,
    skill: Skill,
}

impl Purpose {
    /// The purpose of searching a game at a level.
    fn of(game: &Game, skill: Skill) -> Self {
        Self { rules: *game.rules(), draws: game.draw_rules(), skill }
    }

    /// The purpose of reviewing games or grading puzzles, which begins with an empty table.
    pub(crate) fn review(rules: &RuleSet) -> Self {
        Self { rules: *rules, draws: DrawRules::default(), skill: Skill::FULL }
    }
}

/// The answer of a search.
pub type Searched = Result<Value, Refusal>;

/// A search with a borrowed engine; the analyst has the effort of an earlier search.
pub type Run = dyn FnOnce(&mut Analyst, &dyn Site, &dyn Client) -> Searched + Send;

/// A search that is still to run.
pub struct Search {
    /// The role of the engine.
    pub role: Role,
    /// The purpose of the search.
    pub purpose: Purpose,
    /// Whether the search sends events before its answer.
    pub sends_events: bool,
    /// Runs the search, with an engine whose table is empty or has served the same purpose.
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
/// The default time of a search in milliseconds.
pub const USUAL_TIME: u64 = 1_000;

/// Reads a request.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    let bad = |error| Refusal::bad(format_args!("the request: {error}"));
    let request = serde_json::from_slice(body).map_err(bad)?;
    check_arrays("the request", &serde_json::from_slice(body).map_err(bad)?)?;
    Ok(request)
}

/// The fields that hold lists.
const LISTS: [&str; 6] = ["moves", "comments", "glyphs", "variations", "properties", "values"];

/// Refuses arrays that are no lists, as serde takes them for objects.
fn check_arrays(name: &str, value: &Value) -> Result<(), Refusal> {
    match value {
        Value::Array(items) => {
            ensure(LISTS.contains(&name), format_args!("{}: expected no array", quote(name)))?;
            let item = format!("item of {name}");
            items.iter().try_for_each(|value| check_arrays(&item, value))
        }
        Value::Object(fields) => {
            fields.iter().try_for_each(|(name, field)| check_arrays(name, field))
        }
        _ => Ok(()),
    }
}

/// A game: its rules, its start and its moves.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct GameText {
    /// The name of the game, as `GET /api/1` lists it.
    variant: Option<String>,
    /// Position text; by default the start position of the game.
    start: Option<String>,
    /// Moves or whole turns.
    moves: Vec<String>,
}

impl GameText {
    /// Plays the moves. Draws by history count unless the game goes on after one.
    ///
    /// * `usual`: the rules if `variant` is missing.
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

/// Whether rules are a preset or those of the site. Other rules are refused, as each game opens a tablebase.
fn is_played(rules: &RuleSet, usual: &RuleSet) -> bool {
    Preset::of(rules).is_some() || rules.canonical() == usual.canonical()
}

/// The limits of a search; the first one reached ends it.
#[derive(Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LimitsText {
    depth: u32,
    nodes: Option<u64>,
    /// Milliseconds.
    time: u64,
    lines: usize,
}

impl Default for LimitsText {
    fn default() -> Self {
        Self { depth: MAX_DEPTH, nodes: None, time: USUAL_TIME, lines: 1 }
    }
}

impl LimitsText {
    /// Converts the limits, or refuses one that is out of range.
    fn effort(self) -> Result<Effort, Refusal> {
        check("depth", self.depth, 1..=MAX_DEPTH)?;
        check("nodes", self.nodes.unwrap_or(1), 1..=u64::MAX)?;
        check("time", self.time, 1..=MOST_TIME)?;
        check("lines", self.lines, 1..=MAX_LINES as usize)?;
        let time = Some(Duration::from_millis(self.time));
        Ok(Effort { depth: self.depth, nodes: self.nodes, time, lines: self.lines })
    }
}

/// A game to search, and the limits of the search.
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
