//! The words of the page's API, from a request to its answer, whatever brings them: `millstone serve` by HTTP,
//! a page without a server by the messages of a worker.
//!
//! ```text
//! request                what requests have in common: a game, a record, the limits of a search
//! job                    the work that a request asks for, and for whom
//! about, position ...    a word each
//! json                   shapes that the commands print too
//! ```
//!
//! A new word is a line of [`WORDS`] and a function; `commands/serve/api.txt` explains it.

mod about;
mod analysis;
mod job;
pub(crate) mod json;
mod notes;
mod position;
mod puzzle;
mod records;
mod request;
mod review;
mod turn;

pub use about::about;
pub use job::{Client, Job, Purpose, Refusal, Role, Search, Searched, Site, error};

pub use records::MOST_GAMES;
pub use request::{MOST_TIME, USUAL_TIME};
pub use review::LONGEST;

use request::{LARGE, SMALL, parse};

/// The version of the API.
pub const VERSION: u8 = 1;

/// A word of the API.
pub struct Word {
    /// What it is called.
    pub name: &'static str,
    /// The most bytes of a request.
    pub most_bytes: usize,
    read: fn(&[u8], &dyn Site) -> Result<Job, Refusal>,
}

/// All words that have requests.
pub static WORDS: [Word; 8] = [
    word("position", SMALL, |body, site| position::job(&parse(body)?, site)),
    word("move", SMALL, |body, site| turn::job(&parse(body)?, site)),
    word("analysis", SMALL, |body, site| analysis::job(&parse(body)?, site)),
    word("lesson", SMALL, |body, site| analysis::lesson(&parse(body)?, site)),
    word("review", LARGE, |body, site| review::job(&parse(body)?, site)),
    word("puzzle", SMALL, |body, site| puzzle::job(parse(body)?, site)),
    word("games", LARGE, |body, site| records::read(&parse(body)?, site)),
    word("record", LARGE, |body, site| records::write(&parse(body)?, site)),
];

const fn word(
    name: &'static str,
    most_bytes: usize,
    read: fn(&[u8], &dyn Site) -> Result<Job, Refusal>,
) -> Word {
    Word { name, most_bytes, read }
}

impl Word {
    /// The work that a request asks for.
    ///
    /// * `body`: the request, as JSON.
    ///
    /// # Errors
    ///
    /// When the request cannot be carried out.
    pub fn read(&self, body: &[u8], site: &dyn Site) -> Result<Job, Refusal> {
        (self.read)(body, site)
    }
}
