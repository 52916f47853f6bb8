//! The board: points, sets of points, edges, lines, symmetries, moves and pictures.
//!
//! This module depends on no other one and knows neither rules nor whose turn it is.

pub mod lines;
mod moves;
mod picture;
mod side;
mod square;
mod symmetry;

pub use lines::{Diagonals, Span, SpanKind, spans};
pub use moves::{MAX_MOVES, Move, MoveKind, MoveLine, MoveList, Turn};
pub use picture::{Glyphs, Picture};
pub use side::{BySide, Side};
pub use square::{Square, SquareSet, Squares};
pub use symmetry::Symmetry;
