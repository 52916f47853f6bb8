//! The words of the page's API, from a request to its answer, whatever brings them: `millstone serve` by HTTP,
//! a page without a server by the messages of a worker.
//!
//! ```text
//! request                what requests have in common: a game, a record, the limits of a search
//! job                    the work that a request asks for, and for whom
//! position, puzzle ...   a word each, or several
//! json                   shapes that the commands print too
//! ```
//!
//! A new word is a line of [`WORDS`] and a function; `commands/serve/api.txt` explains it.

mod analysis;
mod job;
pub(crate) mod json;
mod notes;
mod position;
mod puzzle;
mod records;
mod request;

pub use job::{Client, Job, Purpose, Refusal, Role, Run, Search, Searched, Site, error};

pub use records::{LONGEST, MOST_GAMES};
pub use request::{MOST_TIME, USUAL_TIME};

use serde_json::Value;

use crate::board::{Square, lines};
use crate::records::Notation;
use crate::rules::{PRESETS, Preset, RuleSet};
use crate::search::{MAX_DEPTH, Skill};
use crate::tablebase::Solvable;
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
