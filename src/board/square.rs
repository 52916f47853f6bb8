//! The 24 points of the board, and sets of them as 24-bit boards.

use std::fmt;
use std::ops::{Not, Sub};
use std::str::FromStr;

use derive_more::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign};

use crate::Error;
use crate::quote::quote;

/// A point of the board, numbered ring by ring from the inside out, each ring clockwise from its top midpoint.
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
/// Midpoints of the sides have even numbers, corners odd ones. One step clockwise adds one within
/// the ring's group of eight; one step outward adds eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, derive_more::Display)]
#[display("{}", self.name())]
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

    /// All points in numerical order.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::COUNT] = [
        Self::D5, Self::E5, Self::E4, Self::E3, Self::D3, Self::C3, Self::C4, Self::C5,
        Self::D6, Self::F6, Self::F4, Self::F2, Self::D2, Self::B2, Self::B4, Self::B6,
        Self::D7, Self::G7, Self::G4, Self::G1, Self::D1, Self::A1, Self::A4, Self::A7,
    ];

    /// All points row by row, from top to bottom and left to right.
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
    pub const fn try_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// The number of this point, 0 to 23.
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

impl FromStr for Square {
    type Err = Error;

    /// Reads the name of a point, in upper or lower case.
    fn from_str(text: &str) -> Result<Self, Error> {
        let named = Self::ALL.into_iter().find(|square| square.name().eq_ignore_ascii_case(text));
        let expected = "expected a point such as d6 (a1 to g7)";
        named.ok_or_else(|| Error(format!("{expected}, found '{}'", quote(text))))
    }
}

/// A set of points. Bit `n` stands for the point with number `n`; the upper eight bits are zero.
///
/// `&`, `|`, `^`, `!` and `-` (difference) are set operations. A ring is a byte, so steps along the
/// edges of the board are rotations and shifts of whole bytes:
///
/// ```
/// use millstone::board::{Square, SquareSet};
///
/// let men = SquareSet::from_iter([Square::D6, Square::A7]);
/// assert_eq!(men.clockwise(), SquareSet::from_iter([Square::F6, Square::D7]));
/// assert_eq!(men.inward(), SquareSet::from_iter([Square::D5, Square::B6]));
/// ```
#[derive(
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    BitAnd,
    BitAndAssign,
    BitOr,
    BitOrAssign,
    BitXor,
    BitXorAssign,
)]
pub struct SquareSet(u32);

impl SquareSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// The set of all points.
    pub const ALL: Self = Self(0x00FF_FFFF);
    /// The twelve midpoints of the sides of the rings.
    pub const MIDDLES: Self = Self(0x0055_5555);
    /// The twelve corners of the rings.
    pub const CORNERS: Self = Self(0x00AA_AAAA);

    /// The set whose bits are the lower 24 of `bits`.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The bits of the set.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set of one point.
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u8)
    }

    /// Whether the point is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 & Self::of(square).0 != 0
    }

    /// Whether every point of `other` is in the set.
    pub const fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// The set with the point added.
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | Self::of(square).0)
    }

    /// The set with the point removed.
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !Self::of(square).0)
    }

    /// The number of points in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The point with the lowest number; `None` for the empty set.
    pub const fn first(self) -> Option<Square> {
        Square::try_index(self.0.trailing_zeros() as usize)
    }

    /// The set with every point moved one step clockwise along its ring.
    #[must_use]
    pub const fn clockwise(self) -> Self {
        Self((self.0 << 1 & 0x00FE_FEFE) | (self.0 >> 7 & 0x0001_0101))
    }

    /// The set with every point moved one step anticlockwise along its ring.
    #[must_use]
    pub const fn anticlockwise(self) -> Self {
        Self((self.0 >> 1 & 0x007F_7F7F) | (self.0 << 7 & 0x0080_8080))
    }

    /// The set with every point moved one ring outward; points of the outer ring are dropped.
    #[must_use]
    pub const fn outward(self) -> Self {
        Self::from_bits(self.0 << 8)
    }

    /// The set with every point moved one ring inward; points of the inner ring are dropped.
    #[must_use]
    pub const fn inward(self) -> Self {
        Self(self.0 >> 8)
    }

    /// The set with every point moved one ring outward, and from the outer ring to the inner one.
    #[must_use]
    pub const fn outward_around(self) -> Self {
        Self::from_bits(self.0 << 8 | self.0 >> 16)
    }

    /// The set with every point moved one ring inward, and from the inner ring to the outer one.
    #[must_use]
    pub const fn inward_around(self) -> Self {
        Self::from_bits(self.0 >> 8 | self.0 << 16)
    }
}

impl Sub for SquareSet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for SquareSet {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ Self::ALL.0)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// An iterator over the points of a set in numerical order.
#[derive(Clone, Debug)]
pub struct Squares(u32);

impl Iterator for Squares {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = SquareSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.into_iter().map(Square::name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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

    #[test]
    fn steps_go_where_the_picture_shows() {
        let step = |from: Square, by: fn(SquareSet) -> SquareSet| by(SquareSet::of(from)).first();
        assert_eq!(step(Square::C5, SquareSet::clockwise), Some(Square::D5));
        assert_eq!(step(Square::D7, SquareSet::anticlockwise), Some(Square::A7));
        assert_eq!(step(Square::D6, SquareSet::outward), Some(Square::D7));
        assert_eq!(step(Square::D7, SquareSet::outward), None);
        assert_eq!(step(Square::D7, SquareSet::outward_around), Some(Square::D5));
        assert_eq!(step(Square::D5, SquareSet::inward), None);
        assert_eq!(step(Square::D5, SquareSet::inward_around), Some(Square::D7));
    }

    #[test]
    fn drawing_order_is_the_order_of_reading() {
        for pair in Square::IN_ROWS.windows(2) {
            let place = |square: Square| (6 - square.rank(), square.file());
            assert!(place(pair[0]) < place(pair[1]));
        }
    }

    proptest! {
        #[test]
        fn operators_keep_the_upper_bits_clear(a: u32, b: u32) {
            let (a, b) = (SquareSet::from_bits(a), SquareSet::from_bits(b));
            for set in [!a, a | b, a ^ b, a - b, a.clockwise(), a.anticlockwise(), a.outward()] {
                prop_assert!(SquareSet::ALL.contains_all(set));
            }
            prop_assert_eq!(a.clockwise().anticlockwise(), a);
            prop_assert_eq!(a.outward_around().inward_around(), a);
            prop_assert_eq!(a - b, a & !b);
            prop_assert_eq!(SquareSet::from_iter(a), a);
            prop_assert_eq!(a.into_iter().len() as u32, a.len());
        }
    }
}
