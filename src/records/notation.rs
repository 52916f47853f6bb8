//! The notations of game records, with the point numbers of `PlayOK` and the action numbers of `OpenSpiel` and
//! Kaggle.
//!
//! Actions number points row by row from the upper left, from 0. A number below 24 places a man on a point or
//! removes the man there; 24 + 24 × from + to slides or flies. A removal is an action of its own. `OpenSpiel` draws
//! a game after [`MOST_TURNS`] turns, and not before by repetition or quiet moves.
//!
//! See: Marc Lanctot and others, "`OpenSpiel`: A Framework for Reinforcement Learning in Games", 2019.
//!
//! A new notation needs a variant of [`Notation`] here, a writer in `write.rs` and a reader in `read/`;
//! `tests/records/round_trips.rs` checks that both agree. `--to` and its help use [`Notation::ALL`];
//! the front page of `records`, the help of `convert` and README mention it.

use std::str::FromStr;

use crate::Error;
use crate::board::Square;
use crate::position::{Move, MoveKind, Position, Turn};
use crate::quote::quote;
use crate::rules::Rules;

/// A notation for writing games; readers detect it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, derive_more::Display)]
#[display("{}", self.name())]
pub enum Notation {
    /// Sanmill: tags, then a numbered line for each round, with CRLF line ends.
    Sanmill,
    /// The site `PlayOK`: tags, then moves with numbered points.
    PlayOk,
    /// The World Merels Federation: tags if there are any, then moves.
    Wmd,
    /// The Smart Game Format.
    Sgf,
    /// A `position` command of the protocol for each game, with moves only.
    Uci,
    /// A line of `OpenSpiel` action numbers for each game.
    Actions,
}

impl Notation {
    /// All notations.
    pub const ALL: [Self; 6] =
        [Self::Sanmill, Self::PlayOk, Self::Wmd, Self::Sgf, Self::Uci, Self::Actions];

    /// The name in lower case.
    pub const fn name(self) -> &'static str {
        ["sanmill", "playok", "wmd", "sgf", "uci", "actions"][self as usize]
    }

    /// Whether the notation has comments, glyphs and variations.
    pub const fn is_commented(self) -> bool {
        !matches!(self, Self::Uci | Self::Actions)
    }
}

impl FromStr for Notation {
    type Err = Error;

    /// Parses a name in either case.
    fn from_str(text: &str) -> Result<Self, Error> {
        let notation = Self::ALL.into_iter().find(|it| it.name().eq_ignore_ascii_case(text));
        let names = || Self::ALL.map(Self::name).join(", ");
        let unknown = || Error(format!("expected one of {}, found '{}'", names(), quote(text)));
        notation.ok_or_else(unknown)
    }
}

/// Parses a turn in point numbers, such as `10-1x23`. The points are numbered row by row:
///
/// ```text
///  1 ------------- 2 ------------- 3
///  |               |               |
///  |    4 -------- 5 -------- 6    |
///  |    |          |          |    |
///  |    |    7 --- 8 --- 9    |    |
///  |    |    |           |    |    |
/// 10 - 11 - 12          13 - 14 - 15
///  |    |    |           |    |    |
///  |    |   16 -- 17 -- 18    |    |
///  |    |          |          |    |
///  |   19 ------- 20 ------- 21    |
///  |               |               |
/// 22 ------------ 23 ------------ 24
/// ```
pub(super) fn parse_numbered_turn(text: &str) -> Result<Turn, String> {
    let refuse = || {
        let text = quote(text);
        format!("expected a move such as 5, 10-1 or 10-1x23 of points 1 to 24, found '{text}'")
    };
    let mut named = String::new();
    for part in text.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()) {
        let part = String::from_utf8_lossy(part);
        named += match part.parse::<usize>() {
            Ok(number) => Square::IN_ROWS.get(number.wrapping_sub(1)).ok_or_else(refuse)?.name(),
            Err(_) => &part,
        };
    }
    named.parse().map_err(|_| refuse())
}

/// A move in point numbers.
pub(super) fn numbered_move(mv: Move) -> String {
    match mv.kind() {
        MoveKind::Place(to) => number(to).to_string(),
        MoveKind::Slide { from, to } => format!("{}-{}", number(from), number(to)),
        MoveKind::Remove(man) => format!("x{}", number(man)),
    }
}

/// The number of a point, from 1.
fn number(square: Square) -> usize {
    Square::IN_ROWS.iter().take_while(|point| **point != square).count() + 1
}

/// The number of turns after which `OpenSpiel` draws a game; removals are part of a turn.
pub const MOST_TURNS: usize = 200;

/// The word before the actions of a game.
pub(super) const ACTIONS_WORD: &str = "actions";

/// The action number of a move.
///
/// ```
/// use millstone::records::action_of;
///
/// assert_eq!(action_of("d6-d5".parse()?), 24 + 24 * 4 + 7);
/// # Ok::<(), millstone::Error>(())
/// ```
pub fn action_of(mv: Move) -> usize {
    match mv.kind() {
        MoveKind::Place(point) | MoveKind::Remove(point) => number(point) - 1,
        MoveKind::Slide { from, to } => Square::COUNT * number(from) + number(to) - 1,
    }
}

/// The legal move with an action number, if there is one.
pub fn move_of_action<R: Rules>(position: &Position<R>, action: usize) -> Option<Move> {
    position.moves().iter().copied().find(|&mv| action_of(mv) == action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for notation in Notation::ALL {
            assert_eq!(notation.to_string().to_uppercase().parse(), Ok(notation));
        }
        let error = "pgn".parse::<Notation>().unwrap_err().to_string();
        assert_eq!(error, "expected one of sanmill, playok, wmd, sgf, uci, actions, found 'pgn'");
    }

    #[test]
    fn turns_are_read_as_they_are_written() {
        for (numbers, names) in [("5", "d6"), ("10-1x23", "a4-a7xd1"), ("3x4", "g7xb6")] {
            let turn = parse_numbered_turn(numbers).unwrap();
            assert_eq!(turn, names.parse().unwrap());
            assert_eq!(
                turn.moves().iter().copied().map(numbered_move).collect::<String>(),
                numbers
            );
        }
        for text in ["0", "25", "1-", "1-2-3", "1d6", "x", "99999999999999999999999", "1é"] {
            assert!(parse_numbered_turn(text).is_err(), "{text}");
        }
    }
}
