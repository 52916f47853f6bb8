//! Sets of points as 24-bit boards.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use super::square::Square;

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
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SquareSet(u32);

impl SquareSet {
    /// No point.
    pub const EMPTY: Self = Self(0);
    /// Every point.
    pub const ALL: Self = Self(0x00FF_FFFF);
    /// The twelve midpoints of the sides of the rings.
    pub const MIDDLES: Self = Self(0x0055_5555);
    /// The twelve corners of the rings.
    pub const CORNERS: Self = Self(0x00AA_AAAA);

    /// The set whose bits are the lower 24 of `bits`.
    #[inline]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The bits of the set.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The set of one point.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u8)
    }

    /// Whether the point is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & Self::of(square).0 != 0
    }

    /// Whether every point of `other` is in the set.
    #[inline]
    pub const fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// The set with the point added.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | Self::of(square).0)
    }

    /// The set with the point removed.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !Self::of(square).0)
    }

    /// The number of points in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The point with the lowest number; `None` for the empty set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        Square::try_index(self.0.trailing_zeros() as usize)
    }

    /// Every point one step clockwise along its ring.
    #[inline]
    #[must_use]
    pub const fn clockwise(self) -> Self {
        Self((self.0 << 1 & 0x00FE_FEFE) | (self.0 >> 7 & 0x0001_0101))
    }

    /// Every point one step anticlockwise along its ring.
    #[inline]
    #[must_use]
    pub const fn anticlockwise(self) -> Self {
        Self((self.0 >> 1 & 0x007F_7F7F) | (self.0 << 7 & 0x0080_8080))
    }

    /// Every point one ring outward; points of the outer ring are dropped.
    #[inline]
    #[must_use]
    pub const fn outward(self) -> Self {
        Self::from_bits(self.0 << 8)
    }

    /// Every point one ring inward; points of the inner ring are dropped.
    #[inline]
    #[must_use]
    pub const fn inward(self) -> Self {
        Self(self.0 >> 8)
    }

    /// Every point one ring outward, those of the outer ring to the inner one.
    #[inline]
    #[must_use]
    pub const fn outward_around(self) -> Self {
        Self::from_bits(self.0 << 8 | self.0 >> 16)
    }

    /// Every point one ring inward, those of the inner ring to the outer one.
    #[inline]
    #[must_use]
    pub const fn inward_around(self) -> Self {
        Self::from_bits(self.0 >> 8 | self.0 << 16)
    }
}

/// An operator on sets that is one on their bits, and the form that assigns.
macro_rules! operator {
    ($operator:ident $apply:ident $sign:tt, $assigning:ident $assign:ident) => {
        impl $operator for SquareSet {
            type Output = Self;

            #[inline]
            fn $apply(self, other: Self) -> Self {
                Self(self.0 $sign other.0)
            }
        }

        impl $assigning for SquareSet {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = *self $sign other;
            }
        }
    };
}

operator! { BitAnd bitand &, BitAndAssign bitand_assign }
operator! { BitOr bitor |, BitOrAssign bitor_assign }
operator! { BitXor bitxor ^, BitXorAssign bitxor_assign }

impl Sub for SquareSet {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for SquareSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ Self::ALL.0)
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// The points of a set in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Squares(u32);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = SquareSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
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
    use super::*;
    use proptest::prelude::*;

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
