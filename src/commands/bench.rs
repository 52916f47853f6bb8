//! `millstone bench`: a fixed piece of work.

use std::io::{self, Write};

use millstone::bench;
use millstone::rules::RuleSet;
use millstone::search::{MAX_DEPTH, Silent};

use super::CommandResult;

/// Search a fixed set of positions of a game and print speed and node count.
///
/// The node count is the signature of the engine's play: it is the same on every run and every
/// machine, and changes only when the engine plays differently.
#[derive(clap::Args)]
pub struct Arguments {
    /// Depth of each search
    #[arg(default_value_t = bench::DEPTH)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: u32,
}

/// Searches and prints.
pub fn run(arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    let summary = bench::run(rules, arguments.depth, &mut Silent)?;
    writeln!(io::stdout(), "{summary}")?;
    Ok(())
}
