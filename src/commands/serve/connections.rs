//! Connections: their limits on number, time and open files, and which of them end first.
//!
//! A connection costs a few kilobytes, a file descriptor and no thread. The head of a request must arrive
//! within [`PATIENCE`], including the pause before it, and so must its body; a client that reads nothing for
//! as long is dropped.
//!
//! A connection waits for its client until a whole request has arrived, and again once the whole response is
//! on its way. If all places are taken or descriptors run out, a new connection replaces the one that has
//! waited longest, so that slow senders and idle connections keep nobody out. A replaced connection gets an
//! error response if it has had no response yet. When a client closes its end, its request and search are
//! dropped.
//!
//! A tablebase takes one file descriptor a sector, a connection another one. The system gives each file the lowest
//! free number, so a new number shows how many are left below the limit.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1::{self, Parts};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use millstone::api::{LONGEST, Refusal};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::{lock, router};
use crate::commands::complain;

/// The most connections at once.
pub const MOST_CONNECTIONS: usize = 256;
/// The longest time for the head of a request, for its body, and for a client that reads nothing.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes of the head of a request.
const HEAD: usize = 16 << 10;
/// The longest time of a connection; it may then finish its current request.
const LIFE: Duration = Duration::from_secs(5 * 60);
/// The longest time to finish the current request: a review compares moves for up to three times the time of a search.
const GRACE: Duration = Duration::from_secs(4 * LONGEST.as_secs() + 60);
/// The pause after a failure to accept a connection, such as too many open files.
const RETRY: Duration = Duration::from_millis(50);

/// Accepts connections forever.
pub async fn serve(listener: TcpListener, router: Router) {
    let places = Places::new(MOST_CONNECTIONS);
    let mut has_complained = false;
    loop {
        let accepted = listener.accept().await;
        let is_scarce = accepted.as_ref().map_or_else(is_limit, |(stream, _)| are_scarce(stream));
        if is_scarce && !has_complained {
            has_complained = true;
            complain("open files are running out, so idle connections are closed; raise ulimit -n");
        }
        let has_shed = is_scarce && places.shed().await;
        match accepted {
            Ok((stream, _)) if is_scarce && !has_shed => refuse(&stream, &crowded()),
            Ok((stream, _)) => {
                tokio::spawn(talk(stream, router.clone(), places.take().await));
            }
            Err(_) if has_shed => {}
            Err(error) => {
                log::warn!("cannot accept a connection: {error}");
                sleep(RETRY).await;
            }
        }
    }
}

fn crowded() -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too many connections; try again later")
}

/// Sends a refusal before a connection ends, if the client has room to receive it.
fn refuse(stream: &TcpStream, refusal: &Refusal) {
    let _ = stream.try_write(&router::bytes(refusal));
}

/// Answers the requests of a connection.
async fn talk(stream: TcpStream, router: Router, place: Arc<Place>) {
    let has_answered = AtomicBool::new(false);
    let answer = service_fn(async |mut request: Request<Incoming>| {
        let finish = Finish(Arc::clone(&place));
        request.extensions_mut().insert(Arc::clone(&place));
        let reply = router.clone().oneshot(request.map(Body::new)).await?;
        has_answered.store(true, Ordering::Relaxed);
        // The request ends once the whole response has been taken.
        let keep = move |frame| {
            let _ = &finish;
            frame
        };
        Ok::<_, Infallible>(reply.map(|body| body.map_frame(keep)))
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(HEAD);
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    let mut connection = builder.serve_connection(TokioIo::new(Box::pin(stream)), answer);
    let talked = async {
        let mut ended = timeout(LIFE, &mut connection).await;
        if ended.is_err() {
            Pin::new(&mut connection).graceful_shutdown();
            ended = timeout(GRACE, &mut connection).await;
        }
        ended.is_ok_and(|ended| ended.is_err_and(|error| error.is_timeout()))
    };
    let (is_slow, is_crowded) = tokio::select! {
        is_slow = talked => (is_slow, false),
        () = place.end.notified() => (false, true),
    };
    let Parts { io, read_buf, .. } = connection.into_parts();
    let is_slow = is_slow && !read_buf.is_empty();
    let refusal = is_crowded.then(crowded).or(is_slow.then(router::too_slow));
    // After a first response, a client would take the refusal for a part of it, or for the response to its next
    // request; if the connection just ends, it tries again.
    if let Some(refusal) = refusal.filter(|_| !has_answered.load(Ordering::Relaxed)) {
        refuse(io.inner().get_ref(), &refusal);
    }
}

/// The number of turns that other tasks get before a connection is ended: a new one needs them to ask the system
/// for data, be notified and read.
const TURNS: usize = 3;

/// The places of all connections.
pub struct Places {
    free: Arc<Semaphore>,
    /// Ends each connection that waits for its client; the longest wait is first.
    waiting: Mutex<VecDeque<Arc<Notify>>>,
    /// Signals that one more connection waits.
    more: Notify,
}

/// The place of a connection.
pub struct Place {
    places: Arc<Places>,
    /// Signals that the connection must end.
    pub end: Arc<Notify>,
    _permit: OwnedSemaphorePermit,
}

/// A guard for a request: on drop, its connection waits for its client again.
pub struct Finish(pub Arc<Place>);

impl Places {
    /// Creates places for `most` connections.
    pub fn new(most: usize) -> Arc<Self> {
        let free = Arc::new(Semaphore::new(most));
        Arc::new(Self { free, waiting: Mutex::default(), more: Notify::new() })
    }

    /// Takes a place. If none is free, ends the connection that has waited longest for its client, or the next
    /// one to wait.
    ///
    /// # Panics
    ///
    /// Never: the semaphore is not closed.
    pub async fn take(self: &Arc<Self>) -> Arc<Place> {
        let mut permit = pin!(Arc::clone(&self.free).acquire_owned());
        let give_way = async {
            while !self.shed().await {
                self.more.notified().await;
            }
        };
        let permit = tokio::select! {
            biased;
            permit = permit.as_mut() => permit,
            () = give_way => permit.await,
        };
        let permit = permit.expect("the semaphore is not closed");
        let place = Place { places: Arc::clone(self), end: Arc::default(), _permit: permit };
        place.wait();
        Arc::new(place)
    }

    /// Ends the connection that has waited longest for its client, after letting connections read requests that
    /// have arrived. Returns whether there was one.
    pub async fn shed(&self) -> bool {
        for _ in 0..TURNS {
            yield_now().await;
        }
        let oldest = lock(&self.waiting).pop_front();
        oldest.inspect(|oldest| oldest.notify_one()).is_some()
    }
}

impl Place {
    /// Keeps the place: a whole request has arrived.
    pub fn work(&self) {
        lock(&self.places.waiting).retain(|end| !Arc::ptr_eq(end, &self.end));
    }

    /// Marks the connection as waiting for its client.
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

/// The number of descriptors reserved for connections while a tablebase is opened.
const OF_CONNECTIONS: usize = 64;
/// The number of descriptors reserved for everything else while connections are accepted.
#[cfg(unix)]
const OF_OTHERS: u64 = 8;

/// Whether few descriptors are left after a new connection.
#[cfg(unix)]
fn are_scarce(connection: &impl std::os::fd::AsRawFd) -> bool {
    use nix::sys::resource::{Resource::RLIMIT_NOFILE, getrlimit};
    let number = u64::from(connection.as_raw_fd().unsigned_abs());
    getrlimit(RLIMIT_NOFILE).is_ok_and(|(limit, _)| number + OF_OTHERS >= limit)
}

#[cfg(not(unix))]
fn are_scarce<T>(_connection: &T) -> bool {
    false
}

/// The errors that mean that no descriptor is left.
#[cfg(unix)]
const LIMITS: [i32; 2] = [nix::libc::EMFILE, nix::libc::ENFILE];
#[cfg(not(unix))]
const LIMITS: [i32; 0] = [];

/// Whether an error means that no descriptor is left.
pub fn is_limit(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| LIMITS.contains(&code))
}

/// Reserves descriptors for connections until the result is dropped, at most half of the available ones.
pub fn reserve() -> Vec<File> {
    let nothing = if cfg!(windows) { "NUL" } else { "/dev/null" };
    let open = |_| File::open(nothing).ok();
    let mut files: Vec<File> = (0..2 * OF_CONNECTIONS).map_while(open).collect();
    files.truncate(files.len() / 2);
    files
}

#[cfg(test)]
mod tests {
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    /// Polls once more than the number of turns that other tasks get.
    fn poll<T>(mut future: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
        let mut context = Context::from_waker(Waker::noop());
        let mut polled = (0..=TURNS).map(|_| future.as_mut().poll(&mut context));
        polled.find(Poll::is_ready).unwrap_or(Poll::Pending)
    }

    fn take(places: &Arc<Places>) -> Arc<Place> {
        match poll(pin!(places.take())) {
            Poll::Ready(place) => place,
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
