//! Commands that a person types to, at a terminal.

mod left;
mod person;
mod plain;
mod rich;

use tempfile::TempDir;

/// A weak opponent that thinks to a small depth, not by the clock, and so plays the same everywhere.
const WEAK: &str = "--level 0 --seed 1";

fn home() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}
