//! What may differ between mill games, as questions that the rest of the engine asks.
//!
//! The engine is generic over [`Rules`]. [`Standard`] is a zero-sized type whose answers are
//! constants, so Nine Men's Morris compiles to straight code; a type that holds its answers as
//! values serves any other game through the same code.

mod draws;

pub use draws::DrawRules;

use std::fmt::Debug;

use crate::board::Diagonals;

/// A mill game: the answers default to those of Nine Men's Morris.
pub trait Rules: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// The men that each side has in hand at the start, 3 to 12.
    #[inline]
    fn men(self) -> u8 {
        9
    }

    /// A side with fewer men than this, on the board and in hand, has lost.
    #[inline]
    fn least_men(self) -> u8 {
        3
    }

    /// The most men on the board with which a side may fly, or 0 where nobody flies.
    #[inline]
    fn flying_men(self) -> u8 {
        3
    }

    /// Whether the corners of the rings are joined by diagonals.
    #[inline]
    fn diagonals(self) -> Diagonals {
        Diagonals::Without
    }

    /// Whether two mills closed at once earn two removals instead of one.
    #[inline]
    fn may_remove_multiple(self) -> bool {
        false
    }

    /// Whether men in mills may be removed while others stand outside.
    #[inline]
    fn may_remove_from_mills(self) -> bool {
        false
    }
}

/// Nine Men's Morris.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standard;

impl Rules for Standard {}
