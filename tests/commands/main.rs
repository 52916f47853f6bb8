//! The subcommands, as a script runs them.

#[path = "../common/critical_positions.rs"]
mod critical_positions;
#[path = "../common/program.rs"]
mod program;
#[path = "../common/tablebases.rs"]
mod tablebases;

mod analyze_games;
mod analyze_positions;
mod analyze_review;
mod help;
mod json;
mod json_output;
mod puzzles;
mod serve;
mod train;
mod unheard;
