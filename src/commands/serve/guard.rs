//! Who may ask, and how fast: browsers that name this machine, for pages that come from it.
//!
//! A page of another site must not reach the server through the browser of its visitor. A request that
//! such a page makes names its origin; one that it makes by giving its own host name the address of this
//! machine names that host.

use std::net::{IpAddr, SocketAddr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{Method, Request, StatusCode};
use millstone::api::Refusal;
use millstone::quote::quote;

use super::lock;

/// Says how a request came about, where a browser tells.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// The hosts that requests may name, and the requests that may come.
pub struct Guard {
    /// Whether only this machine can ask.
    is_loopback: bool,
    names: Vec<String>,
    /// A purse that fills again with time: when it will be full. What it lacks now is the time until then.
    full: Mutex<Instant>,
}

impl Guard {
    /// A guard of a server that listens at an address, and is also known by some names.
    pub fn new(address: SocketAddr, names: &[String]) -> Self {
        let names = names.iter().map(|name| name.to_ascii_lowercase());
        Self {
            is_loopback: address.ip().is_loopback(),
            names: ["localhost".to_owned()].into_iter().chain(names).collect(),
            full: Mutex::new(Instant::now()),
        }
    }

    /// Refuses a request that names another host or comes from a page of another origin.
    pub fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let host = host(request)?;
        if !self.is_ours(&host) {
            let message = format!("unknown host '{}'; add --host NAME", quote(host.as_str()));
            return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, message));
        }
        let headers = request.headers();
        let own = format!("http://{host}");
        match text(headers, &ORIGIN)? {
            Some(origin) if !origin.eq_ignore_ascii_case(&own) => Err(foreign(origin)),
            _ => check_fetch(request.method(), headers),
        }
    }

    /// Refuses requests that come too fast.
    ///
    /// * `cost`: 1 for a request, and as much for each KiB of it.
    pub fn charge(&self, cost: f64) -> Result<(), Refusal> {
        let message = "too many requests; try again later";
        let refusal = || Refusal::new(StatusCode::TOO_MANY_REQUESTS, message);
        pay_at(&self.full, Instant::now(), cost).then_some(()).ok_or_else(refusal)
    }

    fn is_ours(&self, host: &Authority) -> bool {
        let name = host.host().trim_start_matches('[').trim_end_matches(']');
        match name.parse::<IpAddr>() {
            Ok(address) => !self.is_loopback || address.is_loopback(),
            Err(_) => self.names.contains(&name.to_ascii_lowercase()),
        }
    }
}

/// The host that a request names, in its first line if it is there, else in its header.
fn host<B>(request: &Request<B>) -> Result<Authority, Refusal> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let header = hosts.next().filter(|_| hosts.next().is_none());
    let header = header.ok_or_else(|| Refusal::bad("expected one Host"))?;
    // What stands before an @ is the name of a user, which has no place in a Host.
    let header = Authority::try_from(header.as_bytes()).ok();
    let header = header.filter(|header| !header.as_str().contains('@'));
    let header = header.ok_or_else(|| Refusal::bad("expected a Host"))?;
    match request.uri().authority() {
        Some(authority) if *authority != header => Err(Refusal::bad("two hosts are named")),
        _ => Ok(header),
    }
}

/// A header as text, if it is there.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let unreadable = |_| Refusal::bad(format!("the header {name} is no text"));
    headers.get(name).map(|value| value.to_str().map_err(unreadable)).transpose()
}

/// Refuses what another site asks for, unless somebody follows a link of it to the page.
fn check_fetch(method: &Method, headers: &HeaderMap) -> Result<(), Refusal> {
    let is_link = *method == Method::GET && text(headers, &FETCH_MODE)? == Some("navigate");
    match text(headers, &FETCH_SITE)? {
        Some(site @ ("cross-site" | "same-site")) if !is_link => Err(foreign(site)),
        _ => Ok(()),
    }
}

fn foreign(origin: &str) -> Refusal {
    let message = format!("pages of another origin may not ask: '{}'", quote(origin));
    Refusal::new(StatusCode::FORBIDDEN, message)
}

/// The points that a full purse holds.
const FULL_PURSE: f64 = 2_000.0;
/// The points that a purse gets in a second.
const EARNED_POINTS: f64 = 1_000.0;

/// Pays a price from a purse. Returns whether there was enough.
fn pay_at(full: &Mutex<Instant>, now: Instant, cost: f64) -> bool {
    let mut full = lock(full);
    let after = (*full).max(now) + Duration::from_secs_f64(cost / EARNED_POINTS);
    let is_paid = after - now <= Duration::from_secs_f64(FULL_PURSE / EARNED_POINTS);
    if is_paid {
        *full = after;
    }
    is_paid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_purse_fills_with_time() {
        let now = Instant::now();
        let purse = Mutex::new(now);
        assert!((0..FULL_PURSE as usize).all(|_| pay_at(&purse, now, 1.0)));
        assert!(!pay_at(&purse, now, 1.0));
        let later = now + Duration::from_millis(5);
        assert!(!pay_at(&purse, later, 8.0));
        assert!(pay_at(&purse, later, 3.0));
        assert!(!pay_at(&purse, later, 3.0));
    }
}
