//! Mill lines with their ends and middles, for captures along them.

use super::lines::{Diagonals, MAX_LINES, lines};
use super::square::Square;
use super::square_set::SquareSet;

/// The kinds of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// A side of a ring.
    SquareEdge,
    /// A spoke between the middles of the sides.
    CrossLine,
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

impl SpanKind {
    /// All kinds, in the order in which a move that could capture along several lines tries them.
    pub const ALL: [Self; 3] = [Self::CrossLine, Self::SquareEdge, Self::Diagonal];
}

impl Span {
    /// The other end of the line; `None` if `end` is not one.
    #[must_use]
    pub const fn other_end(self, end: Square) -> Option<Square> {
        if self.ends.contains(end) { self.ends.without(end).first() } else { None }
    }
}

/// The lines of a board in the order of [`lines`].
#[must_use]
pub const fn spans(diagonals: Diagonals) -> &'static [Span] {
    SPANS.split_at(lines(diagonals).len()).0
}

const SPANS: [Span; MAX_LINES] = {
    let mut spans = [span(0); MAX_LINES];
    let mut index = 0;
    while index < MAX_LINES {
        spans[index] = span(index);
        index += 1;
    }
    spans
};

const fn span(index: usize) -> Span {
    const MIDDLE_RING: SquareSet = SquareSet::from_bits(0xFF00);
    let (kind, middles) = match index {
        0..12 => (SpanKind::SquareEdge, SquareSet::MIDDLES),
        12..16 => (SpanKind::CrossLine, MIDDLE_RING),
        _ => (SpanKind::Diagonal, MIDDLE_RING),
    };
    let line = lines(Diagonals::With)[index];
    match SquareSet::from_bits(line.bits() & middles.bits()).first() {
        Some(middle) => Span { kind, middle, ends: line.without(middle) },
        None => panic!("every line has a middle"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::lines::neighbours;

    #[test]
    fn a_middle_is_the_neighbour_of_both_ends() {
        for diagonals in Diagonals::ALL {
            for (span, line) in spans(diagonals).iter().zip(lines(diagonals)) {
                assert_eq!(span.ends.with(span.middle), *line);
                assert_eq!(span.ends.len(), 2);
                assert!(neighbours(span.middle, diagonals).contains_all(span.ends));
                for end in span.ends {
                    assert_eq!(span.other_end(end), span.ends.without(end).first());
                }
                assert_eq!(span.other_end(span.middle), None);
            }
        }
    }
}
