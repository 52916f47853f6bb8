//! The patterns of a position and their numbers.
//!
//! A pattern is the contents of a few points. Each position has eleven: the three rings, and eight
//! groups of three adjacent points on each ring, four around the spokes and four around the corners.
//!
//! ```text
//!  o-----o-----o    .--o--o--o--.    .-----o-----o
//!  |           |    |  |  |  |  |    |     |     |
//!  o   ring    o    |  o--o--o  |    |     o--o  o
//!  |           |    |  |  |  |  |    |        corner
//!  o-----o-----o    .  o--o--o  .    |
//! ```
//!
//! Each point is a digit in base three: empty, a man of the side to move, a man of the opponent.
//! Patterns that are symmetric form one class. Every edge, every line and every path around a
//! corner lies within a pattern.
//!
//! See: Michael Buro, "From Simple Features to Sophisticated Evaluation Functions", 1998.

use crate::board::SquareSet;

const RING_STATES: usize = 3_usize.pow(8);
const GROUP_STATES: usize = 3_usize.pow(9);

/// The number of classes of rings.
pub const RINGS: usize = RING_CLASSES.1;

/// The number of classes of groups.
pub const GROUPS: usize = GROUP_CLASSES.1;

// The first class of each kind in the common numbering, which begins with the inner and the outer ring.
const MIDDLE: usize = RINGS;
const SPOKES: usize = MIDDLE + RINGS;
const CORNERS: usize = SPOKES + GROUPS;

/// The number of classes of all kinds.
pub const CLASSES: usize = CORNERS + GROUPS;

/// The number of patterns of a position.
pub const PATTERNS: usize = 11;

/// The classes of the patterns of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patterns {
    /// The inner, the middle and the outer ring.
    pub rings: [u16; 3],
    /// The groups around the spokes.
    pub spokes: [u16; 4],
    /// The groups around the corners.
    pub corners: [u16; 4],
}

impl Patterns {
    /// Returns the patterns of a position for the side with the men `own`.
    #[inline]
    pub fn of(own: SquareSet, opponent: SquareSet) -> Self {
        Self::joined(Numbers::of(own), Numbers::of(opponent))
    }

    /// Returns the patterns, given what the men of each side add to their numbers.
    #[inline]
    pub fn joined(own: Numbers, opponent: Numbers) -> Self {
        let ring =
            |ring: usize| RING_CLASS[usize::from(own.rings[ring] + 2 * opponent.rings[ring])];
        let groups = |states: u64| {
            let state = |lane: u32| states >> (16 * lane) & 0xFFFF;
            [0, 1, 2, 3].map(|lane| GROUP_CLASS[state(lane) as usize])
        };
        Self {
            rings: [ring(0), ring(1), ring(2)],
            spokes: groups(own.spokes + 2 * opponent.spokes),
            corners: groups(own.corners + 2 * opponent.corners),
        }
    }

    /// Returns the classes in the common numbering: the rings, the groups around the spokes and around the corners.
    #[inline]
    pub fn numbered(self) -> [u16; PATTERNS] {
        let of_kind = |kind: usize| move |class: u16| kind as u16 + class;
        let [inner, middle, outer] = self.rings;
        let [s0, s1, s2, s3] = self.spokes.map(of_kind(SPOKES));
        let [c0, c1, c2, c3] = self.corners.map(of_kind(CORNERS));
        [inner, of_kind(MIDDLE)(middle), outer, s0, s1, s2, s3, c0, c1, c2, c3]
    }
}

/// What a set of points adds to the numbers of the patterns: in base three, a digit 1 for each point.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    rings: [u16; 3],
    /// The four groups around the spokes, in 16 bits each.
    spokes: u64,
    /// The four groups around the corners, in 16 bits each.
    corners: u64,
}

impl Numbers {
    /// Returns the numbers of a set.
    pub fn of(set: SquareSet) -> Self {
        let rings = set.bits().to_le_bytes().map(|ring| &RING_NUMBERS[usize::from(ring)]);
        let [first, second, third, _] = rings;
        Self {
            rings: [first.rings[0], second.rings[0], third.rings[0]],
            spokes: first.spokes + 27 * second.spokes + 729 * third.spokes,
            corners: first.corners + 27 * second.corners + 729 * third.corners,
        }
    }
}

static RING_CLASS: [u16; RING_STATES] = RING_CLASSES.0;
static GROUP_CLASS: [u16; GROUP_STATES] = GROUP_CLASSES.0;

/// The numbers of each set of points of a ring, as if it were the inner one.
static RING_NUMBERS: [Numbers; 256] = {
    let mut numbers = [Numbers { rings: [0; 3], spokes: 0, corners: 0 }; 256];
    let mut set = 1;
    while set < 256 {
        numbers[set] = Numbers {
            rings: [3 * numbers[set >> 1].rings[0] + (set & 1) as u16, 0, 0],
            spokes: triples(set as u8, 7),
            corners: triples(set as u8, 0),
        };
        set += 1;
    }
    numbers
};

/// Returns the numbers of the four triples of a ring, in 16 bits each. The first triple begins at the point `first`,
/// each next one two points further.
const fn triples(set: u8, first: u32) -> u64 {
    let mut triples = 0;
    let mut lane = 0;
    while lane < 4 {
        let turned = set.rotate_right(first + 2 * lane) as u64;
        let number = (turned & 1) + 3 * (turned >> 1 & 1) + 9 * (turned >> 2 & 1);
        triples |= number << (16 * lane);
        lane += 1;
    }
    triples
}

/// The classes of rings under quarter turns and reflections, and their number.
const RING_CLASSES: ([u16; RING_STATES], usize) =
    classes([2, 3, 4, 5, 6, 7, 0, 1], [0, 7, 6, 5, 4, 3, 2, 1]);

/// The classes of three triples under exchange of the inner and outer one and reflection, and their number.
const GROUP_CLASSES: ([u16; GROUP_STATES], usize) =
    classes([6, 7, 8, 3, 4, 5, 0, 1, 2], [2, 1, 0, 5, 4, 3, 8, 7, 6]);

/// Returns the class of each state, numbered in the order of least states, and their number. States are in one class
/// if up to three turns and a reflection map one to the other, both given by the point that moves to each point.
const fn classes<const STATES: usize, const POINTS: usize>(
    turn: [usize; POINTS],
    reflection: [usize; POINTS],
) -> ([u16; STATES], usize) {
    const UNKNOWN: u16 = u16::MAX;
    let mut classes = [UNKNOWN; STATES];
    let (mut count, mut state) = (0, 0);
    while state < STATES {
        if classes[state] == UNKNOWN {
            let (mut image, mut turns) = (state, 0);
            while turns < 4 {
                classes[image] = count;
                classes[mapped(image, reflection)] = count;
                image = mapped(image, turn);
                turns += 1;
            }
            count += 1;
        }
        state += 1;
    }
    (classes, count as usize)
}

/// Returns a state whose points are those of another one, given by the point that moves to each point.
const fn mapped<const POINTS: usize>(state: usize, from: [usize; POINTS]) -> usize {
    let mut image = 0;
    let mut point = POINTS;
    while point > 0 {
        point -= 1;
        image = 3 * image + state / 3_usize.pow(from[point] as u32) % 3;
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn symmetric_positions_have_the_same_patterns(a: u32, b: u32) {
            let own = SquareSet::from_bits(a & b);
            let opponent = SquareSet::from_bits(a & !b);
            let sorted = |map: Symmetry| {
                let mut patterns = Patterns::of(map.set(own), map.set(opponent));
                let [inner, _, outer] = &mut patterns.rings;
                if inner > outer {
                    std::mem::swap(inner, outer);
                }
                patterns.spokes.sort_unstable();
                patterns.corners.sort_unstable();
                patterns
            };
            for map in Symmetry::all() {
                prop_assert_eq!(sorted(map), sorted(Symmetry::IDENTITY));
            }
        }
    }
}
