//! The router: words of the API and files of the page, for those who may ask.

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
use millstone::api::{self, Job, WORDS, Word};

use super::page::{self, only};
use super::reply::{self, Answer};
use super::request;
use super::searches::aside;
use super::site::Site;

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
    let words = WORDS.iter().fold(Router::new(), |words, word| {
        let answer = move |State(site), request| answer(site, word, request);
        words.route(&format!("/{}", word.name), post(answer))
    });
    let words = words.method_not_allowed_fallback(async || only("POST"));
    Router::new()
        .route(ROOT, get(about).fallback(async || only("GET, HEAD")))
        .nest(ROOT, words)
        .fallback(page::answer)
        .layer(middleware::from_fn_with_state(Arc::clone(&site), guarded))
        .with_state(site)
}

/// Says what the site is and can do.
async fn about(State(site): State<Arc<Site>>) -> Response {
    reply::json(&api::about(&*site))
}

/// Answers a word, with a search on another thread if it needs one.
async fn answer(site: Arc<Site>, word: &'static Word, request: Request) -> Answer {
    let body = request::body(request, &site.guard, word.most_bytes).await?;
    let asked = Arc::clone(&site);
    let search = match aside(move || Ok(word.read(&body, &*asked)?)).await? {
        Job::Answer(answer) => return Ok(reply::json(&answer)),
        Job::Search(search) => search,
    };
    let pool = Arc::clone(site.pool(search.role));
    let (purpose, events) = (search.purpose, search.events);
    pool.search(purpose, events, move |engine, client| search.run(engine, &*site, client)).await
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
    use millstone::api::{LONGEST, MOST_GAMES, MOST_TIME, USUAL_TIME, VERSION};

    use super::*;
    use crate::commands::serve::server::{MOST_CONNECTIONS, PATIENCE};

    const HELP: &str = include_str!("api.txt");

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
        assert_says(include_str!("page/transport.js"), &format!("const ROOT = \"{ROOT}\";"));
        assert_says(include_str!("page/index.html"), &format!("<option value=\"{USUAL_TIME}\">"));
    }
}
