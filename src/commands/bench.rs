//! `millstone bench`: speed and node count over a fixed set of positions.

use std::io::{self, Write};

use millstone::bench::{self, Summary};
use millstone::rules::RuleSet;
use millstone::search::{MAX_DEPTH, Silent};
use serde::Serialize;

use super::{CommandResult, json};

/// Search a fixed set of positions and print speed and node count.
///
/// The node count is the signature of the engine's play: it is the same on every run and every machine,
/// and changes only when the engine plays differently.
#[derive(clap::Args)]
pub struct Arguments {
    /// Depth of each search
    #[arg(default_value_t = bench::DEPTH)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
    #[command(flatten)]
    format: json::Format,
}

/// A summary as JSON.
#[derive(Serialize)]
struct JsonSummary {
    positions: usize,
    depth: u32,
    seconds: f64,
    nodes_per_second: f64,
    nodes: u64,
}

impl From<Summary> for JsonSummary {
    fn from(summary: Summary) -> Self {
        let Summary { positions, depth, nodes, time } = summary;
        let (seconds, nodes_per_second) = (time.as_secs_f64(), summary.rate());
        Self { positions, depth, seconds, nodes_per_second, nodes }
    }
}

/// Searches and prints.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let summary = bench::run(rules, arguments.depth, &mut Silent)?;
    let mut out = io::stdout();
    if arguments.format.json {
        json::write(&mut out, &JsonSummary::from(summary))?;
    } else {
        writeln!(out, "{summary}")?;
    }
    Ok(())
}
