//! The board: the names of its points, and the lines of three, on which neighbours stand side by side.

use super::Rules;

/// The points in the order of the position text: each ring clockwise from its top.
pub const POINTS: [&str; 24] = [
    "d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5", // inner
    "d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6", // middle
    "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7", // outer
];

/// The lines along the rings, each with its middle in the middle.
pub const SQUARE_EDGES: [&str; 12] = [
    "c5-d5-e5", "e5-e4-e3", "e3-d3-c3", "c3-c4-c5", // inner
    "b6-d6-f6", "f6-f4-f2", "f2-d2-b2", "b2-b4-b6", // middle
    "a7-d7-g7", "g7-g4-g1", "g1-d1-a1", "a1-a4-a7", // outer
];

/// The lines along the spokes.
pub const CROSS_LINES: [&str; 4] = ["d5-d6-d7", "e4-f4-g4", "d3-d2-d1", "c4-b4-a4"];

/// The lines through the corners, on the board with diagonals.
pub const DIAGONAL_LINES: [&str; 4] = ["c5-b6-a7", "e5-f6-g7", "e3-f2-g1", "c3-b2-a1"];

/// The lines of the board: three men of one side on a line are a mill.
pub fn lines(rules: &Rules) -> Vec<&'static str> {
    let mut lines = [&SQUARE_EDGES[..], &CROSS_LINES].concat();
    if rules.is("HasDiagonalLines") {
        lines.extend(DIAGONAL_LINES);
    }
    lines
}

/// All ways to a neighbour, in both directions: from the middle of a line to its ends, and back.
pub fn ways(rules: &Rules) -> Vec<(&'static str, &'static str)> {
    let lines = lines(rules).into_iter().map(points_on);
    lines.flat_map(|[a, b, c]| [(a, b), (b, a), (b, c), (c, b)]).collect()
}

/// The first end, the middle and the other end of a line.
pub fn points_on(line: &'static str) -> [&'static str; 3] {
    [&line[0..2], &line[3..5], &line[6..8]]
}

/// The point of that name.
///
/// # Panics
/// If the board has no such point.
pub fn point_named(name: &str) -> &'static str {
    let point = POINTS.into_iter().find(|point| *point == name);
    point.unwrap_or_else(|| panic!("no point is called {name}"))
}
