//! What all requests share: rules, engines and how many of them search at once, tablebases.
//!
//! A search that panics ends alone: its client gets an error, and its engine is thrown away.

use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::iter::successors;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use futures_util::stream;
use millstone::api::{self, Client, Purpose, Refusal, Searched};
use millstone::rules::RuleSet;
use millstone::search::Engine;
use millstone::tablebase::{EngineTablebase, Solvable, Tablebase, default_folder};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{self, Sender};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::router::{self, Answer, Guard};
use super::{Arguments, connections, lock};
use crate::commands::arguments::TablebaseFolder;
use crate::commands::complain;

/// How often to look whether small sectors are solved.
const INTERVAL: Duration = Duration::from_millis(50);

/// The tablebase of a game that was looked at, and when its folder was changed before that was opened.
type Opened = (EngineTablebase, Option<SystemTime>);

/// What all requests share.
pub struct Site {
    pub guard: Guard,
    rules: RuleSet,
    /// The engines of each role.
    pub pools: [Arc<Pool>; POOLS],
    /// The tablebases of the games that were looked at, unless the user does without.
    tablebases: Option<Mutex<HashMap<Solvable, Opened>>>,
    /// Where the tablebase of the usual game is.
    tablebase_folder: TablebaseFolder,
}

impl Site {
    /// A site with what the command line says, which listens at an address.
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

    /// The tablebase of a game, and whether small sectors are being solved.
    fn open(&self, rules: &RuleSet) -> Option<(Arc<Tablebase>, bool)> {
        let game = Solvable::of(rules).ok()?;
        let mut tablebases = lock(self.tablebases.as_ref()?);
        let reserve = (!tablebases.contains_key(&game)).then(connections::reserve);
        let (tablebase, changed) = tablebases.entry(game).or_default();
        let mut sources = self.tablebase_folder.sources(game);
        sources.folder = sources.folder.filter(|_| *rules == self.rules);
        let folder = sources.folder.map(Path::to_owned).or_else(|| default_folder(&game));
        let now = folder.and_then(|folder| folder.metadata().ok()?.modified().ok());
        if *changed != now {
            // Files were built there, or removed.
            tablebase.close();
            *changed = now;
        }
        let mut left_out = 0;
        let report = &mut |error: &dyn Error| {
            if is_limit(error) { left_out += 1 } else { complain(error) }
        };
        let opened = tablebase.open(sources, report);
        drop(reserve);
        if left_out > 0 {
            complain(format_args!(
                "files of the tablebase left out, since too few may be open: {left_out}; raise ulimit -n"
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

    fn tablebase_with_small(
        &self,
        rules: &RuleSet,
        is_awaited: &dyn Fn() -> bool,
    ) -> Option<Arc<Tablebase>> {
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

/// Whether an error comes from the limit of open files.
fn is_limit(error: &dyn Error) -> bool {
    successors(error.source(), |&error| error.source())
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(connections::is_limit)
}

/// The pools of a site: engines that play, and others that analyze, so that advice does not make the
/// player stronger and a long analysis keeps no game waiting.
pub const POOLS: usize = api::Role::Analyst as usize + 1;

/// How long a search waits for others to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Engines, as many as may search at once, made when they are first needed.
pub struct Pool {
    free: Mutex<Vec<(Purpose, Engine)>>,
    places: Arc<Semaphore>,
    /// The size of the transposition table of each in MiB.
    hash: usize,
}

impl Pool {
    /// A pool of `most` engines.
    pub fn new(most: u8, hash: u32) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(most.into()));
        Arc::new(Self { free: Mutex::default(), places, hash: hash as usize })
    }

    /// Searches on another thread, as long as somebody waits for the answer.
    ///
    /// * `events`: how many events may wait to be read, if the answer is the last one of a stream of them.
    pub async fn search(
        self: &Arc<Self>,
        purpose: Purpose,
        events: Option<usize>,
        search: impl FnOnce(Engine, &Caller) -> Searched + Send + 'static,
    ) -> Answer {
        let place = timeout(PATIENCE, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else {
            let message = "too many searches at once; try again later";
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message));
        };
        let engine = self.free(purpose).map_or_else(|| Engine::new(self.hash), Ok)?;
        let pool = Arc::clone(self);
        let work = move |caller: &Caller| {
            let (answer, engine) = search(engine, caller);
            lock(&pool.free).push((purpose, engine));
            drop(place);
            answer
        };
        let (sender, mut received) = mpsc::channel(events.unwrap_or(1));
        let caller = Caller(sender);
        if events.is_none() {
            let answer = aside(move || work(&caller)).await;
            drop(received);
            return answer.map(|answer| router::json(&answer));
        }
        spawn_blocking(move || {
            let done = catch_unwind(AssertUnwindSafe(|| work(&caller)));
            match done.unwrap_or_else(|_| Err(failed())) {
                Ok(answer) => caller.send("done", &answer.to_string()),
                Err(refusal) => caller.send("error", &api::error(refusal).to_string()),
            }
        });
        let events = stream::poll_fn(move |context| {
            received.poll_recv(context).map(|event| event.map(Ok::<Bytes, Infallible>))
        });
        let content_type = [(CONTENT_TYPE, "text/event-stream")];
        Ok((content_type, Body::from_stream(events)).into_response())
    }

    /// An engine that is there already, if possible one that has served the purpose before; one that has served
    /// another has forgotten it.
    fn free(&self, purpose: Purpose) -> Option<Engine> {
        let mut free = lock(&self.free);
        if let Some(index) = free.iter().position(|(served, _)| *served == purpose) {
            return Some(free.swap_remove(index).1);
        }
        let (_, mut engine) = free.pop()?;
        drop(free);
        engine.clear();
        Some(engine)
    }
}

/// The refusal of a request that panicked.
fn failed() -> Refusal {
    let message = "the request failed, which is a fault of Millstone";
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, message)
}

/// Runs work on another thread, so that other requests need not wait.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    spawn_blocking(work).await.unwrap_or_else(|_| Err(failed()))
}

/// A client, by where it reads events; it is gone once that is dropped.
pub struct Caller(Sender<Bytes>);

/// How often an event is tried to be sent to a slow client, and the time between.
const TRIES: u32 = 250;
const PAUSE: Duration = Duration::from_millis(20);

impl Client for Caller {
    fn is_gone(&self) -> bool {
        self.0.is_closed()
    }

    /// Waits a while for a slow client to make room for the event.
    fn send(&self, name: &str, data: &str) {
        let mut event = format!("event: {name}\ndata: {data}\n\n").into();
        for _ in 0..TRIES {
            match self.0.try_send(event) {
                Err(TrySendError::Full(unsent)) => event = unsent,
                Ok(()) | Err(TrySendError::Closed(_)) => return,
            }
            sleep(PAUSE);
        }
    }

    /// Leaves out the event if the client is too slow to read those before it.
    fn send_if_idle(&self, name: &str, data: &str) {
        if self.0.capacity() > 1 {
            self.send(name, data);
        }
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
            let refusal = pool.search(purpose, None, |_, _| panic!("a fault")).await.unwrap_err();
            assert_eq!(refusal.into_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
            let reply = pool.search(purpose, Some(4), |_, _| panic!("a fault")).await.unwrap();
            let events = body::to_bytes(reply.into_body(), usize::MAX).await.unwrap();
            assert!(events.starts_with(b"event: error\ndata: {\"error\":\"the request failed"));
            assert!(lock(&pool.free).is_empty());
            let reply = pool.search(purpose, None, |engine, _| (Ok(json!(0)), engine)).await;
            assert!(reply.is_ok() && lock(&pool.free).len() == 1);
        });
    }

    #[test]
    fn a_slow_reader_gets_the_last_event() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let pool = Pool::new(1, 1);
            let purpose = Purpose::review(&RuleSet::default());
            let search = |engine, caller: &Caller| {
                (0..100).for_each(|number| caller.send_if_idle("progress", &number.to_string()));
                caller.send("turn", "0");
                (Ok(json!(0)), engine)
            };
            let reply = pool.search(purpose, Some(2), search).await.unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
            let events = body::to_bytes(reply.into_body(), usize::MAX).await.unwrap();
            assert!(events.ends_with(b"event: done\ndata: 0\n\n"), "{events:?}");
        });
    }
}
