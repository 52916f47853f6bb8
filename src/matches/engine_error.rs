//! Errors of engines that forfeit a game.

use serde::{Deserialize, Serialize};

use crate::quote::printable;

/// The kinds of errors that forfeit a game.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, thiserror::Error,
)]
#[serde(rename_all = "snake_case")]
pub enum EngineErrorKind {
    /// The engine terminates.
    #[error("crash")]
    Crash,
    /// The engine never sends a move.
    #[error("hang")]
    Hang,
    /// The engine's move is illegal.
    #[error("illegal move")]
    IllegalMove,
    /// The engine's reply is not a move.
    #[error("garbage")]
    Garbage,
    /// The engine's move is late.
    #[error("time loss")]
    TimeLoss,
    /// The engine's dialect cannot express the game.
    #[error("unable")]
    Unable,
}

/// An error of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {}", self.report())]
pub struct EngineError {
    /// The kind of error.
    pub kind: EngineErrorKind,
    /// The error in words.
    pub message: String,
    /// The lines that the engine printed last.
    pub last_lines: Vec<String>,
}

impl EngineError {
    /// The error for a dialect that cannot express the game.
    pub(super) fn unable(message: String) -> Self {
        Self { kind: EngineErrorKind::Unable, message, last_lines: Vec::new() }
    }

    /// The message and the engine's last lines, with control characters escaped.
    pub fn report(&self) -> String {
        let last_lines = self.last_lines.iter().map(|line| format!("\n  | {}", printable(line)));
        printable(&self.message) + &last_lines.collect::<String>()
    }
}
