//! `millstone serve`: a board in the browser.
//!
//! ```text
//! arguments        the command line
//! server, places   connections: how many, how long, how they end
//! router           what is asked for: a file of the page or a word of the API
//! guard, rate      hosts and origins that are refused, requests that come too fast
//! page             the files of the page, which are part of the program
//! api              the words of the API, a file each
//! site             what all requests share: rules, engines, tablebases
//! searches         engines, how many search at once, and searches that nobody waits for any more
//! reply, refusal   what is sent: JSON, a file, a stream of events, or what is wrong
//! limits           how long clients may take, and searches
//! ```
//!
//! The page knows no rules: it asks the API what is on the board and what may be played.
//!
//! # The API
//! ```text
#![doc = include_str!("api.txt")]
//! ```

mod api;
mod arguments;
mod guard;
mod limits;
mod page;
mod places;
mod rate;
mod refusal;
mod reply;
mod router;
mod searches;
mod server;
mod site;

use std::io::{self, Write};
use std::sync::Arc;

use millstone::rules::RuleSet;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::{CommandResult, complain, signals};
pub use arguments::Arguments;
use router::Router;
use site::Site;

/// Threads for work that is not a search.
const WORKERS: usize = 2;

/// Serves until a signal ends the program.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(searches::POOLS * usize::from(arguments.searches) + WORKERS)
        .build()?;
    let asked = (arguments.address, arguments.port);
    let listener = runtime.block_on(TcpListener::bind(asked)).map_err(|error| {
        let (address, port) = asked;
        format!("{address}, port {port}: {error}; --port 0 takes any that is free")
    })?;
    let address = listener.local_addr()?;
    let site = Site::new(arguments, *rules);
    let router = Arc::new(Router::new(site, address, &arguments.hosts));
    let url = format!("http://{address}/");
    let mut out = io::stdout().lock();
    writeln!(out, "{url} has the board; Ctrl-C ends it")?;
    out.flush()?;
    drop(out);
    if arguments.open
        && let Err(error) = open::that_detached(&url)
    {
        complain(format_args!("cannot open a browser: {error}"));
    }
    let ended = Arc::new(Notify::new());
    let end = Arc::clone(&ended);
    signals::stop_with(move || end.notify_one())?;
    runtime.block_on(server::serve(listener, router, ended.notified()));
    runtime.shutdown_background();
    Ok(())
}
