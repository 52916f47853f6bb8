//! Engines for searches, how many work at once, and searches that nobody waits for any more.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::StatusCode;
use millstone::locks::lock;
use millstone::search::Engine;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::refusal::Refusal;

/// The pools of a site: engines that play, and others that analyze, so that advice does not make the
/// player stronger and a long analysis keeps no game waiting.
pub const POOLS: usize = 2;

/// How long a search waits for others to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Engines, as many as may search at once, made when they are first needed.
pub struct Pool {
    free: Mutex<Vec<Engine>>,
    places: Arc<Semaphore>,
    /// The size of the transposition table of each in MiB.
    hash: usize,
}

/// An engine in use; [`give_back`](Self::give_back) keeps it for the next search.
pub struct Seat {
    pub engine: Engine,
    pool: Arc<Pool>,
    _place: OwnedSemaphorePermit,
}

impl Pool {
    /// A pool of `most` engines.
    pub fn new(most: u8, hash: u32) -> Arc<Self> {
        let places = Arc::new(Semaphore::new(most.into()));
        Arc::new(Self { free: Mutex::default(), places, hash: hash as usize })
    }

    /// An engine, when one is free.
    pub async fn take(self: &Arc<Self>) -> Result<Seat, Refusal> {
        let busy = |message: String| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message);
        let place = timeout(PATIENCE, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else {
            return Err(busy("too many searches at once; try again later".to_owned()));
        };
        let free = lock(&self.free).pop();
        let engine = free.map_or_else(|| Engine::new(self.hash), Ok);
        let engine = engine.map_err(|error| busy(error.to_string()))?;
        Ok(Seat { engine, pool: Arc::clone(self), _place: place })
    }
}

impl Seat {
    /// Keeps the engine for the next search.
    pub fn give_back(self) {
        lock(&self.pool.free).push(self.engine);
    }
}

/// Stops a search when it is dropped.
#[derive(Default)]
pub struct Stop(Arc<AtomicBool>);

/// Whether a search is to stop.
#[derive(Clone)]
pub struct Stopped(Arc<AtomicBool>);

impl Stop {
    /// What the search asks.
    pub fn watched(&self) -> Stopped {
        Stopped(Arc::clone(&self.0))
    }
}

impl Drop for Stop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl Stopped {
    /// Whether nobody waits for the search any more.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }
}
