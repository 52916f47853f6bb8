//! The points as `PlayOK` numbers them.
//!
//! ```text
//!  1 ------------- 2 ------------- 3
//!  |               |               |
//!  |    4 -------- 5 -------- 6    |
//!  |    |          |          |    |
//!  |    |    7 --- 8 --- 9    |    |
//!  |    |    |           |    |    |
//! 10 - 11 - 12          13 - 14 - 15
//!  |    |    |           |    |    |
//!  |    |   16 -- 17 -- 18    |    |
//!  |    |          |          |    |
//!  |   19 ------- 20 ------- 21    |
//!  |               |               |
//! 22 ------------ 23 ------------ 24
//! ```

use crate::board::Square;
use crate::position::{Move, MoveKind, Turn};
use crate::quote::quote;

/// The points in the order of their numbers.
#[rustfmt::skip]
const POINTS: [Square; Square::COUNT] = [
    Square::A7, Square::D7, Square::G7, Square::B6, Square::D6, Square::F6,
    Square::C5, Square::D5, Square::E5, Square::A4, Square::B4, Square::C4,
    Square::E4, Square::F4, Square::G4, Square::C3, Square::D3, Square::E3,
    Square::B2, Square::D2, Square::F2, Square::A1, Square::D1, Square::G1,
];

/// Reads a turn such as `10-1x23`.
pub(super) fn parse_turn(text: &str) -> Result<Turn, String> {
    let refuse = || {
        let text = quote(text);
        format!("expected a move such as 5, 10-1 or 10-1x23 of points 1 to 24, found '{text}'")
    };
    let mut named = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            named.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            let number = rest[..digits].parse().ok();
            let point = number.and_then(|number: usize| POINTS.get(number.wrapping_sub(1)));
            named.push_str(point.ok_or_else(refuse)?.name());
            rest = &rest[digits..];
        }
    }
    named.parse().map_err(|_| refuse())
}

/// The move in numbers.
pub(super) fn write_move(mv: Move) -> String {
    match mv.kind() {
        MoveKind::Place(to) => number(to).to_string(),
        MoveKind::Slide { from, to } => format!("{}-{}", number(from), number(to)),
        MoveKind::Remove(man) => format!("x{}", number(man)),
    }
}

fn number(square: Square) -> usize {
    POINTS.iter().take_while(|point| **point != square).count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_go_row_by_row() {
        let mut rows = Square::ALL;
        rows.sort_by_key(|point| (6 - point.rank(), point.file()));
        assert_eq!(rows, POINTS);
    }

    #[test]
    fn turns_are_read_as_they_are_written() {
        for (numbers, names) in [("5", "d6"), ("10-1x23", "a4-a7xd1"), ("3x4", "g7xb6")] {
            let turn = parse_turn(numbers).unwrap();
            assert_eq!(turn, names.parse().unwrap());
            assert_eq!(turn.moves().iter().copied().map(write_move).collect::<String>(), numbers);
        }
        for text in ["0", "25", "1-", "1-2-3", "1d6", "x", "99999999999999999999999", "1é"] {
            assert!(parse_turn(text).is_err(), "{text}");
        }
    }
}
