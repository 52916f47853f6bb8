//! What is sent: JSON, a stream of events, or why a request is refused.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use millstone::api::{self, error};
use serde::Serialize;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{self, Sender};

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    status: StatusCode,
    message: String,
}

/// An answer, or why there is none.
pub type Answer = Result<Response, Refusal>;

impl Refusal {
    /// A refusal with a status, and why.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// A request that cannot be carried out as it is.
    pub fn bad(error: impl fmt::Display) -> Self {
        Self::new(StatusCode::BAD_REQUEST, error.to_string())
    }

    /// A request that did not arrive in time.
    pub fn too_slow() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
    }

    /// The bytes of a whole response, for a connection that ends without another answer.
    pub fn bytes(&self) -> Vec<u8> {
        let error = error(self).to_string();
        let (status, length) = (self.status, error.len());
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json");
        format!("{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{error}").into()
    }
}

impl From<api::Refusal> for Refusal {
    fn from(refusal: api::Refusal) -> Self {
        let status = match refusal {
            api::Refusal::Bad(_) => StatusCode::BAD_REQUEST,
            api::Refusal::NotFound(_) => StatusCode::NOT_FOUND,
            api::Refusal::Full(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, refusal.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, json(&error(&self))).into_response()
    }
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            (status, error.to_string()).into_response()
        }
    }
}

/// Where events are sent from.
#[derive(Clone)]
pub struct EventSender(Sender<Bytes>);

/// How often an event is tried to be sent to a slow client, and the time between.
const TRIES: u32 = 250;
const INTERVAL: Duration = Duration::from_millis(20);

/// A reply with a stream of events, and where they come from.
///
/// * `most`: how many events may wait to be read.
/// * `client`: dropped once nobody reads the events any more.
pub fn events(most: usize, client: Arc<()>) -> (Response, EventSender) {
    let (sender, mut received) = mpsc::channel(most);
    let events = stream::poll_fn(move |context| {
        let _ = &client;
        received.poll_recv(context).map(|event| event.map(Ok::<Bytes, Infallible>))
    });
    let reply = ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events));
    (reply.into_response(), EventSender(sender))
}

impl EventSender {
    /// Sends an event, and waits a while for a slow client to make room for it. Not for asynchronous code.
    ///
    /// * `data`: JSON.
    pub fn send(&self, name: &str, data: &str) {
        let mut event = format!("event: {name}\ndata: {data}\n\n").into();
        for _ in 0..TRIES {
            match self.0.try_send(event) {
                Err(TrySendError::Full(unsent)) => event = unsent,
                Ok(()) | Err(TrySendError::Closed(_)) => return,
            }
            thread::sleep(INTERVAL);
        }
    }

    /// Sends an event that is left out if the client is too slow to read those before it.
    pub fn send_if_idle(&self, name: &str, data: &str) {
        if self.0.capacity() > 1 {
            self.send(name, data);
        }
    }
}
