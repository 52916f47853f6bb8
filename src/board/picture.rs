//! Drawings of the board in characters: points, lines and coordinates.

use std::fmt;

use super::{Diagonals, Side, Square};

/// The characters for drawing a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// ASCII only, with `O` for White's men and `@` for Black's.
    Ascii,
    /// Lines and discs.
    Unicode,
}

impl Glyphs {
    /// The character for a man of a side.
    pub const fn man(self, side: Side) -> char {
        [side.man(), ['○', '●'][side as usize]][self as usize]
    }

    /// The character for a marked point, which may not be used.
    pub const fn marked(self) -> char {
        ['X', '╳'][self as usize]
    }

    /// The character for a point from which a man was removed.
    pub const fn removed(self) -> char {
        ['x', '×'][self as usize]
    }

    /// The character to draw for one of [`BOARD`] other than a space.
    const fn of(self, drawn: char) -> char {
        match (self, drawn) {
            (Self::Unicode, _) => drawn,
            (Self::Ascii, '─') => '-',
            (Self::Ascii, '│') => '|',
            (Self::Ascii, '╲') => '\\',
            (Self::Ascii, '╱') => '/',
            (Self::Ascii, _) => '+',
        }
    }
}

/// The points and lines of a board with diagonals, which looks the same from both sides.
const BOARD: &str = include_str!("picture.txt");

/// The number of files, and of ranks.
const FILES: usize = 7;
/// The columns from one file to the next, and the rows from one rank to the next.
const STEP: (usize, usize) = (4, 2);
/// The columns left of the board: the rank number, a gap and room for a mark, which the right side has too.
const MARGIN: usize = 3;
const WIDTH: usize = MARGIN + (FILES - 1) * STEP.0 + 2;
/// The row below the board holds the letters of the files.
const HEIGHT: usize = (FILES - 1) * STEP.1 + 2;

/// A drawing of the board in which each character has a style.
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
    /// The number of columns of a picture.
    pub const WIDTH: usize = WIDTH;

    /// A picture of the board without men.
    ///
    /// * `style`: the style of the empty points, the lines and the coordinates;
    /// * `is_flipped`: whether the board is seen from the other side, with rank 1 and file g at the
    ///   upper left.
    pub fn new(diagonals: Diagonals, glyphs: Glyphs, style: S, is_flipped: bool) -> Self {
        let mut picture = Self { cells: [[(' ', S::default()); WIDTH]; HEIGHT], is_flipped };
        let blanks: &[char] =
            if diagonals == Diagonals::With { &[' '] } else { &[' ', '╲', '╱'] };
        for (row, drawn) in picture.cells.iter_mut().zip(BOARD.lines()) {
            let cells = row[MARGIN..].iter_mut().zip(drawn.chars());
            for (cell, drawn) in cells.filter(|(_, drawn)| !blanks.contains(drawn)) {
                *cell = (glyphs.of(drawn), style);
            }
        }
        for square in Square::ALL {
            let (column, row) = picture.place(square);
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

    /// The rows from top to bottom, coordinates included, all of the same width.
    pub const fn rows(&self) -> &[[(char, S); WIDTH]] {
        &self.cells
    }

    /// The column and row of a point.
    const fn place(&self, square: Square) -> (usize, usize) {
        let (file, rank) = (square.file(), square.rank());
        let far = FILES - 1;
        let (file, rank) = if self.is_flipped { (far - file, rank) } else { (file, far - rank) };
        (MARGIN + file * STEP.0, rank * STEP.1)
    }
}

impl<S> fmt::Display for Picture<S> {
    /// Writes the rows without styles or trailing spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let glyphs = |row: &[(char, S)]| row.iter().map(|(glyph, _)| *glyph).collect::<String>();
        let rows = self.cells.each_ref().map(|row| glyphs(row).trim_end().to_owned());
        f.write_str(&rows.join("\n"))
    }
}
