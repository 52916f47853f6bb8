//! Commands that a person types to, at a terminal.

mod left;
mod person;
mod plain;
mod rich;

use std::path::Path;

use person::Terminal;
use tempfile::TempDir;

/// A weak opponent that thinks to a small depth, not by the clock, and so plays the same everywhere.
const WEAK: &str = "--level 0 --seed 1";

/// The first prompt.
const PROMPT: &str = "White to place> ";

/// Two people at the first prompt.
fn two_people(home: &Path, arguments: &str) -> Terminal {
    let mut terminal = Terminal::play(home, &format!("{WEAK} --side both {arguments}"));
    terminal.wait_for(PROMPT);
    terminal
}

fn home() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}
