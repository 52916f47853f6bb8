//! Engines for searches, how many run at once, and searches whose client is gone.
//!
//! A search that panics ends alone: its client gets an error, and its engine is thrown away.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Weak};
use std::thread;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use millstone::api::{self, Client, Purpose, Refusal, Searched};
use millstone::search::Engine;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;
use tokio::sync::mpsc::error::TrySendError;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::lock;
use super::reply::{self, Answer};

/// The pools of a site: engines that play, and others that analyze, so that advice does not make the
/// player stronger and a long analysis keeps no game waiting.
pub const POOLS: usize = 2;
const _: () = assert!(millstone::api::Role::Analyst as usize + 1 == POOLS);

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
        let waits = Arc::new(());
        let mut caller = Caller { waits: Arc::downgrade(&waits), events: None };
        let Some(most) = events else {
            let answer = aside(move || work(&caller)).await;
            drop(waits);
            return answer.map(|answer| reply::json(&answer));
        };
        let (reply, events) = reply::events(most, waits);
        caller.events = Some(events);
        spawn_blocking(move || match catch_unwind(AssertUnwindSafe(|| work(&caller))) {
            Ok(Ok(answer)) => caller.send("done", &answer.to_string()),
            Ok(Err(refusal)) => caller.send("error", &api::error(refusal).to_string()),
            Err(_) => caller.send("error", &api::error(FAILED).to_string()),
        });
        Ok(reply)
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

/// The error for a request that panicked.
const FAILED: &str = "the request failed, which is a fault of Millstone";

/// Runs work on another thread, so that other requests need not wait.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let failed = |_| Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, FAILED));
    spawn_blocking(work).await.unwrap_or_else(failed)
}

/// A client that may be gone: what stands for its patience was dropped.
pub struct Caller {
    waits: Weak<()>,
    /// Where it reads events.
    events: Option<Sender<Bytes>>,
}

/// How often an event is tried to be sent to a slow client, and the time between.
const TRIES: u32 = 250;
const INTERVAL: Duration = Duration::from_millis(20);

impl Client for Caller {
    fn is_gone(&self) -> bool {
        self.waits.strong_count() == 0
    }

    /// Waits a while for a slow client to make room for the event.
    fn send(&self, name: &str, data: &str) {
        let Some(events) = &self.events else { return };
        let mut event = format!("event: {name}\ndata: {data}\n\n").into();
        for _ in 0..TRIES {
            match events.try_send(event) {
                Err(TrySendError::Full(unsent)) => event = unsent,
                Ok(()) | Err(TrySendError::Closed(_)) => return,
            }
            thread::sleep(INTERVAL);
        }
    }

    /// Leaves out the event if the client is too slow to read those before it.
    fn send_if_idle(&self, name: &str, data: &str) {
        if self.events.as_ref().is_some_and(|events| events.capacity() > 1) {
            self.send(name, data);
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body;
    use axum::response::IntoResponse;
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
