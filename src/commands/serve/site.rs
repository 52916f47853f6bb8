//! The state that all requests share: rules, tablebases, and a limited number of engines.
//!
//! A panic in a search affects only its request: the client gets an error, and the engine is discarded.

use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::iter::successors;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use futures_util::stream;
use millstone::analysis::{Analyst, Effort};
use millstone::api::{self, Client, Purpose, Refusal, Searched};
use millstone::rules::RuleSet;
use millstone::search::{Engine, SizeError};
use millstone::tablebase::{EngineTablebase, Solvable, Tablebase, default_folder};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{self, UnboundedSender};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::connections::{is_limit, reserve};
use super::router::{self, Answer, Guard};
use super::{Arguments, lock};
use crate::commands::arguments::TablebaseFolder;
use crate::commands::complain;

/// The interval between checks whether the small sectors are solved.
const INTERVAL: Duration = Duration::from_millis(50);

/// An open tablebase, and the modification time of its folder when it was opened.
type Opened = (EngineTablebase, Option<SystemTime>);

/// The state that all requests share.
pub struct Site {
    pub guard: Guard,
    rules: RuleSet,
    /// The engines of each role.
    pub pools: [Arc<Pool>; POOLS],
    /// The tablebases opened so far; `None` with `--no-tablebase`.
    tablebases: Option<Mutex<HashMap<Solvable, Opened>>>,
    /// The folder of the usual game's tablebase.
    tablebase_folder: TablebaseFolder,
}

impl Site {
    /// Creates the site that the command line asks for.
    ///
    /// * `address`: where the server listens.
    pub fn new(arguments: &Arguments, rules: RuleSet, address: SocketAddr) -> Self {
        let site = Self {
            guard: Guard::new(address, &arguments.hosts),
            rules,
            pools: [(); POOLS].map(|()| Pool::new(arguments.searches, arguments.hash)),
            tablebases: (!arguments.tablebase.no_tablebase).then(Mutex::default),
            tablebase_folder: arguments.tablebase.at.clone(),
        };
        site.open(&rules);
        site
    }

    /// Opens the tablebase of a game. Also returns whether small sectors are still being solved.
    fn open(&self, rules: &RuleSet) -> Option<(Arc<Tablebase>, bool)> {
        let game = Solvable::of(rules).ok()?;
        let mut tablebases = lock(self.tablebases.as_ref()?);
        let reserved = (!tablebases.contains_key(&game)).then(reserve);
        let (tablebase, changed) = tablebases.entry(game).or_default();
        let mut sources = self.tablebase_folder.sources(game);
        sources.folder = sources.folder.filter(|_| rules.canonical() == self.rules.canonical());
        let folder = sources.folder.map(Path::to_owned).or_else(|| default_folder(&game));
        let now = folder.and_then(|folder| folder.metadata().ok()?.modified().ok());
        if *changed != now {
            // Files were added or removed.
            tablebase.close();
            *changed = now;
        }
        let mut left_out = 0;
        let report = &mut |error: &dyn Error| {
            let causes = successors(error.source(), |&error| error.source());
            let is_limit = causes.filter_map(|error| error.downcast_ref()).any(is_limit);
            if is_limit { left_out += 1 } else { complain(error) }
        };
        let opened = tablebase.open(sources, report);
        drop(reserved);
        if left_out > 0 {
            complain(format_args!(
                "tablebase files left out because of the limit on open files: {left_out}; raise ulimit -n"
            ));
        }
        tablebase.solve_small_in_background();
        Some((opened, tablebase.is_solving()))
    }
}

impl api::Site for Site {
    fn rules(&self) -> &RuleSet {
        &self.rules
    }

    fn has_tablebases(&self) -> bool {
        self.tablebases.is_some()
    }

    fn tablebase(&self, rules: &RuleSet, is_awaited: &dyn Fn() -> bool) -> Option<Arc<Tablebase>> {
        loop {
            let (tablebase, is_solving) = self.open(rules)?;
            if !is_solving || !is_awaited() {
                return Some(tablebase);
            }
            sleep(INTERVAL);
        }
    }

    fn seed(&self) -> u64 {
        rand::random()
    }
}

/// The number of engine pools: playing and analyzing engines are separate, so that analysis neither makes the
/// player stronger nor keeps a game waiting.
pub const POOLS: usize = api::Role::Analyst as usize + 1;

/// The longest time that a search waits for a free engine.
const PATIENCE: Duration = Duration::from_secs(5);

/// A pool of engines, created when first needed; their number limits the concurrent searches.
pub struct Pool {
    free: Mutex<Vec<(Purpose, Analyst)>>,
    places: Arc<Semaphore>,
    /// The size of each engine's transposition table in MiB.
    hash: usize,
}

impl Pool {
    /// Creates a pool.
    ///
    /// * `most`: the most engines.
    /// * `hash`: the size of each engine's transposition table in MiB.
    pub fn new(most: u8, hash: u32) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(most.into()));
        Arc::new(Self { free: Mutex::default(), places, hash: hash as usize })
    }

    /// Runs a search on another thread and returns its answer, or a stream of events that ends with the answer.
    ///
    /// * `sends_events`: whether to return a stream. Events wait there until they are read; their number is limited, as
    ///   an analysis sends few a second, and a review as many as its game has turns.
    pub async fn search(
        self: &Arc<Self>,
        purpose: Purpose,
        sends_events: bool,
        search: impl FnOnce(&mut Analyst, &Caller) -> Searched + Send + 'static,
    ) -> Answer {
        let place = timeout(PATIENCE, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else {
            let message = "too many searches at once; try again later";
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        };
        let mut analyst = self.analyst(purpose)?;
        let pool = Arc::clone(self);
        let (sender, mut received) = mpsc::unbounded_channel();
        let (caller, waiting) = (Caller(sender.clone()), Caller(sender));
        let answer = aside(move || {
            analyst.engine.get_ready();
            let answer = search(&mut analyst, &caller);
            lock(&pool.free).push((purpose, analyst));
            drop(place);
            answer
        });
        if !sends_events {
            // Until then `received` tells the search that its client waits.
            return answer.await.map(|answer| router::json(&answer));
        }
        tokio::spawn(async move {
            match answer.await {
                Ok(answer) => waiting.send("done", &answer.to_string()),
                Err(refusal) => waiting.send("error", &api::error(refusal).to_string()),
            }
        });
        let events = stream::poll_fn(move |context| received.poll_recv(context));
        let content_type = [(CONTENT_TYPE, "text/event-stream")];
        Ok((content_type, Body::from_stream(events)).into_response())
    }

    /// Takes a free engine, if possible one that has served the same purpose, or creates one; clears one that has
    /// not.
    fn analyst(&self, purpose: Purpose) -> Result<Analyst, SizeError> {
        let mut free = lock(&self.free);
        if let Some(index) = free.iter().position(|(served, _)| *served == purpose) {
            return Ok(free.swap_remove(index).1);
        }
        let other = free.pop();
        drop(free);
        if let Some((_, mut analyst)) = other {
            analyst.engine.clear();
            return Ok(analyst);
        }
        Ok(Analyst::new(Engine::new(self.hash)?, Effort::default()))
    }
}

/// Runs work on another thread, so that it does not block other requests; refuses the request if the work panics.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let message = "the request failed, which is a fault of Millstone";
    let failed = |_| Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message));
    spawn_blocking(work).await.unwrap_or_else(failed)
}

/// A client, as the channel of its events; it is gone once the receiver is dropped.
pub struct Caller(UnboundedSender<Result<Bytes, Infallible>>);

impl Client for Caller {
    fn is_gone(&self) -> bool {
        self.0.is_closed()
    }

    fn send(&self, name: &str, data: &str) {
        let event = format!("event: {name}\ndata: {data}\n\n");
        let _ = self.0.send(Ok(event.into()));
    }
}

#[cfg(test)]
mod tests {
    use axum::body;
    use millstone::rules::RuleSet;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_search_that_panics_gives_an_error_and_the_next_one_has_another_engine() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let pool = Pool::new(1, 1);
            let purpose = Purpose::review(&RuleSet::default());
            let refusal = pool.search(purpose, false, |_, _| panic!("a fault")).await.unwrap_err();
            assert_eq!(refusal.into_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
            let reply = pool.search(purpose, true, |_, _| panic!("a fault")).await.unwrap();
            let events = body::to_bytes(reply.into_body(), usize::MAX).await.unwrap();
            assert!(events.starts_with(b"event: error\ndata: {\"error\":\"the request failed"));
            assert!(lock(&pool.free).is_empty());
            let reply = pool.search(purpose, false, |_, _| Ok(json!(0))).await;
            assert!(reply.is_ok() && lock(&pool.free).len() == 1);
        });
    }

    #[test]
    fn a_slow_reader_gets_the_last_event() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let pool = Pool::new(1, 1);
            let purpose = Purpose::review(&RuleSet::default());
            let search = |_: &mut Analyst, caller: &Caller| {
                (0..100).for_each(|number| caller.send("progress", &number.to_string()));
                caller.send("turn", "0");
                Ok(json!(0))
            };
            let reply = pool.search(purpose, true, search).await.unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
            let events = body::to_bytes(reply.into_body(), usize::MAX).await.unwrap();
            assert!(events.ends_with(b"event: done\ndata: 0\n\n"), "{events:?}");
        });
    }
}
