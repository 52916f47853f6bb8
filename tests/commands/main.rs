//! The subcommands, as a script runs them.

#[path = "../common/critical_positions.rs"]
mod critical_positions;
#[path = "../common/endgames.rs"]
mod endgames;
#[path = "../common/program.rs"]
mod program;

mod analyze_games;
mod analyze_positions;
mod analyze_review;
mod help;
mod json;
