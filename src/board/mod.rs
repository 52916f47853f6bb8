//! The board and its words: points, sets of points, edges, lines, symmetries.
//!
//! Nothing here knows rules or whose turn it is. Everything may use this module; it uses nothing.

pub mod lines;
mod side;
mod spans;
mod square;
mod square_set;
mod symmetry;

pub use lines::Diagonals;
pub use side::{BySide, Side};
pub use spans::{Span, SpanKind, spans};
pub use square::{Square, SquareError};
pub use square_set::{SquareSet, Squares};
pub use symmetry::Symmetry;
