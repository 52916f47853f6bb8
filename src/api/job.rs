//! The work that a request asks for, who does it, and for whom.

use std::fmt;
use std::sync::Arc;

use serde_json::{Value, json};
use thiserror::Error;

use crate::clusters::SizeError;
use crate::game::Game;
use crate::rules::{DrawRules, RuleSet};
use crate::search::{Engine, Skill};
use crate::tablebase::Tablebase;

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
pub(super) fn ensure(holds: bool, otherwise: impl fmt::Display) -> Result<(), Refusal> {
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
    json!({"error": error.to_string()})
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
    pub(super) fn search(
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
    pub(super) fn of(game: &Game, skill: Skill) -> Self {
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
