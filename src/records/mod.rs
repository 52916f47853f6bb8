//! Records of games: tags, moves with comments and variations, and a result, in several notations.
//!
//! A [`Record`] holds what a file says of a game. It knows nothing of files: text in, text out.
//!
//! ```
//! use millstone::records::{GameResult, Notation, Record};
//!
//! let games = Record::read_all("[White \"Erika\"]\n\n1. d6 f4 {well met} 2. b4 1/2-1/2\n")?;
//! assert_eq!(games[0].tag("White"), Some("Erika"));
//! assert_eq!(games[0].result, GameResult::Draw);
//! assert_eq!(games[0].line.plies[1].comment, "well met");
//! assert_eq!(games[0].write(Notation::Uci)?, "position startpos moves d6 f4 b4\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Moves are checked against the rules when a record is read and when it is written. Draws by
//! repetition and by the n-move rule are not: a record may go on after them, and its result is what
//! it says.

mod branch;
mod error;
mod heading;
mod notation;
mod playok;
mod read;
mod record;
mod replay;
mod tokens;
mod write;

pub use error::{ReadError, ReplayError, UnplayableMove, WriteError};
pub use notation::{Notation, UnknownNotation};
pub use read::decode;

use crate::position::Move;
use crate::rules::RuleSet;

/// One game as it was written down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Names and values in the order in which they stand, those that the other fields tell left
    /// out: `Result`, `Variant`, `PlyCount`, `SetUp` and `FEN`.
    pub tags: Vec<Tag>,
    /// The rules of the game.
    pub rules: RuleSet,
    /// The position text that the game started from, if it was not the start position.
    pub start: Option<String>,
    /// The moves of the game.
    pub line: Line,
    /// How the game ended, by what the record says.
    pub result: GameResult,
}

/// A name and a value, such as `White` and `"Erika"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// The name, one word without double quotes and square brackets.
    pub name: String,
    /// The value, in one line.
    pub value: String,
}

/// Moves one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What is said before the first move, in lines without blanks around them all.
    pub comment: String,
    /// The moves with what is said about them.
    pub plies: Vec<Ply>,
}

/// A move with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// What is said after it, in lines without blanks around them all.
    pub comment: String,
    /// Numbers of the numeric annotation glyphs after it, such as 1 for `!` and 4 for `??`.
    pub glyphs: Vec<u8>,
    /// What could have been played instead of it.
    pub variations: Vec<Line>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    #[default]
    Unknown,
}
