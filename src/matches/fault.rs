//! What an engine does wrong, which loses the game.

use std::fmt;

use serde::{Deserialize, Serialize};

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
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::IllegalMove => "illegal move",
            Self::Garbage => "garbage",
            Self::TimeLoss => "time loss",
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

impl fmt::Display for Fault {
    /// Writes one line, and one for each that the engine said last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)?;
        self.last_lines.iter().try_for_each(|line| write!(f, "\n  | {line}"))
    }
}
