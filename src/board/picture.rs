//! The board drawn in characters: its points, the lines between them and the coordinates.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::fmt;

use super::{Diagonals, Side, Square, SquareSet, lines};

/// The characters that a board is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// ASCII alone, with `O` for a man of White and `@` for one of Black.
    Ascii,
    /// Lines and discs.
    Unicode,
}

impl Glyphs {
    /// A man of a side.
    pub const fn man(self, side: Side) -> char {
        [side.man(), ['○', '●'][side as usize]][self as usize]
    }

    /// A marked point, which may not be used.
    pub const fn marked(self) -> char {
        ['X', '╳'][self as usize]
    }

    /// A point from which a man was removed.
    pub const fn removed(self) -> char {
        ['x', '×'][self as usize]
    }

    /// A line by its direction: columns to the right and rows down.
    const fn line(self, columns: isize, rows: isize) -> char {
        let [horizontal, vertical, falling, rising] =
            [['-', '|', '\\', '/'], ['─', '│', '╲', '╱']][self as usize];
        match (columns, rows) {
            (_, 0) => horizontal,
            (0, _) => vertical,
            _ if (columns > 0) == (rows > 0) => falling,
            _ => rising,
        }
    }

    /// An empty point from which lines go up, right, down and left.
    const fn point(self, [up, right, down, left]: [bool; 4]) -> char {
        if matches!(self, Self::Ascii) {
            return '+';
        }
        match (up, right, down, left) {
            (false, true, true, false) => '┌',
            (false, false, true, true) => '┐',
            (true, true, false, false) => '└',
            (true, false, false, true) => '┘',
            (true, true, true, false) => '├',
            (true, false, true, true) => '┤',
            (false, true, true, true) => '┬',
            (true, true, false, true) => '┴',
            _ => '┼',
        }
    }
}

/// How many files and ranks there are.
const FILES: usize = 7;
/// Columns from a file to the next, and rows from a rank to the next.
const STEP: (usize, usize) = (4, 2);
/// The columns of the rank's number and the gap after it.
const LABEL: usize = 2;
/// There is room for a mark on either side of a point.
const WIDTH: usize = LABEL + (FILES - 1) * STEP.0 + 3;
/// The files have their letters in a row below the board.
const HEIGHT: usize = (FILES - 1) * STEP.1 + 2;

/// A drawn board whose characters each have a style.
///
/// ```
/// use millstone::board::{Diagonals, Glyphs, Picture, Square};
///
/// let mut picture = Picture::new(Diagonals::Without, Glyphs::Ascii, (), false);
/// picture.set(Square::D7, 'O', ());
/// assert!(picture.to_string().starts_with("7  +-----------O-----------+\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture<S> {
    cells: [[(char, S); WIDTH]; HEIGHT],
    is_flipped: bool,
}

impl<S: Copy + Default> Picture<S> {
    /// How many columns a picture has.
    pub const WIDTH: usize = WIDTH;

    /// A board without men.
    ///
    /// * `style`: the style of the empty points, the lines and the coordinates;
    /// * `is_flipped`: whether the board is seen from the other side, with rank 1 and file g at the
    ///   upper left.
    pub fn new(diagonals: Diagonals, glyphs: Glyphs, style: S, is_flipped: bool) -> Self {
        let mut picture = Self { cells: [[(' ', S::default()); WIDTH]; HEIGHT], is_flipped };
        for square in Square::ALL {
            let neighbours = lines::neighbours(square, diagonals);
            let (column, row) = picture.place(square);
            picture.cells[row][column] =
                (glyphs.point(picture.directions(square, neighbours)), style);
            for neighbour in neighbours {
                picture.draw_line(square, neighbour, glyphs, style);
            }
            let name = square.name().as_bytes();
            picture.cells[HEIGHT - 1][column] = (name[0].into(), style);
            picture.cells[row][0] = (name[1].into(), style);
        }
        picture
    }

    /// Puts a character on a point.
    pub fn set(&mut self, square: Square, glyph: char, style: S) {
        let (column, row) = self.place(square);
        self.cells[row][column] = (glyph, style);
    }

    /// Puts characters left and right of a point.
    pub fn enclose(&mut self, square: Square, [left, right]: [char; 2], style: S) {
        let (column, row) = self.place(square);
        self.cells[row][column - 1] = (left, style);
        self.cells[row][column + 1] = (right, style);
    }

    /// The rows from above, coordinates included, all of the same width.
    pub const fn rows(&self) -> &[[(char, S); WIDTH]] {
        &self.cells
    }

    /// Column and row of a point.
    const fn place(&self, square: Square) -> (usize, usize) {
        let (file, rank) = (square.file(), square.rank());
        let far = FILES - 1;
        let (file, rank) = if self.is_flipped { (far - file, rank) } else { (file, far - rank) };
        (LABEL + 1 + file * STEP.0, rank * STEP.1)
    }

    /// Draws the line from a point to a neighbour.
    fn draw_line(&mut self, from: Square, to: Square, glyphs: Glyphs, style: S) {
        let (column, row) = self.place(from);
        let (to_column, to_row) = self.place(to);
        let columns = to_column as isize - column as isize;
        let rows = to_row as isize - row as isize;
        let glyph = glyphs.line(columns, rows);
        // A diagonal has a character in each row, two columns apart.
        let steps = if rows == 0 { columns.abs() } else { rows.abs() };
        for step in 1..steps {
            let row = row as isize + rows * step / steps;
            let column = column as isize + columns * step / steps;
            self.cells[row as usize][column as usize] = (glyph, style);
        }
    }

    /// Whether lines go up, right, down and left from a point.
    fn directions(&self, square: Square, neighbours: SquareSet) -> [bool; 4] {
        let (column, row) = self.place(square);
        let directions = neighbours.into_iter().map(|neighbour| {
            let (to_column, to_row) = self.place(neighbour);
            (to_column.cmp(&column), to_row.cmp(&row))
        });
        [(Equal, Less), (Greater, Equal), (Equal, Greater), (Less, Equal)]
            .map(|wanted| directions.clone().any(|direction| direction == wanted))
    }
}

impl<S> fmt::Display for Picture<S> {
    /// Writes the rows without styles and without blanks at their ends.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, row) in self.cells.iter().enumerate() {
            let line_end = if at == 0 { "" } else { "\n" };
            let row: String = row.iter().map(|(glyph, _)| glyph).collect();
            write!(f, "{line_end}{}", row.trim_end())?;
        }
        Ok(())
    }
}
