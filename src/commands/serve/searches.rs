//! Engines for searches, how many work at once, and searches that nobody waits for any more.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::StatusCode;
use millstone::locks::lock;
use millstone::rules::RuleSet;
use millstone::search::{Engine, Skill};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::refusal::Refusal;

/// The pools of a site: engines that play, and others that analyze, so that advice does not make the
/// player stronger and a long analysis keeps no game waiting.
pub const POOLS: usize = 2;

/// How long a search waits for others to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// What searches have in common whose engine need not forget what it has found: scores of other rules are
/// wrong, and those of a stronger level make a weaker one stronger.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Purpose {
    pub rules: RuleSet,
    pub skill: Skill,
}

impl Purpose {
    /// To analyze games of some rules.
    pub fn analysis(rules: &RuleSet) -> Self {
        Self { rules: *rules, skill: Skill::FULL }
    }
}

/// Engines, as many as may search at once, made when they are first needed.
pub struct Pool {
    free: Mutex<Vec<(Purpose, Engine)>>,
    places: Arc<Semaphore>,
    /// The size of the transposition table of each in MiB.
    hash: usize,
}

/// An engine in use; [`give_back`](Self::give_back) keeps it for the next search.
pub struct Seat {
    pub engine: Engine,
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

    /// An engine, when one is free; one that has served another purpose has forgotten it.
    pub async fn take(self: &Arc<Self>, purpose: Purpose) -> Result<Seat, Refusal> {
        let busy = |message: String| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message);
        let place = timeout(PATIENCE, Arc::clone(&self.places).acquire_owned()).await;
        let Ok(Ok(place)) = place else {
            return Err(busy("too many searches at once; try again later".to_owned()));
        };
        let engine = self.free(purpose).map_or_else(|| Engine::new(self.hash), Ok);
        let engine = engine.map_err(|error| busy(error.to_string()))?;
        Ok(Seat { engine, purpose, pool: Arc::clone(self), _place: place })
    }

    /// An engine that is there already, one that has served the purpose before if there is one.
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
    /// Keeps the engine for the next search.
    pub fn give_back(self) {
        lock(&self.pool.free).push((self.purpose, self.engine));
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
