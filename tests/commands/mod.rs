//! The subcommands, as a script runs them.

mod actions;
mod analyze_games;
mod analyze_positions;
mod analyze_review;
mod help;
mod json;
mod puzzles;
mod serve;
mod transcripts;

use crate::program::{Ended, millstone_reading};

/// Analyzes without tablebases to a depth, the same each time.
fn analyze(input: &str, arguments: &[&str]) -> Ended {
    millstone_reading(input, &[&["analyze", "--no-tablebase", "--depth", "6"], arguments].concat())
}
