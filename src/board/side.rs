//! The two players.

use std::ops::{Index, IndexMut, Not};

/// One of the two players. White places first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, derive_more::Display)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(u8)]
pub enum Side {
    /// The player that places first, `O` on the board.
    White,
    /// The other player, `@` on the board.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The letter of this side in position text: `w` or `b`.
    pub const fn letter(self) -> char {
        ['w', 'b'][self as usize]
    }

    /// The side with this letter, if there is one.
    pub fn of_letter(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| letter == side.letter().to_string())
    }

    /// The character for this side's men in a board diagram: `O` or `@`.
    pub const fn man(self) -> char {
        ['O', '@'][self as usize]
    }
}

impl Not for Side {
    type Output = Self;

    /// The opponent.
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// A value for each side, indexed by [`Side`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySide<T>(pub [T; 2]);

impl<T: Copy> BySide<T> {
    /// The same value for both sides.
    pub const fn both(value: T) -> Self {
        Self([value; 2])
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}
