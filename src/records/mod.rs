//! Game records: tags, moves with comments and variations, and a result, in several notations.
//!
//! A [`GameRecord`] is one game. This module works on text, not on files.
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
//! A text holds any number of games, in UTF-8 with any line ends and an optional byte order mark. The
//! notation is detected: if the first line begins with a letter or is a position text, the text is a list of
//! positions; if it begins with `(;`, the text is SGF; otherwise it has games with tags and numbered moves,
//! where lines that begin with `%` are skipped, as in Portable Game Notation.
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
//! In games with tags and numbered moves
//!
//! * *tags* come first: `[Name "value"]`, with `\"` for a quote and `\\` for a backslash in values.
//!   `Result`, `Variant`, `FEN` (the position text of the start), `SetUp` and `PlyCount` are fields of
//!   the record or derived from them; other tags are kept in order. `Variant` is the name of a preset or
//!   the rules that differ, such as `men=10 uses_mills_once=true`
//!   ([`RuleSet::from_name`](crate::rules::RuleSet::from_name)); without it the caller chooses the rules.
//! * a *turn* is a word: `d6` places a man, `d6-d5` slides or flies, `xa1` removes. Removals are part of
//!   the turn (`d6-d5xa1`) or separate words. Points have names or the numbers of `PlayOK` (`5`,
//!   `5-8x22`), which count the 24 points row by row from the upper left.
//! * *numbers* of rounds, `3.` and `3...`, are optional; 1 begins another game.
//! * a *comment* is in braces, or after a semicolon to the end of the line. Consecutive comments become
//!   one of several lines.
//! * a *glyph* is `$0` to `$255` or one of `!`, `?`, `!!`, `??`, `!?`, `?!` ($1 to $6).
//! * a *variation* is in parentheses, nested at most 50 deep. If it begins with a removal, it replaces
//!   the removal before it, otherwise the whole turn.
//! * the *result* is `1-0`, `0-1`, `1/2-1/2` (also `1/2`, `½-½`, `½`) or `*`; it ends the game and must
//!   agree with the tag.
//!
//! A game has at most a million moves and variations, which bounds the memory for a text.
//!
//! A list of positions has a game per line: `position startpos moves d6 f4`, `position fen TEXT moves
//! ...` (`position` and `fen` are optional), just moves, or their numbers as in `actions 4 13 19` (see
//! [`action_of`]). Lines that begin with a semicolon are comments about the next game.
//!
//! # Notations
//!
//! | [`Notation`] | tags | moves | lines |
//! | --- | --- | --- | --- |
//! | `sanmill` | as given, and `Result`, `Variant`, `PlyCount` | names | one per round, in columns, CRLF |
//! | `playok` | as given, and required ones | numbers | wrapped at 80 columns |
//! | `wmd`, the World Merels Federation | as given, and required ones | names | wrapped at 80 columns |
//! | `sgf`, the Smart Game Format | as properties | names | wrapped, a node per turn |
//! | `uci` | none | names | a `position` command per game |
//! | `actions`, of `OpenSpiel` and Kaggle | none | numbers | an `actions` line per game |
//!
//! The first four express everything in a record, except that only `sgf` has properties. `uci` has only
//! the start and the moves, `actions` the moves from the start position; [`GameRecord::losses`] lists what
//! is lost.
//!
//! SGF does not define how moves of Nine Men's Morris (`GM[5]`) are written. Here they are turns, `W[d6]` or
//! `B[d6-d5xa1]`; a removal has a node of its own, `W[xa1]`, after a comment or before a variation. `SU` names
//! the rules, `FEN` is the position text of the start, `TAG[Name:value]` is a tag without a property, and
//! `GLYPH[7]` a glyph other than `TE`, `BM`, `IT` and `DO`. Marks on the board and unknown properties are kept.
//!
//! # Checks
//!
//! All moves, also in variations, are checked when a record is read and written. Draws by history are
//! not: a record may continue after them, but not after a start whose text says that the game is over. Its result is
//! taken as stated. A [`ReadError`] has the line and column of the error.

mod notation;
mod read;
mod record;
mod sgf;
mod write;

pub use notation::{MOST_TURNS, Notation, action_of, move_of_action};
pub use read::{ReadError, Records, decode};
pub(crate) use record::add_comment;
pub use record::{AnnotatedMove, AnnotatedMoves, GameRecord, GameResult, Property, Tag};
#[cfg(feature = "api")]
pub(crate) use record::{is_field, is_tag_name};
