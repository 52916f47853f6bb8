//! The parts of a position that its Zobrist key covers, and the key, which is updated with them.
//!
//! All changes to men, hands, turn, owed removals and extra state go through methods of [`Keyed`],
//! each of which also updates the key.
//!
//! See: Albert L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use std::mem::swap;

use super::Position;
use crate::board::{BySide, Side, Square, SquareSet, Symmetry};
use crate::rules::{Extras, Rules};

/// The lower of the two key bits that hold the number of owed removals, modulo four.
pub const PENDING_SHIFT: u32 = 62;

/// The parts of a position that its key covers.
///
/// Men and hands are stored by side to move and opponent, not by colour. A move then names the field that it changes,
/// so that the compiler can keep a temporary position in registers; indexing by side would force it into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keyed<M> {
    own_men: SquareSet,
    opponent_men: SquareSet,
    key: u64,
    own_hand: u8,
    opponent_hand: u8,
    to_move: Side,
    pending: u8,
    /// Whether the removals are owed for the last placement, before the moving phase begins.
    is_last_placement: bool,
    memory: M,
}

impl<R: Rules> Position<R> {
    /// The state of the game beyond men, hands and turn.
    pub fn extras(&self) -> &Extras {
        self.keyed.memory.as_ref().first().unwrap_or(&Extras::NONE)
    }

    /// The men of a side on the board.
    pub fn men(&self, side: Side) -> SquareSet {
        if side == self.to_move() { self.own_men() } else { self.opponent_men() }
    }

    /// The men of the side to move on the board.
    pub const fn own_men(&self) -> SquareSet {
        self.keyed.own_men
    }

    /// The men of the opponent of the side to move on the board.
    pub const fn opponent_men(&self) -> SquareSet {
        self.keyed.opponent_men
    }

    /// The men that a side has in hand.
    pub fn in_hand(&self, side: Side) -> u8 {
        if side == self.to_move() { self.own_hand() } else { self.opponent_hand() }
    }

    /// The men in hand of the side to move.
    pub const fn own_hand(&self) -> u8 {
        self.keyed.own_hand
    }

    /// The men in hand of the opponent.
    pub const fn opponent_hand(&self) -> u8 {
        self.keyed.opponent_hand
    }

    /// The side whose turn it is.
    pub const fn to_move(&self) -> Side {
        self.keyed.to_move
    }

    /// How many men the side to move has to remove before anything else.
    pub const fn pending(&self) -> u8 {
        self.keyed.pending
    }

    /// The Zobrist key of everything that affects further play, move counters excepted. The two
    /// highest bits are the number of owed removals, modulo four.
    pub const fn key(&self) -> u64 {
        self.keyed.key
    }

    /// The image of these parts under a symmetry of the board, with the key computed from scratch.
    pub(super) fn rebuilt<M: AsMut<[Extras]> + Default>(&self, symmetry: Symmetry) -> Keyed<M> {
        let men = BySide(Side::ALL.map(|side| symmetry.set(self.men(side))));
        let in_hand = BySide(Side::ALL.map(|side| self.in_hand(side)));
        let mut rebuilt = Keyed::of(men, in_hand, self.to_move());
        rebuilt.set_pending(self.pending(), self.keyed.is_last_placement);
        if *self.extras() != Extras::NONE {
            rebuilt.remember(|extras| *extras = self.extras().image(symmetry));
        }
        rebuilt
    }
}

impl<M: AsMut<[Extras]> + Default> Keyed<M> {
    /// Men on the board and in hand, with nothing owed.
    pub(super) fn of(men: BySide<SquareSet>, in_hand: BySide<u8>, to_move: Side) -> Self {
        let [white, black] = in_hand.0;
        let key = IN_HAND[0][white as usize] ^ IN_HAND[1][black as usize];
        let mut keyed = Self {
            own_men: SquareSet::EMPTY,
            opponent_men: SquareSet::EMPTY,
            key,
            own_hand: white,
            opponent_hand: black,
            to_move: Side::White,
            pending: 0,
            is_last_placement: false,
            memory: M::default(),
        };
        men[Side::White].into_iter().for_each(|square| keyed.flip_own(square));
        men[Side::Black].into_iter().for_each(|square| keyed.flip_opponent(square));
        if to_move == Side::Black {
            keyed.pass_turn();
        }
        keyed
    }

    /// Changes the extra state.
    pub(super) fn remember(&mut self, change: impl FnOnce(&mut Extras)) {
        let Some(extras) = self.memory.as_mut().first_mut() else {
            let nothing = &mut { Extras::NONE };
            change(nothing);
            return debug_assert!(*nothing == Extras::NONE, "this game has nothing to remember");
        };
        self.key ^= extras_key(extras);
        change(extras);
        self.key ^= extras_key(extras);
    }

    /// Puts a man of the side to move on a point or takes it off.
    pub(super) fn flip_own(&mut self, square: Square) {
        self.own_men ^= SquareSet::of(square);
        self.key ^= MEN[self.to_move as usize][square.index()];
    }

    /// Puts a man of the opponent on a point or takes it off.
    pub(super) fn flip_opponent(&mut self, square: Square) {
        self.opponent_men ^= SquareSet::of(square);
        self.key ^= MEN[!self.to_move as usize][square.index()];
    }

    /// Takes a man out of the hand of the side to move, which must not be empty.
    pub(super) fn take_from_own(&mut self) {
        self.key ^= TAKEN[self.to_move as usize][usize::from(self.own_hand)];
        self.own_hand -= 1;
    }

    /// Takes a man out of the hand of the opponent, which must not be empty.
    pub(super) fn take_from_opponent(&mut self) {
        self.key ^= TAKEN[!self.to_move as usize][usize::from(self.opponent_hand)];
        self.opponent_hand -= 1;
    }

    /// Gives the turn to the other side.
    pub(super) fn pass_turn(&mut self) {
        self.to_move = !self.to_move;
        swap(&mut self.own_men, &mut self.opponent_men);
        swap(&mut self.own_hand, &mut self.opponent_hand);
        self.key ^= BLACK_TO_MOVE;
    }

    /// Sets how many removals the side to move owes, at most one for each man, and whether for
    /// the last placement.
    ///
    /// The number modulo four is in the two highest bits of the key, the rest in the lowest.
    pub(super) fn set_pending(&mut self, pending: u8, is_last_placement: bool) {
        self.key ^= u64::from(self.pending ^ pending).rotate_left(PENDING_SHIFT);
        self.pending = pending;
        if self.is_last_placement != is_last_placement {
            self.key ^= LAST_PLACEMENT;
            self.is_last_placement = is_last_placement;
        }
    }
}

const MOST_MEN: usize = 12;
const SEED: u64 = 0x4D69_6C6C_7374_6F6E;

const MEN: [[u64; Square::COUNT]; 2] = [numbers(0), numbers(100)];
const IN_HAND: [[u64; MOST_MEN + 1]; 2] = [numbers(200), numbers(300)];

/// The key change when a hand of `n` men loses one, by side and `n`.
const TAKEN: [[u64; MOST_MEN + 1]; 2] = {
    let mut changes = [[0; MOST_MEN + 1]; 2];
    let mut hand = 1;
    while hand <= MOST_MEN {
        changes[0][hand] = IN_HAND[0][hand] ^ IN_HAND[0][hand - 1];
        changes[1][hand] = IN_HAND[1][hand] ^ IN_HAND[1][hand - 1];
        hand += 1;
    }
    changes
};

const BLACK_TO_MOVE: u64 = numbers::<1>(400)[0];
const LAST_PLACEMENT: u64 = numbers::<1>(600)[0];
const EXTRAS: [u64; 4] = numbers(500);

/// The contribution of extras to the key, 0 if they are empty.
fn extras_key(extras: &Extras) -> u64 {
    let parts = extras.words().into_iter().zip(EXTRAS);
    let mixed = parts.map(|(word, number)| if word == 0 { 0 } else { mix(word ^ number) });
    mixed.fold(0, |key, part| key ^ part) & !(3 << PENDING_SHIFT)
}

/// `N` successive numbers of the `SplitMix64` sequence after position `start`, with the pending bits cleared.
///
/// See: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
const fn numbers<const N: usize>(start: u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        let place = start + index as u64 + 1;
        let number = mix(SEED.wrapping_add(spread(place)));
        numbers[index] = number & !(3 << PENDING_SHIFT);
        index += 1;
    }
    numbers
}

/// Multiplies by 2^64 divided by the golden ratio, which takes neighbouring numbers far apart.
///
/// See: Donald Knuth, "The Art of Computer Programming", volume 3, section 6.4, on Fibonacci hashing.
pub(crate) const fn spread(number: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The last step of `SplitMix64`: every bit of the input affects every bit of the result.
pub(crate) const fn mix(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
