//! What is asked for: a file of the page or a word of the API.

use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::{Method, Request, StatusCode};
use millstone::quote::quote;
use tokio::time::timeout;

use super::api::{self, Word};
use super::guard::Guard;
use super::limits::PATIENCE;
use super::page;
use super::places::Place;
use super::rate::Purse;
use super::refusal::Refusal;
use super::reply::{self, Reply};
use super::site::Site;

/// Answers requests, of those who may ask.
pub struct Router {
    guard: Guard,
    purse: Purse,
    site: Arc<Site>,
}

impl Router {
    /// A router of a site that listens at an address, and whose host has other names too.
    pub fn new(site: Site, address: SocketAddr, hosts: &[String]) -> Self {
        let guard = Guard::new(address, hosts);
        Self { guard, purse: Purse::full(), site: Arc::new(site) }
    }

    /// Answers a request of the connection that has a place.
    pub async fn answer(&self, request: Request<Incoming>, place: &Arc<Place>) -> Reply {
        self.find(request, place).await.unwrap_or_else(Reply::from)
    }

    async fn find(&self, request: Request<Incoming>, place: &Arc<Place>) -> Result<Reply, Refusal> {
        self.guard.check(&request).map_err(Refusal::last)?;
        if !self.purse.pay() {
            return Err(too_fast());
        }
        let path = request.uri().path();
        match path.strip_prefix(api::ROOT) {
            Some(name) => {
                let word = Word::named(name).ok_or_else(|| missing(path))?;
                self.ask(word, request, place).await
            }
            None => match *request.method() {
                Method::GET | Method::HEAD => page::find(path).ok_or_else(|| missing(path)),
                _ => Err(Refusal::of_method("GET, HEAD")),
            },
        }
    }

    /// Asks a word of the API.
    async fn ask(
        &self,
        word: Word,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Result<Reply, Refusal> {
        if word == Word::About {
            return match *request.method() {
                Method::GET | Method::HEAD => Ok(reply::json(&api::about(&self.site))),
                _ => Err(Refusal::of_method("GET, HEAD")),
            };
        }
        if *request.method() != Method::POST {
            return Err(Refusal::of_method("POST"));
        }
        api::check_type(request.headers())?;
        let body = read(request.into_body(), word.most_bytes()).await?;
        let kept = place.work();
        if !self.purse.pay_for_bytes(body.len()) {
            return Err(too_fast());
        }
        let mut reply = api::answer(word, Arc::clone(&self.site), body).await?;
        reply.body_mut().keep(kept);
        Ok(reply)
    }
}

/// Reads a body of limited size in limited time.
async fn read(body: Incoming, most: usize) -> Result<Bytes, Refusal> {
    let too_large = || {
        let message = format!("expected at most {most} bytes");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    };
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

fn missing(path: &str) -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, format!("there is no '{}'", quote(path)))
}

fn too_fast() -> Refusal {
    Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too many requests; try again later")
}
