//! What is sent: JSON, a file of the page, a stream of events, or what is wrong.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::{Either, Full};
use hyper::Response;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName,
    HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use serde::Serialize;
use tokio::sync::mpsc::{self, Receiver, Sender};

use super::places::Work;
use super::refusal::Refusal;
use super::searches::Stop;

/// An answer to a request.
pub type Reply = Response<Content>;

/// What an answer holds, and the work that it comes from, which ends once all of it is taken.
pub struct Content {
    data: Either<Full<Bytes>, Events>,
    work: Option<Work>,
}

/// The page may do nothing but show itself and ask this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What is wrong, as JSON.
#[derive(Serialize)]
struct JsonError<'a> {
    error: &'a str,
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Self {
        let mut reply = json(&JsonError { error: &refusal.message });
        *reply.status_mut() = refusal.status;
        if let Some(allowed) = refusal.allowed {
            reply.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
        }
        if refusal.is_last {
            reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        reply
    }
}

/// A refusal as it is sent to a client that gets no other answer, before the connection ends.
pub fn bytes(refusal: &Refusal) -> Vec<u8> {
    let error = serde_json::json!(JsonError { error: &refusal.message }).to_string();
    let (status, length) = (refusal.status, error.len());
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json");
    format!("{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{error}").into()
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> Reply {
    let text = serde_json::to_vec(value).unwrap_or_else(|error| {
        log::error!("{error}");
        b"{}".to_vec()
    });
    whole("application/json", text.into())
}

/// A file of the page.
pub fn file(media_type: &'static str, content: &'static [u8]) -> Reply {
    whole(media_type, Bytes::from_static(content))
}

fn whole(media_type: &'static str, content: Bytes) -> Reply {
    with_headers(media_type, Either::Left(Full::new(content)))
}

fn with_headers(media_type: &'static str, data: Either<Full<Bytes>, Events>) -> Reply {
    let mut reply = Response::new(Content { data, work: None });
    let headers: [(HeaderName, &'static str); 6] = [
        (CONTENT_TYPE, media_type),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in headers {
        reply.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    reply
}

/// A stream of events of a search, which ends when nobody reads it any more.
pub struct Events {
    received: Receiver<Bytes>,
    _stop: Stop,
}

/// Where events are sent from.
pub struct EventSender(Sender<Bytes>);

/// A reply with a stream of events, and where they come from.
///
/// * `most`: how many events may wait to be read, at least 2.
/// * `stop`: stops the search.
pub fn events(most: usize, stop: Stop) -> (Reply, EventSender) {
    let (sender, received) = mpsc::channel(most);
    let events = Events { received, _stop: stop };
    (with_headers("text/event-stream", Either::Right(events)), EventSender(sender))
}

impl EventSender {
    /// Sends an event, unless as many wait as may.
    pub fn send(&self, name: &str, value: &impl Serialize) {
        if let Ok(data) = serde_json::to_string(value) {
            let _ = self.0.try_send(format!("event: {name}\ndata: {data}\n\n").into());
        }
    }

    /// Sends an event that can be left out: the last place is kept for the last event.
    pub fn send_if_idle(&self, name: &str, value: &impl Serialize) {
        if self.0.capacity() > 1 {
            self.send(name, value);
        }
    }
}

impl Body for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.received.poll_recv(context).map(|data| data.map(|data| Ok(Frame::data(data))))
    }
}

impl Content {
    /// Keeps the work going until all is taken.
    pub fn keep(&mut self, work: Work) {
        self.work = Some(work);
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = <Either<Full<Bytes>, Events> as Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.data).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.data.size_hint()
    }
}
