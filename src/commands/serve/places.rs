//! Places of connections: how many there are, and who gives way when all are taken.
//!
//! A connection waits for its client until a request has arrived whole, and again once all of the answer
//! is on its way. Whoever has waited longest gives way to a new connection, so that slow senders and idle
//! connections keep nobody out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use millstone::locks::lock;
use tokio::sync::{AcquireError, Notify, OwnedSemaphorePermit, Semaphore};

/// The places of all connections.
pub struct Places {
    free: Arc<Semaphore>,
    /// What ends each connection that waits for its client, the one that has waited longest first.
    waiting: Mutex<VecDeque<Arc<Notify>>>,
}

/// The place of a connection.
pub struct Place {
    places: Arc<Places>,
    end: Arc<Notify>,
    _permit: OwnedSemaphorePermit,
}

/// A request in work: until this is dropped, its connection keeps its place.
pub struct Work(Arc<Place>);

impl Places {
    /// Places for `most` connections.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { free: Arc::new(Semaphore::new(most)), waiting: Mutex::default() })
    }

    /// A place for a connection, if need be that of the one that has waited longest for its client.
    pub async fn take(self: &Arc<Self>) -> Result<Arc<Place>, AcquireError> {
        if self.free.available_permits() == 0
            && let Some(oldest) = lock(&self.waiting).pop_front()
        {
            oldest.notify_one();
        }
        let permit = Arc::clone(&self.free).acquire_owned().await?;
        let place = Place { places: Arc::clone(self), end: Arc::default(), _permit: permit };
        place.wait();
        Ok(Arc::new(place))
    }
}

impl Place {
    /// Keeps the place, as a request has arrived whole.
    pub fn work(self: &Arc<Self>) -> Work {
        self.forget();
        Work(Arc::clone(self))
    }

    /// Waits until the connection has to give way.
    pub async fn end(&self) {
        self.end.notified().await;
    }

    /// From now on the connection waits for its client.
    fn wait(&self) {
        lock(&self.places.waiting).push_back(Arc::clone(&self.end));
    }

    fn forget(&self) {
        lock(&self.places.waiting).retain(|end| !Arc::ptr_eq(end, &self.end));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.forget();
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.0.wait();
    }
}
