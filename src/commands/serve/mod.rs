//! `millstone serve`: a board in the browser.
//!
//! ```text
//! connections    limits on connections: their number, time and open files, and which end first
//! router         routing, checks of host, origin and rate, request bodies, responses; the words are in `api`
//! site           state of all requests: rules, tablebases, engines, and the number of searches at once
//! ```
//!
//! The page knows no rules: it asks the API for the board and the legal moves.
//!
//! # The API
//! ```text
#![doc = include_str!("api.txt")]
//! ```

mod connections;
mod router;
mod site;

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::panic;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::{ValueHint, value_parser};
use millstone::rules::RuleSet;
use millstone::search::MAX_TABLE;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::arguments::OptionalTablebase;
use super::{CommandResult, complain, terminal};
use site::Site;

/// Show a board in the browser.
///
/// The page is built into the program and needs no network. Play any game that millstone rules lists,
/// against the engine or another person, or watch the engine play itself; see the value of each move,
/// from the tablebase or a search; review games in any notation that millstone convert reads.
///
/// By default only this machine can connect (see --address), and only from the page itself: requests
/// for an unknown host or from another origin are refused.
#[derive(clap::Args)]
#[command(after_long_help = include_str!("api.txt"))]
pub struct Arguments {
    /// Port to listen on; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 2409)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Address to listen on; unless it is a loopback address, other machines can connect
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Additional host name that browsers may use for this machine; may be given several times
    #[arg(long = "host", value_name = "NAME", value_hint = ValueHint::Hostname)]
    hosts: Vec<String>,
    /// Concurrent searches for engine moves, and as many for analysis; further ones wait
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u8).range(1..=64))]
    searches: u8,
    /// Size of the transposition table of each search
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(MAX_TABLE)))]
    hash: u32,
    #[command(flatten)]
    tablebase: OptionalTablebase,
}

/// The number of threads for work other than searches.
const WORKERS: usize = 2;

/// Serves the page until a signal arrives.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    static ENDED: Notify = Notify::const_new();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(site::POOLS * usize::from(arguments.searches) + WORKERS)
        .build()?;
    let (address, port) = (arguments.address, arguments.port);
    let listener = runtime
        .block_on(TcpListener::bind((address, port)))
        .map_err(|error| format!("{address}, port {port}: {error}; --port 0 picks a free port"))?;
    let address = listener.local_addr()?;
    let router = router::router(Site::new(arguments, *rules, address));
    panic::set_hook(Box::new(|panic| complain(format_args!("a request failed: {panic}"))));
    let url = format!("http://{address}/");
    writeln!(io::stdout(), "{url} has the board; press Ctrl-C to stop")?;
    if arguments.open
        && let Err(error) = open::that_detached(&url)
    {
        complain(format_args!("cannot open a browser: {error}"));
    }
    terminal::stop_with(|| ENDED.notify_one())?;
    runtime.block_on(async {
        tokio::select! {
            () = connections::serve(listener, router) => {}
            () = ENDED.notified() => {}
        }
    });
    runtime.shutdown_background();
    Ok(())
}

/// Locks a mutex, even if a request panicked while holding it: the data is never left inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
