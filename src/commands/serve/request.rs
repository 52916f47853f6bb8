//! The body of a request: JSON of a limited size that arrives in time.

use std::sync::Arc;

use axum::body::{Bytes, HttpBody};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderMap};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::timeout;

use super::guard::Guard;
use super::places::Place;
use super::reply::Refusal;
use super::server::PATIENCE;

/// Reads the body of a request.
///
/// * `most`: the most bytes.
pub async fn body(request: Request, guard: &Guard, most: usize) -> Result<Bytes, Refusal> {
    check_type(request.headers())?;
    let place = request.extensions().get::<Arc<Place>>().map(Arc::clone);
    let body = read(request, most).await?;
    place.inspect(|place| place.work());
    guard.charge(body.len() as f64 / 1024.0)?;
    Ok(body)
}

/// Refuses a body that does not say that it is JSON, as those of forms of other sites cannot.
fn check_type(headers: &HeaderMap) -> Result<(), Refusal> {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = given.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let message = "expected the content type application/json";
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message))
}

/// Reads a body of limited size in limited time.
async fn read(request: Request, most: usize) -> Result<Bytes, Refusal> {
    let too_large = || {
        let message = format!("expected at most {most} bytes");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
    let body = request.into_body();
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
    let read = timeout(PATIENCE, Limited::new(body, most).collect()).await;
    let body = read.map_err(|_| Refusal::too_slow())?.map_err(|error| {
        if error.is::<LengthLimitError>() {
            too_large()
        } else {
            Refusal::bad("the request cannot be read")
        }
    })?;
    Ok(body.to_bytes())
}
