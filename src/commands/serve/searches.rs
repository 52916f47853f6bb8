//! Engines for searches, how many run at once, and searches whose client is gone.
//!
//! A search that panics ends alone: its client gets an error, and its engine is thrown away.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use millstone::game::Game;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Engine, Observer, Progress, Skill};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::lock;
use super::reply::{self, Answer, EventSender, Refusal};

/// The pools of a site: engines that play, and others that analyze, so that advice does not make the
/// player stronger and a long analysis keeps no game waiting.
pub const POOLS: usize = 2;

/// How long a search waits for others to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// What searches must have in common to share a table: scores under other rules are wrong, and those of a
/// stronger level would help a weaker one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose {
    rules: RuleSet,
    draws: DrawRules,
    skill: Skill,
}

impl Purpose {
    /// To play a game.
    pub fn play(game: &Game, skill: Skill) -> Self {
        Self { rules: *game.rules(), draws: game.draw_rules(), skill }
    }

    /// To analyze a game.
    pub fn analysis(game: &Game) -> Self {
        Self::play(game, Skill::FULL)
    }

    /// To review whole games or to grade puzzles, which begins with an empty table.
    pub fn review(rules: &RuleSet) -> Self {
        Self { rules: *rules, draws: DrawRules::default(), skill: Skill::FULL }
    }
}

/// Engines, as many as may search at once, made when they are first needed.
pub struct Pool {
    free: Mutex<Vec<(Purpose, Engine)>>,
    places: Arc<Semaphore>,
    /// The size of the transposition table of each in MiB.
    hash: usize,
}

/// An engine in use.
struct Seat {
    engine: Engine,
    purpose: Purpose,
    pool: Arc<Pool>,
    _place: OwnedSemaphorePermit,
}

impl Pool {
    /// A pool of `most` engines.
    pub fn new(most: u8, hash: u32) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(most.into()));
        Arc::new(Self { free: Mutex::default(), places, hash: hash as usize })
    }

    /// Searches on another thread, as long as somebody waits for the answer.
    pub async fn search(
        self: &Arc<Self>,
        purpose: Purpose,
        search: impl FnOnce(Engine, &mut Watcher) -> (Answer, Engine) + Send + 'static,
    ) -> Answer {
        let seat = self.take(purpose).await?;
        let client = Arc::new(());
        let mut watcher = Watcher(Arc::downgrade(&client));
        let reply = aside(move || seat.work(|engine| search(engine, &mut watcher))).await;
        drop(client);
        reply
    }

    /// Searches on another thread; the reply is a stream of the events that the search sends.
    ///
    /// * `most`: how many events may wait to be read.
    pub async fn stream(
        self: &Arc<Self>,
        purpose: Purpose,
        most: usize,
        search: impl FnOnce(Engine, Watcher, &EventSender) -> Engine + Send + 'static,
    ) -> Result<Response, Refusal> {
        let seat = self.take(purpose).await?;
        let client = Arc::new(());
        let watcher = Watcher(Arc::downgrade(&client));
        let (reply, events) = reply::events(most, client);
        spawn_blocking(move || {
            let search = |engine| ((), search(engine, watcher, &events));
            if catch_unwind(AssertUnwindSafe(|| seat.work(search))).is_err() {
                events.send("error", &reply::error(FAILED));
            }
        });
        Ok(reply)
    }

    /// An engine, when one is free; one that has served another purpose has forgotten it.
    async fn take(self: &Arc<Self>, purpose: Purpose) -> Result<Seat, Refusal> {
        let busy = |message: String| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message);
        let place = timeout(PATIENCE, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else {
            return Err(busy("too many searches at once; try again later".to_owned()));
        };
        let engine = self.free(purpose).map_or_else(|| Engine::new(self.hash), Ok);
        let engine = engine.map_err(|error| busy(error.to_string()))?;
        Ok(Seat { engine, purpose, pool: Arc::clone(self), _place: place })
    }

    /// An engine that is there already, if possible one that has served the purpose before.
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

impl Seat {
    /// Works with the engine, and keeps it for the next search.
    fn work<T>(self, work: impl FnOnce(Engine) -> (T, Engine)) -> T {
        let (result, engine) = work(self.engine);
        lock(&self.pool.free).push((self.purpose, engine));
        result
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

/// Ends a search when its client is gone: what stands for the client was dropped.
pub struct Watcher(Weak<()>);

impl Watcher {
    /// Whether the client is gone.
    pub fn is_stopped(&self) -> bool {
        self.0.strong_count() == 0
    }
}

impl Observer for Watcher {
    fn progress(&mut self, _progress: &Progress<'_>) {}

    fn should_stop(&mut self, _nodes: u64) -> bool {
        self.is_stopped()
    }
}

#[cfg(test)]
mod tests {
    use axum::body;
    use axum::response::IntoResponse;

    use super::*;

    #[test]
    fn a_search_that_panics_gives_an_error_and_the_next_one_has_another_engine() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let pool = Pool::new(1, 1);
            let purpose = Purpose::review(&RuleSet::default());
            let refusal = pool.search(purpose, |_, _| panic!("a fault")).await.unwrap_err();
            assert_eq!(refusal.into_response().status(), StatusCode::INTERNAL_SERVER_ERROR);
            let reply = pool.stream(purpose, 4, |_, _, _| panic!("a fault")).await.unwrap();
            let events = body::to_bytes(reply.into_body(), usize::MAX).await.unwrap();
            assert!(events.starts_with(b"event: error\ndata: {\"error\":\"the request failed"));
            assert!(lock(&pool.free).is_empty());
            let reply = pool.search(purpose, |engine, _| (Ok(Response::default()), engine)).await;
            assert!(reply.is_ok() && lock(&pool.free).len() == 1);
        });
    }

    #[test]
    fn a_slow_reader_gets_the_last_event() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let pool = Pool::new(1, 1);
            let purpose = Purpose::review(&RuleSet::default());
            let search = |engine, _, events: &EventSender| {
                (0..100).for_each(|number| events.send_if_idle("progress", &number));
                events.send("turn", &0);
                events.send("done", &0);
                engine
            };
            let reply = pool.stream(purpose, 2, search).await.unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
            let events = body::to_bytes(reply.into_body(), usize::MAX).await.unwrap();
            assert!(events.ends_with(b"event: done\ndata: 0\n\n"), "{events:?}");
        });
    }
}
