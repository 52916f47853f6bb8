//! The command line of `millstone serve`.

use std::net::{IpAddr, Ipv4Addr};

use clap::{ValueHint, value_parser};

use crate::commands::arguments::OptionalTablebase;

/// Show a board in the browser.
///
/// The page is built into the program and needs no network. Play any game that millstone rules lists,
/// against the engine or another person, or watch the engine play itself; see the value of each move,
/// by the tablebase or by a search; review games in any notation that millstone convert reads.
///
/// By default only this machine can connect (see --address), and only from the page itself: requests
/// for an unknown host or from another origin are refused.
#[derive(clap::Args)]
#[command(after_long_help = include_str!("api.txt"))]
pub struct Arguments {
    /// Port to listen on; 0 picks a free one
    #[arg(long, value_name = "N", default_value_t = 2409)]
    pub port: u16,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Address to listen on; unless it is a loopback address, other machines can connect
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub address: IpAddr,
    /// Additional host name that browsers may use for this machine; may be given several times
    #[arg(long = "host", value_name = "NAME", value_hint = ValueHint::Hostname)]
    pub hosts: Vec<String>,
    /// Concurrent searches for engine moves, and as many for analysis; further ones wait
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u8).range(1..=64))]
    pub searches: u8,
    /// Size of the transposition table of each search
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = value_parser!(u32).range(1..))]
    pub hash: u32,
    #[command(flatten)]
    pub tablebase: OptionalTablebase,
}
