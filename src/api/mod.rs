//! The words of the page's API, from a request to its answer, whatever brings them: `millstone serve` by HTTP,
//! a page without a server by the messages of a worker.
//!
//! ```text
//! request                what requests have in common: a game, the limits of a search
//! position, puzzle ...   a word each, or several
//! json                   shapes that the commands print too
//! ```
//!
//! A new word is a line of [`WORDS`] and a function; `commands/serve/api.txt` explains it.

mod analysis;
pub(crate) mod json;
mod position;
mod puzzle;
mod records;
mod request;

pub use records::{LONGEST, MOST_GAMES};
pub use request::{MOST_TIME, USUAL_TIME};

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

use crate::board::{Square, lines};
use crate::clusters::SizeError;
use crate::game::Game;
use crate::records::Notation;
use crate::rules::{DrawRules, PRESETS, Preset, RuleSet};
use crate::search::{Engine, MAX_DEPTH, Skill};
use crate::tablebase::{Solvable, Tablebase};
use records::MOST_TURNS;
use request::{LARGE, MOST_LINES, MOST_MOVES, SMALL, parse};

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
    word("position", SMALL, |body, site| position::job(&parse(body)?, site)),
    word("move", SMALL, |body, site| position::play(&parse(body)?, site)),
    word("analysis", SMALL, |body, site| analysis::job(&parse(body)?, site)),
    word("lesson", SMALL, |body, site| analysis::lesson(&parse(body)?, site)),
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
            "lines": MOST_LINES,
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
    pub fn bad(error: impl fmt::Display) -> Self {
        Self::new(400_u16, error.to_string())
    }
}

/// Refuses a request unless something holds.
fn ensure(holds: bool, otherwise: impl fmt::Display) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::bad(otherwise)) }
}

impl From<SizeError> for Refusal {
    /// There is no room for it now.
    fn from(error: SizeError) -> Self {
        Self::new(503_u16, error.to_string())
    }
}

/// What is wrong, as JSON.
pub fn error(error: impl fmt::Display) -> Value {
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
