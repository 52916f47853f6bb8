//! The men and the key that names them, kept together.
//!
//! [`Keyed`] is the only code that moves a man, takes one from hand, passes the turn or counts an
//! owed removal, and it changes the key in the same breath, so that key and position cannot part.
//!
//! See: Albert L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use crate::board::{BySide, Side, Square, SquareSet, Symmetry};

/// The number of the lowest of the two key bits that hold the removals owed.
pub const PENDING_SHIFT: u32 = 62;

/// The parts of a position that its key covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keyed {
    men: BySide<SquareSet>,
    key: u64,
    in_hand: BySide<u8>,
    to_move: Side,
    pending: u8,
}

impl Keyed {
    /// The empty board with White to move.
    pub(super) const fn empty(in_hand: BySide<u8>) -> Self {
        let [white, black] = in_hand.0;
        let key = IN_HAND[0][white as usize] ^ IN_HAND[1][black as usize];
        let men = BySide([SquareSet::EMPTY; 2]);
        Self { men, key, in_hand, to_move: Side::White, pending: 0 }
    }

    #[inline]
    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    pub(super) fn men(&self, side: Side) -> SquareSet {
        self.men[side]
    }

    #[inline]
    pub(super) fn in_hand(&self, side: Side) -> u8 {
        self.in_hand[side]
    }

    #[inline]
    pub(super) const fn turn(&self) -> Side {
        self.to_move
    }

    #[inline]
    pub(super) const fn pending(&self) -> u8 {
        self.pending
    }

    /// Puts a man on a point or takes it off.
    #[inline]
    pub(super) fn flip_man(&mut self, side: Side, square: Square) {
        self.men[side] ^= SquareSet::of(square);
        self.key ^= MEN[side as usize][square.index()];
    }

    /// Takes a man out of a hand, which must not be empty.
    #[inline]
    pub(super) fn take_from_hand(&mut self, side: Side) {
        let hand = usize::from(self.in_hand[side]);
        self.key ^= IN_HAND[side as usize][hand] ^ IN_HAND[side as usize][hand - 1];
        self.in_hand[side] -= 1;
    }

    /// Gives the turn to the other side.
    #[inline]
    pub(super) fn pass_turn(&mut self) {
        self.to_move = !self.to_move;
        self.key ^= BLACK_TO_MOVE;
    }

    /// Sets how many removals the side to move owes, 0 to 3.
    #[inline]
    pub(super) fn set_pending(&mut self, pending: u8) {
        self.key ^= u64::from(self.pending ^ pending) << PENDING_SHIFT;
        self.pending = pending;
    }

    /// The same men, seen through a symmetry of the board.
    pub(super) fn image(&self, symmetry: Symmetry) -> Self {
        let mut image = Self::empty(self.in_hand);
        for side in Side::ALL {
            let men = symmetry.set(self.men[side]);
            men.into_iter().for_each(|square| image.flip_man(side, square));
        }
        if self.to_move == Side::Black {
            image.pass_turn();
        }
        image.set_pending(self.pending);
        image
    }

    /// The key computed from the men alone.
    pub(super) fn rebuilt_key(&self) -> u64 {
        self.image(Symmetry::IDENTITY).key
    }
}

const MOST_MEN: usize = 12;
const SEED: u64 = 0x4D69_6C6C_7374_6F6E;

const MEN: [[u64; Square::COUNT]; 2] = [numbers(0), numbers(100)];
const IN_HAND: [[u64; MOST_MEN + 1]; 2] = [numbers(200), numbers(300)];
const BLACK_TO_MOVE: u64 = numbers::<1>(400)[0];

/// The next `N` numbers of the generator from a place in its sequence, without the pending bits.
const fn numbers<const N: usize>(start: u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        numbers[index] = split_mix(start + index as u64) & !(3 << PENDING_SHIFT);
        index += 1;
    }
    numbers
}

/// The number at a place of the `SplitMix64` sequence.
///
/// See: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
const fn split_mix(place: u64) -> u64 {
    let z = SEED.wrapping_add((place + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
