//! What an engine does wrong, which loses the game.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::quote::printable;

/// What went wrong, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The engine ended.
    Crash,
    /// No answer came, not even late.
    Hang,
    /// The move cannot be played.
    IllegalMove,
    /// What was said is no answer.
    Garbage,
    /// The answer came too late.
    TimeLoss,
    /// The engine cannot be told the game.
    Unable,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::IllegalMove => "illegal move",
            Self::Garbage => "garbage",
            Self::TimeLoss => "time loss",
            Self::Unable => "unable",
        })
    }
}

/// Something an engine did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The same in a sentence.
    pub message: String,
    /// What the engine said last.
    pub last_lines: Vec<String>,
}

impl Fault {
    /// A fault of an engine that has said nothing about it.
    pub(super) fn silent(kind: FaultKind, message: String) -> Self {
        Self { kind, message, last_lines: Vec::new() }
    }

    /// The sentence, then a line for each that the engine said last; what would steer a terminal is
    /// escaped.
    #[must_use]
    pub fn report(&self) -> String {
        let last_lines = self.last_lines.iter().map(|line| format!("\n  | {}", printable(line)));
        printable(&self.message) + &last_lines.collect::<String>()
    }
}

impl fmt::Display for Fault {
    /// Writes what went wrong in a word, then the report.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.report())
    }
}
