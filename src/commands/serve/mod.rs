//! `millstone serve`: a board in the browser.
//!
//! ```text
//! arguments      the command line
//! server         connections: how long they may take and how they end
//! places         how many there are, and who gives way
//! descriptors    how many files may be open
//! guard          hosts and origins that are refused, requests that come too fast
//! api            the router, and the words of the API, a file each
//! page           the files of the page, which are part of the program
//! site           what all requests share: rules, engines, tablebases
//! searches       engines, how many search at once, searches that fail or that nobody waits for
//! reply          what is sent: JSON, a stream of events, or what is wrong
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
mod descriptors;
mod guard;
mod page;
mod places;
mod reply;
mod searches;
mod server;
mod site;

use std::io::{self, Write};
use std::panic;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use millstone::rules::RuleSet;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::{CommandResult, complain, signals};
pub use arguments::Arguments;
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
        format!("{address}, port {port}: {error}; --port 0 picks a free port")
    })?;
    let address = listener.local_addr()?;
    let router = api::router(Site::new(arguments, *rules, address));
    panic::set_hook(Box::new(|panic| complain(format_args!("a request failed: {panic}"))));
    let url = format!("http://{address}/");
    let mut out = io::stdout().lock();
    writeln!(out, "{url} has the board; press Ctrl-C to stop")?;
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

/// Locks a mutex, also where a request has panicked that held the lock: what it holds is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
