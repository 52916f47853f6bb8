//! The 16 symmetries of the board.

use super::square::{Square, SquareSet};

/// A symmetry of the board: a rotation, optionally after a reflection, optionally with the inner
/// and outer rings exchanged.
///
/// All 16 map edges to edges and lines to lines, with or without diagonals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry(u8);

/// The bits that count clockwise quarter turns, 0 to 3.
const QUARTER_TURNS: u8 = 3;
/// The bit of a reflection in the line through d5, d6 and d7, applied before the rotation.
const REFLECTION: u8 = 4;
/// The bit of an exchange of the inner and outer rings.
const RING_SWAP: u8 = 8;

impl Symmetry {
    /// The number of symmetries.
    pub const COUNT: usize = 16;
    /// The identity.
    pub const IDENTITY: Self = Self(0);

    /// All symmetries, the identity first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The symmetry with a number from 0 to 15, in the order of [`all`](Self::all).
    pub const fn numbered(number: usize) -> Self {
        Self((number % Self::COUNT) as u8)
    }

    /// The number of the symmetry, in the order of [`all`](Self::all).
    pub const fn number(self) -> usize {
        self.0 as usize % Self::COUNT
    }

    /// The images of a set, in the order of [`all`](Self::all).
    pub fn images(set: SquareSet) -> [SquareSet; Self::COUNT] {
        std::array::from_fn(|number| Self::numbered(number).set(set))
    }

    /// The inverse symmetry: a reflection is its own inverse, a rotation turns back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        let back = self.0 & !QUARTER_TURNS | self.0.wrapping_neg() & QUARTER_TURNS;
        Self(if self.0 & REFLECTION == 0 { back } else { self.0 })
    }

    /// The image of a point.
    pub const fn square(self, square: Square) -> Square {
        let (ring, place) = (square as u8 / 8, square as u8 % 8);
        let place = if self.0 & REFLECTION == 0 { place } else { 8 - place };
        let ring = if self.0 & RING_SWAP == 0 { ring } else { 2 - ring };
        Square::ALL[(ring * 8 + (place + 2 * (self.0 & QUARTER_TURNS)) % 8) as usize]
    }

    /// The image of a set.
    pub const fn set(self, set: SquareSet) -> SquareSet {
        let rings = &RING_IMAGES[self.0 as usize];
        let [inner, middle, outer, _] = set.bits().to_le_bytes();
        SquareSet::from_bits(
            rings[0][inner as usize] | rings[1][middle as usize] | rings[2][outer as usize],
        )
    }
}

/// For each symmetry and ring, the images of all sets of points of the ring.
static RING_IMAGES: [[[u32; 256]; 3]; Symmetry::COUNT] = {
    let mut images = [[[0; 256]; 3]; Symmetry::COUNT];
    let mut map = 0;
    while map < Symmetry::COUNT {
        let mut ring = 0;
        while ring < 3 {
            let mut set = 1_usize;
            while set < 256 {
                let first = set.trailing_zeros() as usize;
                let square = Symmetry(map as u8).square(Square::ALL[8 * ring + first]);
                images[map][ring][set] =
                    images[map][ring][set & (set - 1)] | SquareSet::of(square).bits();
                set += 1;
            }
            ring += 1;
        }
        map += 1;
    }
    images
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::lines::{Diagonals, Span, neighbours, spans};

    fn images(map: Symmetry) -> [Square; Square::COUNT] {
        Square::ALL.map(|square| map.square(square))
    }

    #[test]
    fn symmetries_form_a_group() {
        assert_eq!(images(Symmetry::IDENTITY), Square::ALL);
        for a in Symmetry::all() {
            for b in Symmetry::all() {
                let product = Square::ALL.map(|square| a.square(b.square(square)));
                assert!(Symmetry::all().any(|c| images(c) == product), "closure");
                assert_eq!(a == b, images(a) == images(b), "all differ");
            }
            let back = Square::ALL.map(|square| a.inverse().square(a.square(square)));
            assert_eq!(back, Square::ALL, "inverse");
        }
    }

    #[test]
    fn symmetries_keep_edges_and_lines() {
        for map in Symmetry::all() {
            for diagonals in Diagonals::ALL {
                for square in Square::ALL {
                    assert_eq!(
                        neighbours(map.square(square), diagonals),
                        map.set(neighbours(square, diagonals))
                    );
                }
                let lines = || spans(diagonals).iter().copied().map(Span::points);
                assert!(lines().all(|line| lines().any(|other| other == map.set(line))));
            }
        }
    }
}
