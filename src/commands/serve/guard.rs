//! Who may ask: browsers that name this machine, for pages that come from it.
//!
//! A page of another site must not reach the server through the browser of its visitor. A request that
//! such a page makes names its origin; one that it makes by giving its own host name the address of this
//! machine names that host.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::http::uri::Authority;
use hyper::{Method, Request, StatusCode};
use millstone::quote::quote;

use super::refusal::Refusal;

/// Says how a request came about, where a browser tells.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// The hosts that requests may name.
pub struct Guard {
    /// Whether only this machine can ask.
    is_loopback: bool,
    names: Vec<String>,
}

impl Guard {
    /// A guard of a server that listens at an address, and is also known by some names.
    pub fn new(address: SocketAddr, names: &[String]) -> Self {
        let names = names.iter().map(|name| name.to_ascii_lowercase());
        Self {
            is_loopback: address.ip().is_loopback(),
            names: ["localhost".to_owned()].into_iter().chain(names).collect(),
        }
    }

    /// Refuses a request that names another host or comes from a page of another origin.
    pub fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let host = host(request)?;
        if !self.is_ours(&host) {
            let message = format!("'{}' is no name of this server", quote(host.as_str()));
            return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, message));
        }
        let headers = request.headers();
        let own = format!("http://{host}");
        match text(headers, &ORIGIN)? {
            Some(origin) if !origin.eq_ignore_ascii_case(&own) => Err(foreign(origin)),
            _ => check_fetch(request.method(), headers),
        }
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
    let bad = |message: &str| Refusal::new(StatusCode::BAD_REQUEST, message);
    let mut hosts = request.headers().get_all(HOST).iter();
    let (first, second) = (hosts.next(), hosts.next());
    let header = first.filter(|_| second.is_none()).ok_or_else(|| bad("expected one Host"))?;
    let header = Authority::try_from(header.as_bytes()).map_err(|_| bad("expected a Host"))?;
    match request.uri().authority() {
        Some(authority) if *authority != header => Err(bad("two hosts are named")),
        _ => Ok(header),
    }
}

/// A header as text, if it is there.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let unreadable =
        |_| Refusal::new(StatusCode::BAD_REQUEST, format!("the header {name} is no text"));
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
