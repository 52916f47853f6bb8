//! The board as a picture of text.

use std::fmt;

use super::Position;
use crate::board::{Glyphs, Picture, Side, Square};
use crate::rules::Rules;

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
        let position = self.0;
        let mut picture = Picture::new(position.rules().diagonals, Glyphs::Ascii, (), false);
        for square in Square::ALL {
            picture.set(square, position.mark(square), ());
        }
        for (index, row) in picture.rows().iter().enumerate() {
            let line_end = if index == 0 { "" } else { "\n" };
            let row: String = row.iter().map(|(glyph, ())| glyph).collect();
            write!(f, "{line_end}{}", row.trim_end())?;
        }
        Ok(())
    }
}
