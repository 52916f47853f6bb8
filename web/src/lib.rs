//! The engine of the page without a server: the API, run by a web worker.
//!
//! The worker writes a request to the buffer of [`reserve`] and calls [`answer`]; [`page::tell`] sends events
//! and the answer.

#![cfg(target_family = "wasm")]

mod page;
mod site;

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use millstone::analysis::{Analyst, Effort};
use millstone::api::{self, Client, Job, Purpose, Refusal, Search, WORDS};
use millstone::bench;
use millstone::board::Diagonals;
use millstone::evaluate::bring_weights_with_diagonals;
use millstone::rules::RuleSet;
use millstone::search::{Engine, Silent};
use serde_json::{Value, json};

use site::BrowserSite;

/// The size of the transposition table, in MiB.
const HASH: usize = 16;

/// The bytes last received from the page.
static RECEIVED: Mutex<Vec<u8>> = Mutex::new(Vec::new());
/// The engine and the purpose of its last search.
static ENGINE: Mutex<Option<(Purpose, Analyst)>> = Mutex::new(None);
static SITE: LazyLock<BrowserSite> = LazyLock::new(BrowserSite::default);

/// Allocates a buffer that the page fills.
///
/// * `len`: the size of the buffer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    let mut received = lock(&RECEIVED);
    *received = vec![0; len];
    received.as_mut_ptr()
}

/// Answers the request in the buffer: a word and its body.
///
/// * `word_len`: the length of the word in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer(word_len: usize) {
    millstone::set_clock(page::time);
    let request = received();
    let (word, body) = request.split_at(word_len.min(request.len()));
    match respond(word, body) {
        Ok(answer) => page::tell("done", &answer.to_string()),
        Err(refusal) => page::tell("error", &api::error(refusal).to_string()),
    }
}

/// Answers a request; without a word, describes the site. `bench` serves for measurements.
fn respond(word: &[u8], body: &[u8]) -> Result<Value, Refusal> {
    if word.is_empty() {
        return Ok(api::about(&*SITE));
    }
    if word == b"bench" {
        let done = bench::run(&RuleSet::NINE_MENS_MORRIS, bench::DEPTH, &mut Silent)?;
        return Ok(json!({"nodes": done.nodes, "rate": done.rate()}));
    }
    let known = WORDS.iter().find(|known| known.name.as_bytes() == word);
    let missing =
        || Refusal::new(404_u16, format!("there is no '{}'", String::from_utf8_lossy(word)));
    match (known.ok_or_else(missing)?.read)(body, &*SITE)? {
        Job::Answer(answer) => Ok(answer),
        Job::Search(search) => run(search),
    }
}

/// Searches with the engine, which is cleared if its last search had another purpose.
fn run(search: Search) -> Result<Value, Refusal> {
    if search.purpose.rules.diagonals == Diagonals::With {
        bring_weights();
    }
    let purpose = search.purpose;
    let mut seat = lock(&ENGINE);
    let mut engine = match seat.take() {
        Some((served, engine)) if served == purpose => engine,
        Some((_, mut engine)) => {
            engine.engine.clear();
            engine
        }
        None => Analyst::new(Engine::new(HASH)?, Effort::default()),
    };
    let answer = (search.run)(&mut engine, &*SITE, &Waiting);
    *seat = Some((purpose, engine));
    answer
}

/// Loads the weights for the board with diagonals once; until that succeeds the hand-set ones apply.
fn bring_weights() {
    static BROUGHT: Mutex<bool> = Mutex::new(false);
    let mut is_brought = lock(&BROUGHT);
    if !*is_brought && let Some(file) = page::load("weights_with_diagonals.bin") {
        *is_brought = bring_weights_with_diagonals(&file);
    }
}

/// The page that waits for the answer.
struct Waiting;

impl Client for Waiting {
    fn is_gone(&self) -> bool {
        page::is_gone()
    }

    fn send(&self, name: &str, data: &str) {
        page::tell(name, data);
    }
}

/// Takes the bytes received from the page.
fn received() -> Vec<u8> {
    std::mem::take(&mut *lock(&RECEIVED))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
