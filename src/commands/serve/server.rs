//! Connections: how many at once, how long they may take, and how they end.
//!
//! A connection costs a few kilobytes and no thread. The head of a request has to arrive within
//! [`PATIENCE`], which the pause before it counts towards, and so has its body; a client that reads
//! nothing for as long is dropped. Where all [places](super::places) are taken, connections that wait for
//! their clients give way; those that have got no answer yet are told so. When the client closes its end,
//! the request in work is dropped, and its search with it.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::StatusCode;
use hyper::server::conn::http1::{self, Parts};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::limits::{LONGEST, MOST_CONNECTIONS, PATIENCE};
use super::places::{Place, Places};
use super::refusal::Refusal;
use super::reply;
use super::router::Router;

/// The most bytes of the head of a request.
const HEAD: usize = 16 << 10;
/// The longest time of a connection, after which it may finish the request in work.
const LIFE: Duration = Duration::from_secs(5 * 60);
/// How long it may take to finish the request in work: each move of a review is searched at most twice.
const GRACE: Duration = Duration::from_secs(2 * LONGEST.as_secs() + 60);
/// How long to wait after a connection could not be taken, as when too many files are open.
const RETRY: Duration = Duration::from_millis(50);

/// Serves until another future is ready.
pub async fn serve(listener: TcpListener, router: Arc<Router>, end: impl Future<Output = ()>) {
    tokio::select! {
        () = accept(listener, router) => {}
        () = end => {}
    }
}

async fn accept(listener: TcpListener, router: Arc<Router>) {
    let places = Places::new(MOST_CONNECTIONS);
    let runtime = tokio::runtime::Handle::current();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let Ok(place) = places.take().await else { return };
                runtime.spawn(talk(stream, Arc::clone(&router), place));
            }
            Err(error) => {
                log::warn!("a connection was not taken: {error}");
                sleep(RETRY).await;
            }
        }
    }
}

/// Answers the requests of a connection.
async fn talk(stream: TcpStream, router: Arc<Router>, place: Arc<Place>) {
    let has_answered = AtomicBool::new(false);
    let answer = service_fn(async |request| {
        let reply = router.answer(request, &place).await;
        has_answered.store(true, Ordering::Relaxed);
        Ok::<_, Infallible>(reply)
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
        () = place.end() => (false, true),
    };
    let Parts { io, read_buf, .. } = connection.into_parts();
    // After a first answer a client would take this for a part of it, or for the answer to its next request;
    // where the connection just ends, it asks again.
    let refusal = if has_answered.load(Ordering::Relaxed) {
        None
    } else if is_crowded {
        Some(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too many connections; try again later"))
    } else {
        (is_slow && !read_buf.is_empty()).then(Refusal::too_slow)
    };
    if let Some(refusal) = refusal {
        // Where the client has read nothing there may be no room; then it reads no refusal either.
        let _ = io.inner().get_ref().try_write(&reply::bytes(&refusal));
    }
}
