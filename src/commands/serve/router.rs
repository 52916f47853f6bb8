//! The router: serves the words of the API and the files of the page, and refuses requests that come too fast or from
//! elsewhere.
//!
//! A page of another site must not reach the server through its visitor's browser. Such requests name a foreign
//! origin, or a foreign host if the page has pointed its own host name at this machine (DNS rebinding).

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderMap,
    HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use include_dir::{Dir, include_dir};
use millstone::api::{self, Job, Refusal, Search, WORDS, Word};
use millstone::quote::quote;
use serde::Serialize;
use tokio::time::timeout;

use super::connections::{PATIENCE, Place};
use super::lock;
use super::site::{Site, aside};

/// The root path of the API; ends in its version.
const ROOT: &str = "/api/1";

/// The content security policy: the page may only load its own files and send requests to this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The headers of every response.
const HEADERS: [(HeaderName, &str); 5] = [
    (CACHE_CONTROL, "no-store"),
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Creates the router of a site.
pub fn router(site: Site) -> Router {
    let site = Arc::new(site);
    let words = WORDS.iter().fold(Router::new(), |words, word| {
        let answer = move |State(site), request| answer(site, word, request);
        words.route(&format!("/{}", word.name), post(answer))
    });
    let about = async |State(site): State<Arc<Site>>| json(&api::about(&*site));
    let words = words.method_not_allowed_fallback(async || only("POST"));
    Router::new()
        .route(ROOT, get(about).fallback(async || only("GET, HEAD")))
        .nest(ROOT, words)
        .fallback(page)
        .layer(middleware::from_fn_with_state(Arc::clone(&site), guarded))
        .with_state(site)
}

/// Answers a request for a word; searches run on another thread.
async fn answer(site: Arc<Site>, word: &'static Word, request: Request) -> Answer {
    let body = body(request, &site.guard, word.most_bytes).await?;
    let asked = Arc::clone(&site);
    let Search { role, purpose, sends_events, run } =
        match aside(move || (word.read)(&body, &*asked)).await? {
            Job::Answer(answer) => return Ok(json(&answer)),
            Job::Search(search) => search,
        };
    let pool = Arc::clone(&site.pools[role as usize]);
    pool.search(purpose, sends_events, move |analyst, client| run(analyst, &*site, client)).await
}

/// Answers a request if the guard allows it.
async fn guarded(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let reply = if let Err(refusal) = site.guard.check(&request) {
        ([(CONNECTION, "close")], refusal).into_response()
    } else if let Err(refusal) = site.guard.charge(Instant::now(), 1.0) {
        refusal.into_response()
    } else {
        next.run(request).await
    };
    (HEADERS, reply).into_response()
}

/// Reads the body of a request, which must be JSON by its content type, within [`PATIENCE`].
///
/// * `most`: the most bytes.
async fn body(request: Request, guard: &Guard, most: usize) -> Result<Bytes, Refusal> {
    // A form on another site cannot send this type.
    let given = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = given.and_then(|given| given.split(';').next()).unwrap_or_default();
    if !media_type.trim().eq_ignore_ascii_case("application/json") {
        let message = "expected the content type application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    let place = request.extensions().get::<Arc<Place>>().map(Arc::clone);
    let message = || format!("expected at most {most} bytes");
    let too_large = || Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message());
    let body = request.into_body();
    if body.size_hint().lower() > most as u64 {
        return Err(too_large());
    }
    let read = timeout(PATIENCE, Limited::new(body, most).collect()).await;
    let read = read.map_err(|_| too_slow())?.map_err(|error| {
        if error.is::<LengthLimitError>() {
            too_large()
        } else {
            Refusal::bad("the request cannot be read")
        }
    })?;
    let body = read.to_bytes();
    place.inspect(|place| place.work());
    guard.charge(Instant::now(), body.len() as f64 / 1024.0)?;
    Ok(body)
}

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/commands/serve/page");

/// Sends a file of the page.
async fn page(method: Method, uri: Uri) -> Response {
    let path = uri.path();
    let name = if path == "/" { Some("index.html") } else { path.strip_prefix('/') };
    let Some(file) = FILES.files().find(|file| file.path().to_str() == name) else {
        let message = format!("there is no '{}'", quote(path));
        return Refusal::new(StatusCode::NOT_FOUND, message).into_response();
    };
    if ![Method::GET, Method::HEAD].contains(&method) {
        return only("GET, HEAD");
    }
    let media_type = match file.path().extension().and_then(|end| end.to_str()) {
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        // The other files are pictures.
        _ => "image/svg+xml",
    };
    ([(CONTENT_TYPE, media_type)], file.contents()).into_response()
}

/// Refuses a method, and names the allowed ones.
fn only(allowed: &'static str) -> Response {
    let message = format!("expected the method {allowed}");
    let refusal = Refusal::new(StatusCode::METHOD_NOT_ALLOWED, message);
    ([(ALLOW, allowed)], refusal).into_response()
}

/// A response or a refusal.
pub type Answer = Result<Response, Refusal>;

/// Returns the refusal of a request that did not arrive in time.
pub fn too_slow() -> Refusal {
    Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")
}

/// Returns a refusal as a complete HTTP response that closes the connection.
pub fn bytes(refusal: &Refusal) -> Vec<u8> {
    let error = api::error(refusal).to_string();
    let (status, length) = (status(refusal), error.len());
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json");
    format!("{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{error}").into()
}

fn status(refusal: &Refusal) -> StatusCode {
    StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (status(&self), json(&api::error(&self))).into_response()
    }
}

/// Returns a response with a value as JSON.
pub fn json(value: &impl Serialize) -> Response {
    ([(CONTENT_TYPE, "application/json")], api::json::text(value)).into_response()
}

/// Checks the host, the origin and the rate of requests.
pub struct Guard {
    /// Whether only this machine can connect.
    is_loopback: bool,
    names: Vec<String>,
    /// A token bucket, as the time at which it will be full again.
    full: Mutex<Instant>,
}

impl Guard {
    /// Creates the guard of a server.
    ///
    /// * `address`: where the server listens.
    /// * `names`: host names of the server besides `localhost`.
    pub fn new(address: SocketAddr, names: &[String]) -> Self {
        let names = names.iter().map(|name| name.to_ascii_lowercase());
        Self {
            is_loopback: address.ip().is_loopback(),
            names: ["localhost".to_owned()].into_iter().chain(names).collect(),
            full: Mutex::new(Instant::now()),
        }
    }

    /// Refuses a request that names another host or comes from a page of another origin.
    fn check(&self, request: &Request) -> Result<(), Refusal> {
        let host = host(request)?;
        let name = host.host().trim_start_matches('[').trim_end_matches(']');
        let is_ours = match name.parse::<IpAddr>() {
            Ok(address) => !self.is_loopback || address.is_loopback(),
            Err(_) => self.names.contains(&name.to_ascii_lowercase()),
        };
        if !is_ours {
            let message = format!("unknown host '{}'; add --host NAME", quote(host.as_str()));
            return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, message));
        }
        let headers = request.headers();
        let own = format!("http://{host}");
        if let Some(origin) = text(headers, "origin")?
            && !origin.eq_ignore_ascii_case(&own)
        {
            return Err(foreign(origin));
        }
        // Another site may link to the page.
        let is_link =
            request.method() == Method::GET && text(headers, "sec-fetch-mode")? == Some("navigate");
        match text(headers, "sec-fetch-site")? {
            Some(site @ ("cross-site" | "same-site")) if !is_link => Err(foreign(site)),
            _ => Ok(()),
        }
    }

    /// Refuses requests that come too fast.
    ///
    /// * `cost`: in tokens, 1 for a request and 1 for each KiB of its body.
    fn charge(&self, now: Instant, cost: f64) -> Result<(), Refusal> {
        let mut full = lock(&self.full);
        let after = (*full).max(now) + Duration::from_secs_f64(cost / TOKENS_PER_SECOND);
        if after - now > Duration::from_secs_f64(BUCKET_SIZE / TOKENS_PER_SECOND) {
            let message = "too many requests; try again later";
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, message));
        }
        *full = after;
        Ok(())
    }
}

/// The host in the header of a request, which must match the host in its first line, if there is one.
fn host(request: &Request) -> Result<Authority, Refusal> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let header = hosts.next().filter(|_| hosts.next().is_none());
    let header = header.ok_or_else(|| Refusal::bad("expected one Host"))?;
    // A Host must not have a user name, the part before an @.
    let header = Authority::try_from(header.as_bytes()).ok();
    let header = header.filter(|header| !header.as_str().contains('@'));
    let header = header.ok_or_else(|| Refusal::bad("expected a Host"))?;
    match request.uri().authority() {
        Some(authority) if *authority != header => Err(Refusal::bad("the request names two hosts")),
        _ => Ok(header),
    }
}

/// The value of a header as text, if present.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, Refusal> {
    let unreadable = |_| Refusal::bad(format!("the header {name} is not text"));
    headers.get(name).map(|value| value.to_str().map_err(unreadable)).transpose()
}

fn foreign(origin: &str) -> Refusal {
    let message = format!("requests from another origin are refused: '{}'", quote(origin));
    Refusal::new(StatusCode::FORBIDDEN, message)
}

/// The tokens in a full bucket.
const BUCKET_SIZE: f64 = 2_000.0;
/// The tokens that a bucket gains per second.
const TOKENS_PER_SECOND: f64 = 1_000.0;

#[cfg(test)]
mod tests {
    use millstone::api::{LONGEST, MOST_GAMES, MOST_TIME, USUAL_TIME, VERSION};

    use super::*;
    use crate::commands::serve::connections::MOST_CONNECTIONS;

    const HELP: &str = include_str!("api.txt");

    /// Checks that a text contains words, ignoring line breaks.
    fn assert_says(text: &str, said: &str) {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(said), "{said}");
    }

    #[test]
    fn help_and_page_say_what_holds() {
        assert_eq!(ROOT, format!("/api/{VERSION}"));
        for said in [
            format!("at {ROOT}, where {VERSION} is the version"),
            format!("GET {ROOT} returns"),
            format!("that {ROOT} lists"),
            format!("Paths below {ROOT},"),
            format!("(milliseconds, at most {MOST_TIME}) [default: time {USUAL_TIME}]"),
            format!("at most {} milliseconds", LONGEST.as_millis()),
            format!("more than {MOST_GAMES}"),
            format!("nothing for {} seconds", PATIENCE.as_secs()),
            format!("body takes longer than {} seconds", PATIENCE.as_secs()),
            format!("Of more than {MOST_CONNECTIONS} connections"),
        ] {
            assert_says(HELP, &said);
        }
        assert_says(include_str!("page/transport.js"), &format!("const ROOT = \"{ROOT}\";"));
        assert_says(include_str!("page/index.html"), &format!("<option value=\"{USUAL_TIME}\">"));
    }

    #[test]
    fn an_empty_bucket_fills_with_time() {
        let guard = Guard::new(([127, 0, 0, 1], 0).into(), &[]);
        let now = Instant::now();
        let is_paid = |at, cost| guard.charge(at, cost).is_ok();
        assert!((0..BUCKET_SIZE as usize).all(|_| is_paid(now, 1.0)));
        assert!(!is_paid(now, 1.0));
        let later = now + Duration::from_millis(5);
        assert!(!is_paid(later, 8.0));
        assert!(is_paid(later, 3.0));
        assert!(!is_paid(later, 3.0));
    }
}
