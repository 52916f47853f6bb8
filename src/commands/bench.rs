//! `millstone bench`: speed and node count over a fixed set of positions.

use millstone::bench;
use millstone::rules::RuleSet;
use millstone::search::{MAX_DEPTH, Silent};
use serde_json::json;

use super::{CommandResult, Format};

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
    format: Format,
}

/// Searches and prints.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let summary = bench::run(rules, arguments.depth, &mut Silent)?;
    let json = json!({
        "positions": summary.positions,
        "depth": summary.depth,
        "seconds": summary.time.as_secs_f64(),
        "nodes_per_second": summary.rate(),
        "nodes": summary.nodes,
    });
    Ok(arguments.format.write(&json, summary)?)
}
