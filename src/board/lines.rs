//! Edges and mill lines of the board, as tables and as operations on whole sets; and lines as ends
//! and middles, for captures along them.
//!
//! Everything here covers the board with and without diagonals. The four diagonals, of two edges
//! each, join the corners of the rings as the spokes join the midpoints, so the boards differ only
//! in which points have edges across the rings.

use bytemuck::{CheckedBitPattern, NoUninit};

use super::square::{Square, SquareSet};

/// Whether the corners of the rings are joined by diagonals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, CheckedBitPattern, NoUninit)]
#[repr(u8)]
pub enum Diagonals {
    /// The board of Nine Men's Morris: 32 edges, 16 lines.
    Without,
    /// The board of Morabaraba: 40 edges, 20 lines.
    With,
}

impl Diagonals {
    /// Both boards.
    pub const ALL: [Self; 2] = [Self::Without, Self::With];

    /// The points with edges and a line across the rings.
    pub const fn crossings(self) -> SquareSet {
        match self {
            Self::Without => SquareSet::MIDDLES,
            Self::With => SquareSet::ALL,
        }
    }
}

/// The number of lines of the board with diagonals.
pub const MAX_LINES: usize = 20;

/// The points joined to a point by an edge.
pub const fn neighbours(square: Square, diagonals: Diagonals) -> SquareSet {
    NEIGHBOURS[diagonals as usize][square as usize]
}

const NEIGHBOURS: [[SquareSet; Square::COUNT]; 2] = {
    let mut table = [[SquareSet::EMPTY; Square::COUNT]; 2];
    let mut index = 0;
    while index < Square::COUNT {
        let set = SquareSet::of(Square::ALL[index]);
        table[0][index] = reach(set, Diagonals::Without);
        table[1][index] = reach(set, Diagonals::With);
        index += 1;
    }
    table
};

/// The other two points of each line through a point, the diagonal last; the whole board in place of a diagonal of
/// midpoints.
const PARTNERS: [[SquareSet; 3]; Square::COUNT] = {
    let mut table = [[SquareSet::ALL; 3]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        let mut found = 0;
        let mut span = 0;
        while span < MAX_LINES {
            let line = SPANS[span].points();
            if line.contains(square) {
                table[index][found] = line.without(square);
                found += 1;
            }
            span += 1;
        }
        index += 1;
    }
    table
};

const fn both(a: SquareSet, b: SquareSet) -> SquareSet {
    SquareSet::from_bits(a.bits() & b.bits())
}

const fn either(a: SquareSet, b: SquareSet) -> SquareSet {
    SquareSet::from_bits(a.bits() | b.bits())
}

/// The points one edge away from any point of the set.
pub const fn reach(set: SquareSet, diagonals: Diagonals) -> SquareSet {
    let crossing = both(set, diagonals.crossings());
    either(
        either(set.clockwise(), set.anticlockwise()),
        either(crossing.outward(), crossing.inward()),
    )
}

/// The number of edges from a point of `from` to a point of `to`.
///
/// For the men of a side and the empty points this is the number of slides.
pub const fn count_edges(from: SquareSet, to: SquareSet, diagonals: Diagonals) -> u32 {
    let crossing = both(from, diagonals.crossings());
    let along = pair(both(from.clockwise(), to), both(from.anticlockwise(), to));
    let across = pair(both(crossing.outward(), to), both(crossing.inward(), to));
    along.count_ones() + across.count_ones()
}

/// Two sets side by side, so that one instruction counts both.
const fn pair(a: SquareSet, b: SquareSet) -> u64 {
    a.bits() as u64 | (b.bits() as u64) << 32
}

/// The midpoints of complete sides of rings, and the points of the inner ring on complete lines
/// across the rings.
const fn complete(set: SquareSet, diagonals: Diagonals) -> (SquareSet, SquareSet) {
    let sides = both(both(set.clockwise(), set.anticlockwise()), both(set, SquareSet::MIDDLES));
    let crossing = both(set, diagonals.crossings());
    let across = both(both(crossing, crossing.inward()), crossing.inward().inward());
    (sides, across)
}

/// The points of the set that lie on a complete line.
pub const fn in_mills(set: SquareSet, diagonals: Diagonals) -> SquareSet {
    let (sides, across) = complete(set, diagonals);
    let sides = either(sides, either(sides.clockwise(), sides.anticlockwise()));
    either(sides, SquareSet::from_bits(across.bits() * 0x01_0101))
}

/// The number of complete lines in a set.
pub const fn count_mills(set: SquareSet, diagonals: Diagonals) -> u32 {
    let (sides, across) = complete(set, diagonals);
    pair(sides, across).count_ones()
}

/// The points on a line with two points of the set: a man placed there closes a mill.
///
/// Points of the set are included if their line is complete.
pub const fn closing(set: SquareSet, diagonals: Diagonals) -> SquareSet {
    let (next, previous) = (set.anticlockwise(), set.clockwise());
    let middles = both(both(next, previous), SquareSet::MIDDLES);
    let ends = either(both(next, next.anticlockwise()), both(previous, previous.clockwise()));
    let ends = both(ends, SquareSet::CORNERS);
    let across = both(set.outward_around(), set.inward_around());
    either(either(middles, ends), both(across, diagonals.crossings()))
}

/// The points where a man of the set completes a line by sliding onto it.
///
/// Occupied points are included; intersect the result with the empty points.
pub const fn closing_by_slide(set: SquareSet, diagonals: Diagonals) -> SquareSet {
    let crossing = both(set, diagonals.crossings());
    let beside = either(crossing.outward(), crossing.inward());
    let (next, previous) = (set.anticlockwise(), set.clockwise());
    let middles = both(both(both(next, previous), SquareSet::MIDDLES), beside);
    let clockwise = both(both(next, next.anticlockwise()), either(previous, beside));
    let anticlockwise = both(both(previous, previous.clockwise()), either(next, beside));
    let ends = both(either(clockwise, anticlockwise), SquareSet::CORNERS);
    let across = both(crossing.outward_around(), crossing.inward_around());
    either(either(middles, ends), both(across, either(next, previous)))
}

/// The other two points of each line through a point; the whole board in place of a line that is not there.
pub(crate) fn partners(square: Square, diagonals: Diagonals) -> &'static [SquareSet] {
    &PARTNERS[square as usize][..2 + diagonals as usize]
}

/// The number of mills that a man on the point closes with the other men of the set.
pub const fn count_closed(square: Square, set: SquareSet, diagonals: Diagonals) -> u32 {
    let [first, second, third] = PARTNERS[square as usize];
    let two = set.contains_all(first) as u32 + set.contains_all(second) as u32;
    match diagonals {
        Diagonals::Without => two,
        Diagonals::With => two + set.contains_all(third) as u32,
    }
}

/// The kinds of lines. If a move could capture along several lines, the earliest kind takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpanKind {
    /// A spoke between the middles of the sides.
    CrossLine,
    /// A side of a ring.
    SquareEdge,
    /// A diagonal between the corners.
    Diagonal,
}

/// A mill line: a middle between two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The kind of the line.
    pub kind: SpanKind,
    /// The point in the middle.
    pub middle: Square,
    /// The two points at the ends.
    pub ends: SquareSet,
}

impl Span {
    /// The three points of the line.
    pub const fn points(self) -> SquareSet {
        self.ends.with(self.middle)
    }

    /// The other end of the line; `None` if `end` is not an end of it.
    pub const fn other_end(self, end: Square) -> Option<Square> {
        if self.ends.contains(end) { self.ends.without(end).first() } else { None }
    }
}

/// The lines of a board: 12 sides of rings, then 4 spokes, then 4 diagonals if it has them.
pub const fn spans(diagonals: Diagonals) -> &'static [Span] {
    match diagonals {
        Diagonals::Without => SPANS.split_at(16).0,
        Diagonals::With => &SPANS,
    }
}

const SPANS: [Span; MAX_LINES] = {
    let kind = SpanKind::SquareEdge;
    let mut spans = [Span { kind, middle: Square::D5, ends: SquareSet::EMPTY }; MAX_LINES];
    let mut index = 0;
    while index < MAX_LINES {
        let (kind, middle) = match index {
            0..12 => (SpanKind::SquareEdge, 2 * index),
            12..16 => (SpanKind::CrossLine, 8 + 2 * (index - 12)),
            _ => (SpanKind::Diagonal, 9 + 2 * (index - 16)),
        };
        let middle = Square::ALL[middle];
        let set = SquareSet::of(middle);
        let ends = match kind {
            SpanKind::SquareEdge => either(set.clockwise(), set.anticlockwise()),
            SpanKind::CrossLine | SpanKind::Diagonal => either(set.outward(), set.inward()),
        };
        spans[index] = Span { kind, middle, ends };
        index += 1;
    }
    spans
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(diagonals: Diagonals) -> impl Iterator<Item = SquareSet> {
        spans(diagonals).iter().map(|span| span.points())
    }

    fn slow_in_mills(set: SquareSet, diagonals: Diagonals) -> SquareSet {
        let complete = lines(diagonals).filter(|line| set.contains_all(*line));
        complete.fold(SquareSet::EMPTY, |all, line| all | line)
    }

    #[test]
    fn boards_have_the_edges_and_lines_of_their_game() {
        for (diagonals, edges, lines_expected) in
            [(Diagonals::Without, 32, 16), (Diagonals::With, 40, 20)]
        {
            assert_eq!(lines(diagonals).count(), lines_expected);
            assert!(lines(diagonals).all(|line| line.len() == 3));
            let ends: u32 = Square::ALL.iter().map(|&s| neighbours(s, diagonals).len()).sum();
            assert_eq!(ends, 2 * edges);
            assert_eq!(count_edges(SquareSet::ALL, SquareSet::ALL, diagonals), 2 * edges);
        }
        let beside = [Square::D7, Square::B6, Square::F6, Square::D5];
        assert_eq!(neighbours(Square::D6, Diagonals::Without), SquareSet::from_iter(beside));
    }

    #[test]
    fn every_point_lies_on_two_lines_and_corners_on_a_diagonal_too() {
        for square in Square::ALL {
            let through = PARTNERS[square.index()].map(SquareSet::len);
            let expected = if square.index() % 2 == 1 { [2, 2, 2] } else { [2, 2, 24] };
            assert_eq!(through, expected);
        }
    }

    #[test]
    fn a_middle_is_the_neighbour_of_both_ends() {
        for diagonals in Diagonals::ALL {
            for span in spans(diagonals) {
                assert_eq!(span.ends.len(), 2);
                assert!(neighbours(span.middle, diagonals).contains_all(span.ends));
                for end in span.ends {
                    assert_eq!(span.other_end(end), span.ends.without(end).first());
                }
                assert_eq!(span.other_end(span.middle), None);
            }
        }
    }

    proptest! {
        #[test]
        fn whole_set_operations_agree_with_the_tables(bits: u32, target: u32) {
            let (set, target) = (SquareSet::from_bits(bits), SquareSet::from_bits(target));
            for diagonals in Diagonals::ALL {
                prop_assert_eq!(in_mills(set, diagonals), slow_in_mills(set, diagonals));
                let complete = lines(diagonals).filter(|line| set.contains_all(*line));
                prop_assert_eq!(count_mills(set, diagonals) as usize, complete.count());
                let edges: u32 =
                    set.into_iter().map(|s| (neighbours(s, diagonals) & target).len()).sum();
                prop_assert_eq!(count_edges(set, target, diagonals), edges);
                let mut slides = SquareSet::EMPTY;
                for from in set {
                    let targets = neighbours(from, diagonals) - set;
                    slides |= targets & closing(set.without(from), diagonals);
                }
                prop_assert_eq!(closing_by_slide(set, diagonals) - set, slides);
                for square in Square::ALL {
                    let closed = count_closed(square, set, diagonals);
                    let through = lines(diagonals).filter(|line| line.contains(square));
                    let slow = through.filter(|line| set.contains_all(line.without(square)));
                    prop_assert_eq!(closed as usize, slow.count());
                    prop_assert_eq!(closing(set, diagonals).contains(square), closed > 0);
                    let reached = !(neighbours(square, diagonals) & set).is_empty();
                    prop_assert_eq!(reach(set, diagonals).contains(square), reached);
                }
            }
        }
    }
}
