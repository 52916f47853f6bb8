//! The command line of `millstone serve`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{ValueHint, value_parser};

/// Show a board in the browser.
///
/// The page is part of the program and needs no network: a board to play on against the engine, another
/// person or the engine against itself, in any of the games that millstone rules lists; what each move
/// is worth, by the tablebase or by a search; and reviews of games in any notation that millstone
/// convert reads.
///
/// Only this machine reaches it, unless --address says otherwise, and only pages that come from it:
/// requests that name another host or origin are refused.
#[derive(clap::Args)]
#[command(after_long_help = include_str!("api.txt"))]
pub struct Arguments {
    /// Port to listen on; 0 takes any that is free
    #[arg(long, value_name = "N", default_value_t = 2409)]
    pub port: u16,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Address to listen on; with another than a loopback address, other machines can reach the page
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub address: IpAddr,
    /// Name of this machine by which browsers may ask, beside localhost; may be given several times
    #[arg(long = "host", value_name = "NAME", value_hint = ValueHint::Hostname)]
    pub hosts: Vec<String>,
    /// Most searches at once for turns of the engine, and as many for analysis; others wait
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u8).range(1..=64))]
    pub searches: u8,
    /// Size of the transposition table of each search
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = value_parser!(u32).range(1..))]
    pub hash: u32,
    /// Folder of the tablebase [default: where millstone db build puts it]
    #[arg(long, alias = "databases", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub tablebase: Option<PathBuf>,
    /// Do without the tablebase
    #[arg(long, alias = "no-databases", conflicts_with = "tablebase")]
    pub no_tablebase: bool,
}
