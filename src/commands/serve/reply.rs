//! What is sent: JSON, a stream of events, or why a request is refused.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use millstone::api::json::text;
use millstone::api::{Refusal, error};
use serde::Serialize;
use tokio::sync::mpsc::{self, Sender};

/// An answer, or why there is none.
pub type Answer = Result<Response, Refusal>;

/// The refusal of a request that did not arrive in time.
pub fn too_slow() -> Refusal {
    Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
}

/// The bytes of a whole response, for a connection that ends without another answer.
pub fn bytes(refusal: &Refusal) -> Vec<u8> {
    let error = error(refusal).to_string();
    let (status, length) = (status(refusal), error.len());
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json");
    format!("{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{error}").into()
}

fn status(refusal: &Refusal) -> StatusCode {
    StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (status(&self), json(&error(&self))).into_response()
    }
}

/// A value as JSON.
pub fn json(value: &impl Serialize) -> Response {
    ([(CONTENT_TYPE, "application/json")], text(value)).into_response()
}

/// A reply with a stream of events, and where they come from.
///
/// * `most`: how many events may wait to be read.
/// * `client`: dropped once nobody reads the events any more.
pub fn events(most: usize, client: Arc<()>) -> (Response, Sender<Bytes>) {
    let (sender, mut received) = mpsc::channel(most);
    let events = stream::poll_fn(move |context| {
        let _ = &client;
        received.poll_recv(context).map(|event| event.map(Ok::<Bytes, Infallible>))
    });
    let reply = ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events));
    (reply.into_response(), sender)
}
