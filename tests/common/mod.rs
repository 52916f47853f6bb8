//! What the tests of several areas need.

use std::io::{self, Write};
use std::thread;

pub mod client;
pub mod critical_positions;
pub mod mailbox;
pub mod malom_files;
pub mod minimax;
pub mod patterns;
pub mod positions;
pub mod program;
pub mod random;
pub mod random_rules;
pub mod searches;
pub mod size;
pub mod tablebases;

/// Says that a test does nothing here, past the runner, which keeps to itself what a passing test prints.
pub fn say_skipped(reason: &str) {
    let test = thread::current();
    let test = test.name().unwrap_or("a test");
    let _ = writeln!(io::stderr(), "skipped {test}: {reason}");
}
