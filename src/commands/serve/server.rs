//! Connections: how many at once, how long they may take, and how they end.
//!
//! A connection costs a few kilobytes, a file descriptor and no thread. The head of a request has to
//! arrive within [`PATIENCE`], which the pause before it counts towards, and so has its body; a client
//! that reads nothing for as long is dropped. Where all [places](super::places) are taken or descriptors
//! run out, connections that wait for their clients give way; those that have got no answer yet are told
//! so. When the client closes its end, the request in work is dropped, and its search with it.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use super::descriptors;
use super::places::{Finish, Place, Places};
use super::reply;
use crate::commands::complain;

/// The most connections at once.
pub const MOST_CONNECTIONS: usize = 256;
/// The longest time for the head of a request, for its body, and for a client to read on.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes of the head of a request.
const HEAD: usize = 16 << 10;
/// The longest time of a connection, after which it may finish the request in work.
const LIFE: Duration = Duration::from_secs(5 * 60);
/// How long it may take to finish the request in work: each move of a review is searched at most twice.
const GRACE: Duration = Duration::from_secs(2 * LONGEST.as_secs() + 60);
/// How long to wait after a connection could not be taken, as when too many files are open.
const RETRY: Duration = Duration::from_millis(50);

/// Serves for ever.
pub async fn serve(listener: TcpListener, router: Router) {
    let places = Places::new(MOST_CONNECTIONS);
    let runtime = tokio::runtime::Handle::current();
    let mut has_complained = false;
    loop {
        let accepted = listener.accept().await;
        let is_scarce = match &accepted {
            Ok((stream, _)) => descriptors::are_scarce(stream),
            Err(error) => descriptors::is_limit(error),
        };
        if is_scarce && !has_complained {
            has_complained = true;
            complain("open files are running out, so idle connections are closed; raise ulimit -n");
        }
        let has_shed = is_scarce && places.shed().await;
        match accepted {
            Ok((stream, _)) if is_scarce && !has_shed => refuse(&stream, &crowded()),
            Ok((stream, _)) => {
                let Ok(place) = places.take().await else { return };
                runtime.spawn(talk(stream, router.clone(), place));
            }
            Err(_) if has_shed => {}
            Err(error) => {
                log::warn!("a connection was not taken: {error}");
                sleep(RETRY).await;
            }
        }
    }
}

fn crowded() -> Refusal {
    let message = "too many connections; try again later";
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, message)
}

/// Tells a client that its connection ends, if it has room to be told.
fn refuse(stream: &TcpStream, refusal: &Refusal) {
    let _ = stream.try_write(&reply::bytes(refusal));
}

/// Answers the requests of a connection.
async fn talk(stream: TcpStream, router: Router, place: Arc<Place>) {
    let has_answered = AtomicBool::new(false);
    let answer = service_fn(async |mut request: Request<Incoming>| {
        let finish = Finish(Arc::clone(&place));
        request.extensions_mut().insert(Arc::clone(&place));
        let reply = router.clone().oneshot(request.map(Body::new)).await?;
        has_answered.store(true, Ordering::Relaxed);
        // The request ends once all of its answer is taken.
        Ok::<_, Infallible>(reply.map(|body| {
            body.map_frame(move |frame| {
                let _ = &finish;
                frame
            })
        }))
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
    let refusal = is_crowded.then(crowded).or(is_slow.then(reply::too_slow));
    // After a first answer a client would take this for a part of it, or for the answer to its next request;
    // where the connection just ends, it asks again.
    if let Some(refusal) = refusal.filter(|_| !has_answered.load(Ordering::Relaxed)) {
        refuse(io.inner().get_ref(), &refusal);
    }
}
