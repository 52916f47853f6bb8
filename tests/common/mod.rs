//! What the tests of several areas need.

pub mod client;
pub mod critical_positions;
pub mod mailbox;
pub mod malom_files;
pub mod minimax;
pub mod positions;
pub mod program;
pub mod random_rules;
pub mod size;
pub mod tablebases;
mod talk;
