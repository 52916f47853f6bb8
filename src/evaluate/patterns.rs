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

const RING_POINTS: usize = 8;
const RING_STATES: usize = 3_usize.pow(RING_POINTS as u32);
const TRIPLE_STATES: usize = 27;
const GROUP_STATES: usize = TRIPLE_STATES.pow(3);

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
    #[inline]
    pub fn of(set: SquareSet) -> Self {
        let [first, second, third, _] = set.bits().to_le_bytes();
        let [first, second, third] =
            [first, second, third].map(|ring| &RING_NUMBERS[usize::from(ring)]);
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
const RING_CLASSES: ([u16; RING_STATES], usize) = classes(true);

/// The classes of three triples under reflection and exchange of the inner and outer one, and
/// their number.
const GROUP_CLASSES: ([u16; GROUP_STATES], usize) = classes(false);

/// Returns the class of each state of rings, or of groups, numbered in the order of least states, and their number.
const fn classes<const STATES: usize>(are_rings: bool) -> ([u16; STATES], usize) {
    let mut classes = [0; STATES];
    let mut count = 0;
    let mut state = 0;
    while state < STATES {
        let least = if are_rings { least_ring(state) } else { least_group(state) };
        if least == state {
            classes[state] = count as u16;
            count += 1;
        } else {
            classes[state] = classes[least];
        }
        state += 1;
    }
    (classes, count)
}

/// The least state of a class of rings.
const fn least_ring(state: usize) -> usize {
    const QUARTER: usize = 9;
    let (mut least, mut image) = (state, state);
    let mut turns = 0;
    while turns < 4 {
        image = image % QUARTER * (RING_STATES / QUARTER) + image / QUARTER;
        least = min(least, min(image, mirrored_ring(image)));
        turns += 1;
    }
    least
}

/// Reverses the order of the points of a ring, except the first.
const fn mirrored_ring(state: usize) -> usize {
    let mut rest = state / 3;
    let mut mirrored = 0;
    let mut point = 1;
    while point < RING_POINTS {
        mirrored = 3 * mirrored + rest % 3;
        rest /= 3;
        point += 1;
    }
    3 * mirrored + state % 3
}

/// The least state of a class of groups.
const fn least_group(state: usize) -> usize {
    let mirrored = mirrored_group(state);
    min(min(state, swapped(state)), min(mirrored, swapped(mirrored)))
}

const fn mirrored_group(state: usize) -> usize {
    let ones = state % 3 + state / 27 % 3 * 27 + state / 729 % 3 * 729;
    let threes = state / 3 % 3 + state / 81 % 3 * 27 + state / 2187 % 3 * 729;
    let nines = state / 9 % 3 + state / 243 % 3 * 27 + state / 6561 * 729;
    9 * ones + 3 * threes + nines
}

/// Exchanges the inner and the outer triple of a group.
const fn swapped(state: usize) -> usize {
    state / 729 + state / 27 % 27 * 27 + state % 27 * 729
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
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
