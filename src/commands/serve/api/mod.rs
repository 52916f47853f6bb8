//! The router, and the words of the API.
//!
//! A new word is a route and a function; `../api.txt` explains it.

mod about;
mod analysis;
mod notes;
mod position;
mod puzzle;
mod records;
mod request;
mod review;
mod turn;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::page::{self, only};
use super::site::Site;

/// The version of the API.
const VERSION: u8 = 1;
/// Where the paths of the API begin; they end in its version.
const ROOT: &str = "/api/1";

/// The page may do nothing but show itself and ask this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// What is said with every answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (CACHE_CONTROL, "no-store"),
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Answers requests for words of the API and files of the page, of those who may ask.
pub fn router(site: Site) -> Router {
    let site = Arc::new(site);
    let words = Router::new()
        .route("/position", post(position::answer))
        .route("/move", post(turn::answer))
        .route("/analysis", post(analysis::answer))
        .route("/lesson", post(analysis::teach))
        .route("/review", post(review::answer))
        .route("/puzzle", post(puzzle::answer))
        .route("/games", post(records::read))
        .route("/record", post(records::write))
        .method_not_allowed_fallback(async || only("POST"));
    Router::new()
        .route(ROOT, get(about::answer).fallback(async || only("GET, HEAD")))
        .nest(ROOT, words)
        .fallback(page::answer)
        .layer(middleware::from_fn_with_state(Arc::clone(&site), guarded))
        .with_state(site)
}

/// Answers those who may ask.
async fn guarded(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let reply = match site.guard.check(&request) {
        Err(refusal) => ([(CONNECTION, "close")], refusal).into_response(),
        Ok(()) => match site.guard.charge(1.0) {
            Err(refusal) => refusal.into_response(),
            Ok(()) => next.run(request).await,
        },
    };
    (HEADERS, reply).into_response()
}

#[cfg(test)]
mod tests {
    use super::records::MOST_GAMES;
    use super::request::{MOST_TIME, USUAL_TIME};
    use super::*;
    use crate::commands::serve::server::{LONGEST, MOST_CONNECTIONS, PATIENCE};

    const HELP: &str = include_str!("../api.txt");

    /// Whether a text says something, wherever its lines end.
    fn assert_says(text: &str, said: &str) {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(said), "{said}");
    }

    #[test]
    fn help_and_page_say_what_holds() {
        assert_eq!(ROOT, format!("/api/{VERSION}"));
        for said in [
            format!("at {ROOT}, where {VERSION} is the version"),
            format!("GET {ROOT} tells"),
            format!("that {ROOT} lists"),
            format!("Paths below {ROOT},"),
            format!("(milliseconds, at most {MOST_TIME}) [default: time {USUAL_TIME}]"),
            format!("at most {} milliseconds", LONGEST.as_millis()),
            format!("more than {MOST_GAMES}"),
            format!("nothing for {} seconds", PATIENCE.as_secs()),
            format!("body takes longer than {} seconds", PATIENCE.as_secs()),
            format!("of more than {MOST_CONNECTIONS} connections"),
        ] {
            assert_says(HELP, &said);
        }
        assert_says(include_str!("../page/api.js"), &format!("const ROOT = \"{ROOT}\";"));
        assert_says(
            include_str!("../page/index.html"),
            &format!("<option value=\"{USUAL_TIME}\">"),
        );
    }
}
