//! The board as a picture of text.

use std::fmt;

use super::Position;
use crate::board::{Diagonals, Side, Square};
use crate::rules::Rules;

/// Thirteen rows and 28 columns; each point of the board replaces the `+` in its place.
const FRAMES: [[&str; 13]; 2] = [
    [
        "+-----------+-----------+",
        "|           |           |",
        "|   +-------+-------+   |",
        "|   |       |       |   |",
        "|   |   +---+---+   |   |",
        "|   |   |       |   |   |",
        "+---+---+       +---+---+",
        "|   |   |       |   |   |",
        "|   |   +---+---+   |   |",
        "|   |       |       |   |",
        "|   +-------+-------+   |",
        "|           |           |",
        "+-----------+-----------+",
    ],
    [
        "+-----------+-----------+",
        "| \\         |         / |",
        "|   +-------+-------+   |",
        "|   | \\     |     / |   |",
        "|   |   +---+---+   |   |",
        "|   |   |       |   |   |",
        "+---+---+       +---+---+",
        "|   |   |       |   |   |",
        "|   |   +---+---+   |   |",
        "|   | /     |     \\ |   |",
        "|   +-------+-------+   |",
        "| /         |         \\ |",
        "+-----------+-----------+",
    ],
];

/// A drawing of a position, made by [`Position::drawing`].
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a, R: Rules>(&'a Position<R>);

impl<R: Rules> Position<R> {
    /// The board with coordinates: `O` White, `@` Black, `X` marked, `*` empty.
    #[must_use]
    pub fn drawing(&self) -> Drawing<'_, R> {
        Drawing(self)
    }

    /// The mark of a point: `O`, `@`, `X` or `*`.
    pub(super) fn mark(&self, square: Square) -> char {
        let owner = Side::ALL.into_iter().find(|&side| self.men(side).contains(square));
        let without_man = if self.extras().marked.contains(square) { 'X' } else { '*' };
        owner.map_or(without_man, Side::man)
    }
}

impl<R: Rules> fmt::Display for Drawing<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = match self.0.rules().diagonals {
            Diagonals::Without => FRAMES[0],
            Diagonals::With => FRAMES[1],
        };
        let mut rows = frame.map(|row| row.chars().collect::<Vec<_>>());
        for square in Square::ALL {
            rows[2 * (6 - square.rank())][4 * square.file()] = self.0.mark(square);
        }
        for (index, row) in rows.iter().enumerate() {
            let row: String = row.iter().collect();
            match index % 2 {
                0 => writeln!(f, "{}  {row}", 7 - index / 2)?,
                _ => writeln!(f, "   {row}")?,
            }
        }
        f.write_str("   a   b   c   d   e   f   g")
    }
}
