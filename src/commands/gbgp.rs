//! `millstone gbgp`: the protocol loop in its second dialect.

use millstone::protocol::{self, Dialect};
use millstone::rules::RuleSet;

use super::CommandResult;

/// Speak the Generic Board Game Protocol, as Nine-Morris-3D does with its engines.
///
/// Without this subcommand the protocol command `gbgp` does the same.
#[derive(clap::Args)]
pub struct Arguments;

/// Serves standard input until `quit` or its end.
pub fn run(_arguments: &Arguments, rules: &RuleSet) -> CommandResult {
    protocol::run(rules, Dialect::Gbgp).map_err(Into::into)
}
