//! Commands that a person types to, at a terminal.

mod left;
mod person;
mod plain;
mod rich;
mod transcripts;

use std::fs;
use std::path::{Path, PathBuf};

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

/// A game after two turns of each side.
fn begin(home: &Path, arguments: &str) -> Terminal {
    let mut terminal = two_people(home, arguments);
    for (turn, prompt) in [("d6", "Black"), ("f4", "White"), ("d5", "Black"), ("a1", "White")] {
        terminal.ask(turn, &format!("{prompt} to place> "));
    }
    terminal
}

/// The files of saved games.
fn saved(home: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(home.join("data/millstone/play")).expect("the folder is there");
    let paths = files.map(|file| file.expect("the folder can be read").path());
    paths.filter(|path| path.extension().unwrap() == "pgn").collect()
}

fn home() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}
