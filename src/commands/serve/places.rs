//! Places of connections: how many there are, and who gives way when all are taken.
//!
//! A connection waits for its client until a request has arrived whole, and again once all of the answer
//! is on its way. Whoever has waited longest gives way to a new connection, so that slow senders and idle
//! connections keep nobody out.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::{Arc, Mutex};

use tokio::sync::{AcquireError, Notify, OwnedSemaphorePermit, Semaphore};
use tokio::task::yield_now;

use super::lock;

/// How often all other tasks get a turn before a connection has to give way: one that has just come asks the
/// system for what has arrived, is told of it, and reads it.
const TURNS: usize = 3;

/// The places of all connections.
pub struct Places {
    free: Arc<Semaphore>,
    /// What ends each connection that waits for its client, the one that has waited longest first.
    waiting: Mutex<VecDeque<Arc<Notify>>>,
    /// Tells that one more waits.
    more: Notify,
}

/// The place of a connection.
pub struct Place {
    places: Arc<Places>,
    /// Tells that the connection has to give way.
    pub end: Arc<Notify>,
    _permit: OwnedSemaphorePermit,
}

/// The end of a request: when this is dropped, its connection waits for its client again.
pub struct Finish(pub Arc<Place>);

impl Places {
    /// Places for `most` connections.
    pub fn new(most: usize) -> Arc<Self> {
        let free = Arc::new(Semaphore::new(most));
        Arc::new(Self { free, waiting: Mutex::default(), more: Notify::new() })
    }

    /// A place for a connection, if need be that of the one that has waited longest for its client, or of
    /// the next that does.
    pub async fn take(self: &Arc<Self>) -> Result<Arc<Place>, AcquireError> {
        let mut permit = pin!(Arc::clone(&self.free).acquire_owned());
        let give_way = async {
            while !self.shed().await {
                self.more.notified().await;
            }
        };
        let permit = tokio::select! {
            biased;
            permit = permit.as_mut() => permit?,
            () = give_way => permit.await?,
        };
        let place = Place { places: Arc::clone(self), end: Arc::default(), _permit: permit };
        place.wait();
        Ok(Arc::new(place))
    }

    /// Ends the connection that has waited longest for its client; those whose request is here already
    /// read it first. Returns whether one waits.
    pub async fn shed(&self) -> bool {
        for _ in 0..TURNS {
            yield_now().await;
        }
        let oldest = lock(&self.waiting).pop_front();
        oldest.inspect(|oldest| oldest.notify_one()).is_some()
    }
}

impl Place {
    /// Keeps the place from now on, as a request has arrived whole.
    pub fn work(&self) {
        lock(&self.places.waiting).retain(|end| !Arc::ptr_eq(end, &self.end));
    }

    /// From now on the connection waits for its client.
    fn wait(&self) {
        self.work();
        lock(&self.places.waiting).push_back(Arc::clone(&self.end));
        self.places.more.notify_one();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.work();
    }
}

impl Drop for Finish {
    fn drop(&mut self) {
        self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    /// Polls as often as others are let go first, and once more.
    fn poll<T>(mut future: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
        let mut context = Context::from_waker(Waker::noop());
        let mut polled = (0..=TURNS).map(|_| future.as_mut().poll(&mut context));
        polled.find(Poll::is_ready).unwrap_or(Poll::Pending)
    }

    fn take(places: &Arc<Places>) -> Arc<Place> {
        match poll(pin!(places.take())) {
            Poll::Ready(place) => place.expect("a place"),
            Poll::Pending => panic!("no place is free"),
        }
    }

    fn has_to_end(place: &Place) -> bool {
        poll(pin!(place.end.notified())).is_ready()
    }

    #[test]
    fn who_has_waited_longest_gives_way() {
        let places = Places::new(3);
        let [first, second, third] = [(); 3].map(|()| take(&places));
        first.work();
        drop(Finish(Arc::clone(&first)));
        let mut fourth = pin!(places.take());
        assert!(poll(fourth.as_mut()).is_pending());
        assert!(has_to_end(&second) && !has_to_end(&third) && !has_to_end(&first));
        drop(second);
        assert!(poll(fourth).is_ready());
        assert!(!has_to_end(&third) && !has_to_end(&first));
    }

    #[test]
    fn the_first_that_has_worked_gives_way_where_all_work() {
        let places = Places::new(2);
        let [first, second] = [(); 2].map(|()| take(&places));
        first.work();
        second.work();
        let [first_work, second_work] = [&first, &second].map(|place| Finish(Arc::clone(place)));
        let mut third = pin!(places.take());
        assert!(poll(third.as_mut()).is_pending());
        assert!(!has_to_end(&first) && !has_to_end(&second));
        drop(second_work);
        assert!(poll(third.as_mut()).is_pending());
        assert!(has_to_end(&second));
        drop(first_work);
        assert!(poll(third.as_mut()).is_pending());
        assert!(!has_to_end(&first), "one is enough");
        drop(second);
        assert!(poll(third).is_ready());
    }
}
