//! Game records: tags, moves with comments and variations, and a result, in several notations.
//!
//! A [`GameRecord`] is one game. This module knows nothing of files: text in, text out.
//!
//! ```
//! use millstone::records::{GameRecord, GameResult, Notation};
//!
//! let games = GameRecord::read_all("[White \"Erika\"]\n\n1. d6 f4 {well met} 2. b4 1/2-1/2\n")?;
//! assert_eq!(games[0].tag("White"), Some("Erika"));
//! assert_eq!(games[0].result, GameResult::Draw);
//! assert_eq!(games[0].main_line.moves[1].comment, "well met");
//! assert_eq!(games[0].write(Notation::Uci)?, "position startpos moves d6 f4 b4\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! A text is UTF-8, with or without a byte order mark and with any line ends; it holds any number of
//! games. Reading recognises the notation: a text whose first line begins with a letter or is position
//! text is a list of positions, any other holds games with tags and numbered moves. Lines that begin
//! with `%` are skipped, as in Portable Game Notation.
//!
//! ```text
//! [Event "Club evening"]
//! [White "Erika"]
//! [Black "Uwe"]
//! [Result "1-0"]
//! [Variant "Nine Men's Morris"]
//!
//!  1.    d6    f4
//!  2.    d7    b4 {guards the side}
//!  3.    d5xf4 $1 (d5xb4 f2)    f2
//! 1-0
//! ```
//!
//! Of such games
//!
//! * the *tags* come first: `[Name "value"]`, in a value `\"` for a quote and `\\` for a backslash.
//!   `Result`, `Variant`, `FEN` (the position text that the game starts from), `SetUp` and `PlyCount`
//!   are fields of the record or follow from them; all other tags are kept in their order. `Variant` is
//!   the name of a preset or the options that differ, such as `men=10 uses_mills_once=true`
//!   ([`RuleSet::from_name`](crate::rules::RuleSet::from_name)); without it the caller chooses the rules.
//! * a *turn* is a word: `d6` places a man, `d6-d5` slides or flies, `xa1` removes; removals are part of
//!   the turn, `d6-d5xa1`, or words of their own. Points may have names or the numbers of `PlayOK`,
//!   `5`, `5-8x22`, which count the 24 points row by row from the upper left.
//! * *numbers*, `3.` and `3...`, count the rounds and may be left out; 1 begins another game.
//! * a *comment* stands in braces, or after a semicolon to the end of the line. Several in a row become
//!   one with several lines.
//! * a *glyph* is `$0` to `$255` or one of `!`, `?`, `!!`, `??`, `!?`, `?!` ($1 to $6).
//! * a *variation* stands in parentheses, nested at most 50 deep. One that begins with a removal replaces
//!   the removal before it, any other the whole turn.
//! * the *result* is `1-0`, `0-1`, `1/2-1/2` (also `1/2`, `½-½`, `½`) or `*`; it ends the game and must
//!   agree with the tag.
//!
//! A game has at most a million moves and variations, so that what a text needs of memory is bounded.
//!
//! A list of positions has a game in each line: `position startpos moves d6 f4`, `position fen TEXT moves
//! ...`, both also without `position`, the latter without `fen` too, or moves alone. Lines that begin
//! with a semicolon are comments about the next game.
//!
//! # Notations
//!
//! | [`Notation`] | tags | moves | lines |
//! | --- | --- | --- | --- |
//! | `sanmill` | as given, and `Result`, `Variant`, `PlyCount` | names | one a round, in columns, CRLF |
//! | `playok` | as given, and what the game needs | numbers | filled to 80 columns |
//! | `wmd`, the World Merels Federation | as given, and what the game needs | names | filled to 80 columns |
//! | `uci` | none | names | a `position` command a game |
//!
//! The first three hold all that a record holds. `uci` holds the start and the moves;
//! [`GameRecord::losses`] lists what it leaves out.
//!
//! # Checks
//!
//! Moves, those of variations too, are checked against the rules when a record is read and when it is
//! written. Draws by repetition and by the n-move rule are not: a record may go on after them, and its
//! result is what it says. A [`ReadError`] has the line and the column of what is wrong.

mod error;
mod notation;
mod read;
mod record;
mod write;

pub use error::{ReadError, WriteError};
pub use notation::{Notation, UnknownNotation};
pub use read::{Records, decode};
pub use record::{AnnotatedMove, AnnotatedMoves, GameRecord, GameResult, Tag};
