//! Connections: how many at once, how long they may take, and how they end.
//!
//! A connection costs a few kilobytes and no thread. The head of a request has to arrive within
//! [`PATIENCE`], which the pause before it counts towards, and so has its body; a client that reads
//! nothing for as long is dropped. Where all [places](super::places) are taken, connections that wait for
//! their clients give way. When the client closes its end, the request in work is dropped, and its search
//! with it.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::places::{Place, Places};
use super::site::Site;

/// The most connections at once.
const MOST_CONNECTIONS: usize = 256;
/// The longest time for the head of a request, for its body, and for a client to read on.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes of the head of a request.
const HEAD: usize = 16 << 10;
/// The longest time of a connection, after which it may finish the request in work.
const LIFE: Duration = Duration::from_secs(5 * 60);
/// The longest time that a request may ask for.
pub const LONGEST: Duration = Duration::from_secs(10 * 60);
/// How long it may take to finish the request in work: each move of a review is searched at most twice.
const GRACE: Duration = Duration::from_secs(2 * LONGEST.as_secs() + 60);
/// How long to wait after a connection could not be taken, as when too many files are open.
const RETRY: Duration = Duration::from_millis(50);

/// Serves until another future is ready.
pub async fn serve(listener: TcpListener, site: Arc<Site>, end: impl Future<Output = ()>) {
    tokio::select! {
        () = accept(listener, site) => {}
        () = end => {}
    }
}

async fn accept(listener: TcpListener, site: Arc<Site>) {
    let places = Places::new(MOST_CONNECTIONS);
    let runtime = tokio::runtime::Handle::current();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let Ok(place) = places.take().await else { return };
                runtime.spawn(talk(stream, Arc::clone(&site), place));
            }
            Err(error) => {
                log::warn!("a connection was not taken: {error}");
                sleep(RETRY).await;
            }
        }
    }
}

/// Answers the requests of a connection.
async fn talk(stream: TcpStream, site: Arc<Site>, place: Arc<Place>) {
    let answer = service_fn(|request| {
        let (site, place) = (Arc::clone(&site), Arc::clone(&place));
        async move { Ok::<_, Infallible>(site.answer(request, &place).await) }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(HEAD);
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    let mut connection = pin!(builder.serve_connection(TokioIo::new(Box::pin(stream)), answer));
    let talked = async {
        if timeout(LIFE, connection.as_mut()).await.is_err() {
            connection.as_mut().graceful_shutdown();
            let _ = timeout(GRACE, connection).await;
        }
    };
    tokio::select! {
        () = talked => {}
        () = place.end() => {}
    }
}
