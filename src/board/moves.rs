//! Moves (placing, sliding or removing a man) and whole turns, with their notation.
//!
//! A turn is everything that a side plays before the other side moves: usually a placement or slide and the removals
//! that it earns, each a move of its own. A side plays two turns in a row if the opponent passes in stalemate, or if
//! a mill earns another placement. Distances count a passed turn, and count as one whatever a side plays without a
//! turn of the opponent in between, for example when the side that places the last man also slides first.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::{Square, Symmetry};
use crate::Error;
use crate::quote::quote;

/// A move, packed into 16 bits: kind, origin and target, with five bits for each point.
///
/// Closing a mill takes two moves of the same side: the placement or slide, then the removal.
///
/// ```
/// use millstone::position::{Move, MoveKind};
/// use millstone::board::Square;
///
/// let slide: Move = "d6-d5".parse()?;
/// assert_eq!(slide.kind(), MoveKind::Slide { from: Square::D6, to: Square::D5 });
/// assert_eq!(slide.to_string(), "d6-d5");
/// # Ok::<(), millstone::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, derive_more::Debug, derive_more::Display)]
#[debug("{}", self.kind())]
#[display("{}", self.kind())]
pub struct Move(NonZeroU16);

/// What a [`Move`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, derive_more::Display)]
pub enum MoveKind {
    /// Puts a man from hand on an empty point.
    Place(Square),
    /// Moves a man along an edge, over a man that it leaps, or to any empty point if it may fly.
    #[display("{from}-{to}")]
    Slide {
        /// The point that the man leaves.
        from: Square,
        /// The empty point that the man goes to.
        to: Square,
    },
    /// Removes a man from the board, usually one of the opponent's.
    #[display("x{_0}")]
    Remove(Square),
}

/// An upper bound on the moves of a position: four flying men on an otherwise empty board have 80.
pub const MAX_MOVES: usize = 96;

/// The legal moves of a position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

const PLACE: u16 = 1 << 10;
const SLIDE: u16 = 2 << 10;
const REMOVE: u16 = 3 << 10;

impl Move {
    /// A placement on a point.
    pub const fn place(to: Square) -> Self {
        Self::pack(PLACE | to as u16)
    }

    /// A slide or flight from one point to another.
    pub const fn slide(from: Square, to: Square) -> Self {
        Self::pack(SLIDE | (from as u16) << 5 | to as u16)
    }

    /// A removal of the man on a point.
    pub const fn remove(man: Square) -> Self {
        Self::pack(REMOVE | man as u16)
    }

    const fn pack(bits: u16) -> Self {
        Self(NonZeroU16::new(bits).expect("each kind has a bit of its own"))
    }

    /// The 16 bits of the move, never zero.
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move with these bits, or `None` if they do not encode one.
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let to = Square::try_index((bits & 31) as usize);
        let from = Square::try_index((bits >> 5 & 31) as usize);
        match (bits & !0x3FF, from, to) {
            (PLACE, Some(Square::D5), Some(to)) => Some(Self::place(to)),
            (SLIDE, Some(from), Some(to)) => Some(Self::slide(from, to)),
            (REMOVE, Some(Square::D5), Some(to)) => Some(Self::remove(to)),
            _ => None,
        }
    }

    /// The image of the move under a symmetry of the board.
    #[must_use]
    pub const fn image(self, symmetry: Symmetry) -> Self {
        match self.kind() {
            MoveKind::Place(to) => Self::place(symmetry.square(to)),
            MoveKind::Slide { from, to } => Self::slide(symmetry.square(from), symmetry.square(to)),
            MoveKind::Remove(man) => Self::remove(symmetry.square(man)),
        }
    }

    /// What the move does.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.bits() & !0x3FF {
            PLACE => MoveKind::Place(self.target()),
            SLIDE => MoveKind::Slide { from: Self::point(self.bits() >> 5), to: self.target() },
            _ => MoveKind::Remove(self.target()),
        }
    }

    /// The point where a man arrives or is removed.
    pub const fn target(self) -> Square {
        Self::point(self.bits())
    }

    /// The point that a sliding man leaves; `None` for other moves.
    pub const fn origin(self) -> Option<Square> {
        if let MoveKind::Slide { from, .. } = self.kind() { Some(from) } else { None }
    }

    /// Whether the move removes a man.
    pub const fn is_removal(self) -> bool {
        self.bits() & !0x3FF == REMOVE
    }

    const fn point(bits: u16) -> Square {
        Square::try_index((bits & 31) as usize).expect("moves are made of points")
    }
}

/// A sequence of moves, [turns](Turn) or points, written with a space before each.
#[derive(Clone, Copy, Debug)]
pub struct MoveLine<I>(pub I);

impl<I: IntoIterator<Item: fmt::Display> + Clone> fmt::Display for MoveLine<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.clone().into_iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

impl FromStr for Move {
    type Err = Error;

    /// Reads `d6` (place), `d6-d5` (slide or fly) or `xd6` (remove), in upper or lower case.
    fn from_str(text: &str) -> Result<Self, Error> {
        let expected = "expected a move such as d6, d6-d5 or xd6";
        let no_move = |error: Error| Error(format!("move '{}': {expected}: {error}", quote(text)));
        let point = |part: &str| part.parse().map_err(no_move);
        if let Some(man) = text.strip_prefix(['x', 'X']) {
            Ok(Self::remove(point(man)?))
        } else if let Some((from, to)) = text.split_once('-') {
            Ok(Self::slide(point(from)?, point(to)?))
        } else {
            Ok(Self::place(point(text)?))
        }
    }
}

/// The moves of a side until the other side moves: a placement or slide and the removals that it earns, or
/// removals alone.
///
/// ```
/// use millstone::position::Turn;
///
/// let turn: Turn = "d6-f6xa1".parse()?;
/// assert_eq!(turn.moves(), ["d6-f6".parse()?, "xa1".parse()?]);
/// assert_eq!(turn.to_string(), "d6-f6xa1");
/// # Ok::<(), millstone::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn(Vec<Move>);

impl Turn {
    /// The moves, at least one.
    pub fn moves(&self) -> &[Move] {
        &self.0
    }

    /// This turn with another removal at its end.
    #[must_use]
    pub(crate) fn with(&self, removal: Move) -> Self {
        Self([&self.0[..], &[removal]].concat())
    }
}

impl From<Move> for Turn {
    fn from(mv: Move) -> Self {
        Self(vec![mv])
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|mv| write!(f, "{mv}"))
    }
}

impl FromStr for Turn {
    type Err = Error;

    /// Reads moves written without spaces; all but the first must be removals.
    fn from_str(text: &str) -> Result<Self, Error> {
        let later = text.match_indices(['x', 'X']).map(|(at, _)| at).filter(|&at| at > 0);
        let starts = [0].into_iter().chain(later.clone());
        let moves = starts.zip(later.chain([text.len()])).map(|(from, to)| text[from..to].parse());
        moves.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_texts_go_both_ways_for_every_move() {
        let mut count = 0;
        for bits in 0..=u16::MAX {
            if let Some(mv) = Move::from_bits(bits) {
                assert_eq!(mv.bits(), bits);
                assert_eq!(mv.to_string().parse(), Ok(mv));
                count += 1;
            }
        }
        assert_eq!(count, 24 + 24 * 24 + 24);
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn other_texts_are_refused_by_name() {
        for text in ["", "x", "a1a4", "a1>a4", "-a1", "d6-", "xa1-a4", "a1-a4-a7", "d4"] {
            let error = text.parse::<Move>().unwrap_err().to_string();
            assert!(error.contains(&format!("move '{text}'")), "{error}");
        }
    }

    #[test]
    fn turns_are_read_as_they_are_written() {
        for text in ["a7", "e4xg7", "c4-c3", "d6-f6xa1", "d6-f6xa1xb2", "xa1", "xa1xb2"] {
            assert_eq!(text.parse::<Turn>().unwrap().to_string(), text);
        }
        assert_eq!("E4Xg7".parse::<Turn>(), "e4xg7".parse());
        for text in ["", "x", "a7x", "a7xx", "a7xb2-b4", "a7a4", "xé", "éxa1", "a1xé"] {
            assert!(text.parse::<Turn>().is_err(), "{text}");
        }
    }
}
