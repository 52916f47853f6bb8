//! The subcommands, as a script runs them.

mod actions;
mod analyze_games;
mod analyze_positions;
mod analyze_review;
mod help;
mod json;
mod puzzles;
mod serve;
mod train;
mod unheard;
