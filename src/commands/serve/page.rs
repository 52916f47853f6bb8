//! The files of the page, which are part of the program.

use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};
use millstone::quote::quote;

use super::reply::Refusal;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/commands/serve/page");

/// Sends the file with the path that is asked for.
pub async fn answer(method: Method, uri: Uri) -> Response {
    let Some((media_type, content)) = find(uri.path()) else {
        let message = format!("there is no '{}'", quote(uri.path()));
        return Refusal::new(StatusCode::NOT_FOUND, message).into_response();
    };
    match method {
        Method::GET | Method::HEAD => ([(CONTENT_TYPE, media_type)], content).into_response(),
        _ => only("GET, HEAD"),
    }
}

/// Refuses a method that is not one of those that are allowed.
pub fn only(allowed: &'static str) -> Response {
    let message = format!("expected the method {allowed}");
    let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message);
    ([(ALLOW, allowed)], refusal).into_response()
}

/// The media type and content of the file with a path, if there is one.
fn find(path: &str) -> Option<(&'static str, &'static [u8])> {
    let name = if path == "/" { "index.html" } else { path.strip_prefix('/')? };
    let file = FILES.files().find(|file| file.path().to_str() == Some(name))?;
    let media_type = match name.rsplit_once('.')?.1 {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    };
    Some((media_type, file.contents()))
}
