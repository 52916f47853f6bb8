//! The 24 points of the board.

use std::fmt;
use std::str::FromStr;

use crate::Error;
use crate::quote::quote;

/// A point of the board, numbered ring by ring from the inner one, each clockwise from its top
/// midpoint.
///
/// ```text
/// 23 ----------- 16 ----------- 17        a7 ----------- d7 ----------- g7
///  |              |              |         |              |              |
///  |   15 ------- 8 ------- 9    |         |   b6 ------ d6 ------ f6    |
///  |    |         |         |    |         |    |         |         |    |
///  |    |    7 -- 0 -- 1    |    |         |    |   c5 - d5 - e5    |    |
///  |    |    |         |    |    |         |    |    |         |    |    |
/// 22 - 14 -- 6         2 - 10 - 18        a4 - b4 - c4        e4 - f4 - g4
///  |    |    |         |    |    |         |    |    |         |    |    |
///  |    |    5 -- 4 -- 3    |    |         |    |   c3 - d3 - e3    |    |
///  |    |         |         |    |         |    |         |         |    |
///  |   13 ------ 12 ------ 11    |         |   b2 ------ d2 ------ f2    |
///  |              |              |         |              |              |
/// 21 ----------- 20 ----------- 19        a1 ----------- d1 ----------- g1
/// ```
///
/// Even numbers are the midpoints of the sides, odd ones the corners. One step clockwise adds one
/// within the ring's group of eight, one step outward adds eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[rustfmt::skip]
#[allow(missing_docs, reason = "a point's name says it all")]
pub enum Square {
    D5, E5, E4, E3, D3, C3, C4, C5,
    D6, F6, F4, F2, D2, B2, B4, B6,
    D7, G7, G4, G1, D1, A1, A4, A7,
}

impl Square {
    /// The number of points of the board.
    pub const COUNT: usize = 24;

    /// All points in the order of their numbers.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::COUNT] = [
        Self::D5, Self::E5, Self::E4, Self::E3, Self::D3, Self::C3, Self::C4, Self::C5,
        Self::D6, Self::F6, Self::F4, Self::F2, Self::D2, Self::B2, Self::B4, Self::B6,
        Self::D7, Self::G7, Self::G4, Self::G1, Self::D1, Self::A1, Self::A4, Self::A7,
    ];

    /// All points row by row from the top, each row from the left.
    #[rustfmt::skip]
    pub const IN_ROWS: [Self; Self::COUNT] = [
        Self::A7, Self::D7, Self::G7, Self::B6, Self::D6, Self::F6,
        Self::C5, Self::D5, Self::E5, Self::A4, Self::B4, Self::C4,
        Self::E4, Self::F4, Self::G4, Self::C3, Self::D3, Self::E3,
        Self::B2, Self::D2, Self::F2, Self::A1, Self::D1, Self::G1,
    ];

    const NAMES: [&'static str; Self::COUNT] = [
        "d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5", //
        "d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6", //
        "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7",
    ];

    /// The point with a number; `None` above 23.
    #[inline]
    pub const fn try_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// The number of this point, 0 to 23.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name of this point, such as `d6`.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The column, 0 (file a) to 6 (file g), of this point in a board diagram.
    pub const fn file(self) -> usize {
        (self.name().as_bytes()[0] - b'a') as usize
    }

    /// The row, 0 (rank 1) to 6 (rank 7), of this point in a board diagram.
    pub const fn rank(self) -> usize {
        (self.name().as_bytes()[1] - b'1') as usize
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Square {
    type Err = Error;

    /// Reads the name of a point, in upper or lower case.
    fn from_str(text: &str) -> Result<Self, Error> {
        let named = Self::ALL.into_iter().find(|square| square.name().eq_ignore_ascii_case(text));
        let expected = "expected a point such as d6 (a1 to g7)";
        named.ok_or_else(|| Error(format!("{expected}, found '{}'", quote(text))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_agree_with_the_picture() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(square.name().parse(), Ok(square));
            assert_eq!(square.name().to_uppercase().parse(), Ok(square));
        }
        assert_eq!(Square::try_index(24), None);
        assert_eq!((Square::D7.file(), Square::D7.rank()), (3, 6));
    }

    #[test]
    fn other_texts_are_refused_by_name() {
        for text in ["", "d4", "a2", "h1", "d66", " d6"] {
            let error = text.parse::<Square>().unwrap_err().to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }
}
