//! How the protocol tests start the program, with a home folder of its own.

use std::path::PathBuf;

use crate::client::{Client, best_of};

/// The folder, which is nothing of the user's.
pub fn home() -> PathBuf {
    [env!("CARGO_TARGET_TMPDIR"), "home"].iter().collect()
}

impl Client {
    /// Starts the program with the protocol on its pipes.
    pub fn start() -> Self {
        Self::start_in(&home(), &[])
    }

    /// The same with the other protocol.
    pub fn start_gbgp() -> Self {
        Self::start_in(&home(), &["gbgp"])
    }

    /// Sends a `go` and gives the word after `bestmove`.
    pub fn best_move(&mut self, go: &str) -> String {
        best_of(&self.ask(go, "bestmove"))
    }
}
