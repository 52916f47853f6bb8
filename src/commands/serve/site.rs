//! What is asked for: a file of the page or a word of the API.

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::{Method, Request, StatusCode};
use millstone::locks::lock;
use millstone::quote::quote;
use millstone::rules::RuleSet;
use millstone::tablebase::{EngineTablebase, Solvable, Sources, Tablebase};
use tokio::time::timeout;

use super::api::{self, Word};
use super::arguments::Arguments;
use super::guard::Guard;
use super::page;
use super::places::Place;
use super::rate::Purse;
use super::reply::{self, Refusal, Reply};
use super::searches::Pool;
use super::server::PATIENCE;
use crate::commands::complain;

/// All that requests share.
pub struct Site {
    guard: Guard,
    purse: Purse,
    /// The rules of games that name none.
    pub rules: RuleSet,
    /// Engines that play.
    pub players: Arc<Pool>,
    /// Engines that analyze and review.
    pub analysts: Arc<Pool>,
    /// The tablebases of the games that were looked at, unless the user does without.
    tablebases: Option<Mutex<Vec<(Solvable, EngineTablebase)>>>,
    /// The folder of the tablebase of the game that requests mean which name none.
    tablebase_folder: Option<PathBuf>,
}

impl Site {
    /// A site that listens at an address.
    pub fn new(arguments: &Arguments, rules: RuleSet, address: SocketAddr) -> Self {
        let pool = || Pool::new(arguments.searches, arguments.hash);
        let site = Self {
            guard: Guard::new(address, &arguments.hosts),
            purse: Purse::full(),
            rules,
            players: pool(),
            analysts: pool(),
            tablebases: (!arguments.no_tablebase).then(Mutex::default),
            tablebase_folder: arguments.tablebase.clone(),
        };
        site.tablebase(&rules);
        site
    }

    /// The tablebase of a game as it is now, if it can have one, with the small sectors once they are
    /// solved.
    pub fn tablebase(&self, rules: &RuleSet) -> Option<Arc<Tablebase>> {
        let game = Solvable::of(rules).ok()?;
        let mut tablebases = lock(self.tablebases.as_ref()?);
        let known = tablebases.iter().position(|(other, _)| *other == game);
        let place = known.unwrap_or(tablebases.len());
        if known.is_none() {
            tablebases.push((game, EngineTablebase::default()));
        }
        let (_, tablebase) = &mut tablebases[place];
        let folder = self.tablebase_folder.as_deref().filter(|_| *rules == self.rules);
        let report = &mut |error: &dyn Error| complain(error);
        let opened =
            tablebase.open(Sources { game, folder, has_book: true, has_files: true }, report);
        tablebase.solve_small_in_background();
        Some(opened)
    }

    /// Whether tablebases are used.
    pub fn has_tablebases(&self) -> bool {
        self.tablebases.is_some()
    }

    /// Answers a request of the connection that has a place.
    pub async fn answer(self: Arc<Self>, request: Request<Incoming>, place: &Arc<Place>) -> Reply {
        self.find(request, place).await.unwrap_or_else(Reply::from)
    }

    async fn find(
        self: Arc<Self>,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Result<Reply, Refusal> {
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
        self: Arc<Self>,
        word: Word,
        request: Request<Incoming>,
        place: &Arc<Place>,
    ) -> Result<Reply, Refusal> {
        if word == Word::About {
            return match *request.method() {
                Method::GET | Method::HEAD => Ok(reply::json(&api::about(&self))),
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
        let mut reply = api::answer(word, self, body).await?;
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
    let slow = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long");
    let body = read.map_err(slow)?.map_err(|error| {
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
