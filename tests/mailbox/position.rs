//! One turn: the board, the men on it, and every move there is. Knows nothing of hands and history.

use std::collections::BTreeMap;

/// The points in the order of the position text: each ring clockwise from its top.
pub const POINTS: [&str; 24] = [
    "d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5", // inner
    "d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6", // middle
    "d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7", // outer
];

/// The pairs of neighbouring points.
const EDGES: [&str; 32] = [
    "d5-e5", "e5-e4", "e4-e3", "e3-d3", "d3-c3", "c3-c4", "c4-c5", "c5-d5", // inner
    "d6-f6", "f6-f4", "f4-f2", "f2-d2", "d2-b2", "b2-b4", "b4-b6", "b6-d6", // middle
    "d7-g7", "g7-g4", "g4-g1", "g1-d1", "d1-a1", "a1-a4", "a4-a7", "a7-d7", // outer
    "d5-d6", "d6-d7", "e4-f4", "f4-g4", "d3-d2", "d2-d1", "c4-b4", "b4-a4", // spokes
];

/// The lines: three men of one side on a line are a mill.
const LINES: [&str; 16] = [
    "c5-d5-e5", "e5-e4-e3", "e3-d3-c3", "c3-c4-c5", // inner
    "b6-d6-f6", "f6-f4-f2", "f2-d2-b2", "b2-b4-b6", // middle
    "a7-d7-g7", "g7-g4-g1", "g1-d1-a1", "a1-a4-a7", // outer
    "d5-d6-d7", "e4-f4-g4", "d3-d2-d1", "c4-b4-a4", // spokes
];

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    White,
    Black,
}

impl Side {
    /// White, then Black, as in the position text.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// All that must be equal for a position to be a repetition.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    /// The occupied points.
    pub men: BTreeMap<&'static str, Side>,
    /// The side to act.
    pub side: Side,
    /// Has this side closed a mill, so that it removes a man next?
    pub is_removing: bool,
}

impl Position {
    /// The points where the side has a man.
    pub fn points_of(&self, side: Side) -> Vec<&'static str> {
        self.points_where(|man| man == Some(&side))
    }

    /// Is the man on this point part of a mill?
    pub fn is_in_mill(&self, point: &str) -> bool {
        let owner = self.men.get(point);
        let is_owned = |point| self.men.get(point) == owner;
        let mut lines = LINES.iter().filter(|line| line.contains(point));
        owner.is_some() && lines.any(|line| line.split('-').all(is_owned))
    }

    /// A man from the hand to every empty point.
    pub fn placements(&self) -> Vec<String> {
        self.empty_points().into_iter().map(String::from).collect()
    }

    /// Every own man along every edge to an empty point.
    pub fn slides(&self) -> Vec<String> {
        let edges = EDGES.iter().filter_map(|edge| edge.split_once('-'));
        edges
            .flat_map(|(a, b)| [(a, b), (b, a)])
            .filter(|(from, to)| self.is_own(from) && self.is_empty(to))
            .map(|(from, to)| format!("{from}-{to}"))
            .collect()
    }

    /// Every own man to every empty point.
    pub fn flights(&self) -> Vec<String> {
        let mut flights = Vec::new();
        for from in self.points_of(self.side) {
            for to in self.empty_points() {
                flights.push(format!("{from}-{to}"));
            }
        }
        flights
    }

    /// Every man of the opponent outside a mill; every one of them if all are in mills.
    pub fn removals(&self) -> Vec<String> {
        let mut targets = self.points_of(self.side.other());
        if targets.iter().any(|point| !self.is_in_mill(point)) {
            targets.retain(|point| !self.is_in_mill(point));
        }
        targets.iter().map(|point| format!("x{point}")).collect()
    }

    /// The points where nobody has a man.
    fn empty_points(&self) -> Vec<&'static str> {
        self.points_where(|man| man.is_none())
    }

    /// The points whose man, or lack of one, is as asked for.
    fn points_where(&self, is_wanted: impl Fn(Option<&Side>) -> bool) -> Vec<&'static str> {
        let mut points = POINTS.to_vec();
        points.retain(|point| is_wanted(self.men.get(point)));
        points
    }

    /// Has the side to act a man here?
    fn is_own(&self, point: &str) -> bool {
        self.men.get(point) == Some(&self.side)
    }

    /// Is nobody here?
    fn is_empty(&self, point: &str) -> bool {
        !self.men.contains_key(point)
    }
}

/// The point of that name.
///
/// # Panics
/// If the board has no such point.
pub fn point_named(name: &str) -> &'static str {
    let point = POINTS.into_iter().find(|point| *point == name);
    point.unwrap_or_else(|| panic!("no point is called {name}"))
}
