//! The evaluation with weights trained on a tablebase. `millstone train` writes `weights.bin` and
//! `weights_with_diagonals.bin`, which are built into the program, and prints `weights.txt` and
//! `weights_with_diagonals.txt`.
//!
//! Each pair of men counts and each placing stage has a set of weights, one for each class of patterns. Their sum
//! is the log-odds of the side to move: it predicts the result of the game rather than the balance of men.
//!
//! Not kept: separate sets for placing with fewer, as many and more men than the opponent. They predict better at
//! no cost (log loss with three men in hand 0.394 instead of 0.398, with five 0.357 instead of 0.366), but score -2.3
//! Elo, error 12.1, in 600 games of 30 000 nodes a move, and keep the value of as many of 2 000 positions of plies 3
//! to 8.
//!
//! Not kept: a network of eight hidden units over the same patterns, points that close a mill and slides, added to
//! the sum in the placing phase. It predicts better (log loss with three men in hand 0.344 instead of 0.359) but
//! costs 12 % of the speed: -1.7 Elo, error 12.7, in 400 games at equal time.

use bytemuck::{Pod, Zeroable};

use super::patterns::{GROUPS, Patterns, RINGS};
use super::{Term, hands};
use crate::board::Diagonals;
use crate::position::Position;
use crate::rules::Rules;
use crate::score::Score;

/// The number of combinations of lost men that are distinguished.
pub(crate) const LOSSES: usize = 16;

const LEAST_MEN: u32 = 3;
const MOST_LOST: u32 = 3;

/// A sum of weights times the scale is a value in hundredths of a man, shifted left by this many bits.
pub(crate) const SCALE_BITS: u32 = 8;

/// The first bytes of a weights file; the last one is the format version.
const MAGIC: [u8; 8] = *b"millval\x01";

/// The weights for a pair of men counts or a placing stage; integers are little-endian.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Set {
    /// The factor, in 256ths, that turns sums of the weights below into hundredths of a man.
    pub scale: i16,
    /// The constants in hundredths of a man, by the men lost while placing; the first one also
    /// when all men are placed.
    pub constants: [i16; LOSSES],
    /// The inner and the outer ring.
    pub rings: [i8; RINGS],
    /// The middle ring.
    pub middle: [i8; RINGS],
    /// The groups around the spokes.
    pub spokes: [i8; GROUPS],
    /// The groups around the corners.
    pub corners: [i8; GROUPS],
}

/// The weights for the games on a board: a set for each pair of men counts, from 3 on, and for each placing stage.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// The men of each side in the training game.
    men: u32,
    /// The sets by the men of the side to move, then of the opponent; after them the stages. Empty while the weights
    /// are not loaded.
    pub(super) sets: &'static [Set],
}

impl Weights {
    /// Returns the weights for a board; free of cost where the board is known at compile time.
    #[inline]
    pub fn of(diagonals: Diagonals) -> Self {
        match diagonals {
            Diagonals::Without => Self { men: 9, sets: &WITHOUT_DIAGONALS },
            Diagonals::With => Self { men: 12, sets: with_diagonals() },
        }
    }

    /// The number of men counts of a side, from 3 on.
    #[inline]
    const fn men_counts(self) -> usize {
        (self.men - LEAST_MEN + 1) as usize
    }

    /// Returns the number of pairs of men counts; their sets come first.
    #[inline]
    pub const fn pairs(self) -> usize {
        self.men_counts() * self.men_counts()
    }

    /// Whether a pair of men counts has a set of its own.
    pub(crate) fn has_pair(self, men: [u32; 2]) -> bool {
        men.iter().all(|men| (LEAST_MEN..=self.men).contains(men))
    }

    /// Returns the number of the set for men on the board and in hand, the side to move first; the nearest
    /// set if there is none.
    #[inline]
    pub(crate) fn number(self, on_board: [u32; 2], hands: [u8; 2]) -> usize {
        if hands == [0, 0] {
            let index = |men: u32| (men.clamp(LEAST_MEN, self.men) - LEAST_MEN) as usize;
            return index(on_board[0]) * self.men_counts() + index(on_board[1]);
        }
        // The last stage comes first. The side to move has at least one man in hand, the opponent as many or one less.
        let own = hands[0].clamp(1, self.men as u8);
        self.pairs() + 2 * usize::from(own - 1) + usize::from(hands[1] >= own)
    }

    /// Returns the contents of a weights file, with some sets replaced by others.
    pub(crate) fn file_with(self, others: impl IntoIterator<Item = (usize, Set)>) -> Vec<u8> {
        let mut sets = self.sets.to_vec();
        for (number, set) in others {
            sets[number] = set;
        }
        [&MAGIC, bytemuck::cast_slice(&sets)].concat()
    }

    /// Returns the checksum of the weights file.
    pub(super) fn checksum(self) -> u32 {
        crc32fast::hash(&self.file_with([]))
    }
}

/// Returns the number of the combination of men that the side to move and the opponent have lost while placing, in a
/// game of `men` men a side; 0 when all men are placed.
#[inline]
pub(crate) fn losses(men: u8, on_board: [u32; 2], hands: [u8; 2]) -> usize {
    if hands == [0, 0] {
        return 0;
    }
    let lost = |side: usize| {
        u32::from(men).saturating_sub(on_board[side] + u32::from(hands[side])).min(MOST_LOST)
            as usize
    };
    (MOST_LOST as usize + 1) * lost(0) + lost(1)
}

static WITHOUT_DIAGONALS: [Set; sets(9)] = read::<{ bytes(9) }, _>(include_bytes!("weights.bin"));

/// Returns the sets for the board with diagonals, which are built into the program.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[inline]
fn with_diagonals() -> &'static [Set] {
    static SETS: [Set; sets(12)] =
        read::<{ bytes(12) }, _>(include_bytes!("weights_with_diagonals.bin"));
    &SETS
}

/// The sets for the board with diagonals, which a page fetches when a game needs them.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
static BROUGHT: std::sync::OnceLock<Vec<Set>> = std::sync::OnceLock::new();

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn with_diagonals() -> &'static [Set] {
    BROUGHT.get().map_or(&[], Vec::as_slice)
}

/// Loads the weights for the board with diagonals; until then its games are evaluated by hand-set weights.
/// Returns whether they are accepted: they must be of this version, and the first ones loaded.
///
/// * `file`: the contents of `weights_with_diagonals.bin`.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub fn bring_weights_with_diagonals(file: &[u8]) -> bool {
    let sets = file.strip_prefix(&MAGIC).filter(|sets| sets.len() == bytes(12));
    sets.is_some_and(|sets| BROUGHT.set(bytemuck::pod_collect_to_vec(sets)).is_ok())
}

/// The number of sets for a game of `men` men a side: pairs from 3 on, and two stages for each man.
const fn sets(men: usize) -> usize {
    (men - LEAST_MEN as usize + 1).pow(2) + 2 * men
}

/// The size in bytes of all sets for a game of `men` men a side.
const fn bytes(men: usize) -> usize {
    sets(men) * size_of::<Set>()
}

/// Reads the sets of a weights file.
const fn read<const BYTES: usize, const SETS: usize>(file: &[u8]) -> [Set; SETS] {
    assert!(file.len() == MAGIC.len() + BYTES, "a file of weights has another size");
    bytemuck::must_cast(*file.last_chunk::<BYTES>().expect("it is as long"))
}

/// The kinds of patterns.
const KINDS: [&str; 4] = ["outer and inner ring", "middle ring", "around spokes", "around corners"];

/// Estimates a position for the side to move.
#[inline]
pub fn evaluate<R: Rules>(weights: Weights, position: &Position<R>) -> Score {
    let (constant, scale, sums) = sums(weights, position);
    Score::estimate(constant + ((sums.into_iter().sum::<i32>() * scale) >> SCALE_BITS))
}

/// The terms of the estimate.
pub fn terms<R: Rules>(weights: Weights, position: &Position<R>) -> Vec<Term> {
    let (constant, scale, sums) = sums(weights, position);
    let scaled = |sum: i32| f64::from(sum * scale) / f64::from(1 << SCALE_BITS);
    let mut terms = vec![Term { name: "men and turn", value: constant.into() }];
    terms.extend(KINDS.into_iter().zip(sums.map(scaled)).map(|(name, value)| Term { name, value }));
    terms
}

/// Returns the constant, the scale, and the sum of the weights of each kind of pattern.
#[inline]
fn sums<R: Rules>(weights: Weights, position: &Position<R>) -> (i32, i32, [i32; KINDS.len()]) {
    let (own, opponent) = (position.own_men(), position.opponent_men());
    let (on_board, hands) = ([own.len(), opponent.len()], hands(position));
    let set = &weights.sets[weights.number(on_board, hands)];
    let patterns = Patterns::of(own, opponent);
    let weight = |weights: &[i8], class: u16| i32::from(weights[usize::from(class)]);
    let [inner, middle, outer] = patterns.rings;
    let sums = [
        weight(&set.rings, inner) + weight(&set.rings, outer),
        weight(&set.middle, middle),
        patterns.spokes.iter().map(|&class| weight(&set.spokes, class)).sum(),
        patterns.corners.iter().map(|&class| weight(&set.corners, class)).sum(),
    ];
    let constant = set.constants[losses(position.rules().men, on_board, hands)];
    (i16::from_le(constant).into(), i16::from_le(set.scale).into(), sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARDS: [Diagonals; 2] = [Diagonals::Without, Diagonals::With];

    #[test]
    fn the_weights_are_those_of_this_version() {
        for file in
            [&include_bytes!("weights.bin")[..], include_bytes!("weights_with_diagonals.bin")]
        {
            assert!(file.starts_with(&MAGIC));
        }
    }

    #[test]
    fn every_set_has_a_number() {
        for weights in BOARDS.map(Weights::of) {
            let men = weights.men as u8;
            let pairs = (3..=men).flat_map(|own| (3..=men).map(move |opponent| [own, opponent]));
            let pairs = pairs.map(|men| weights.number(men.map(u32::from), [0, 0]));
            let stages = (1..=men).flat_map(|own| [[own, own - 1], [own, own]]);
            let stages = stages.map(|hands| weights.number([9, 9], hands));
            assert!(pairs.chain(stages).eq(0..weights.sets.len()));
        }
    }

    #[test]
    fn all_sets_are_trained_but_those_of_which_nothing_is_to_be_learned() {
        // All positions of the first three plies of Nine Men's Morris are drawn.
        let weights = Weights::of(Diagonals::Without);
        let without = [[9, 9], [9, 8], [8, 8]].map(|hands| weights.number([0, 0], hands));
        for (number, set) in weights.sets.iter().enumerate() {
            assert!(set.scale > 0 || without.contains(&number), "{number}");
        }
        // A full board is a draw.
        let weights = Weights::of(Diagonals::With);
        let full = weights.number([12, 12], [0, 0]);
        for (number, set) in weights.sets.iter().enumerate() {
            assert!(set.scale > 0 || number == full, "{number}");
        }
    }

    #[test]
    fn men_are_lost_from_those_of_the_game() {
        for men in [9, 10, 12] {
            let of = |lost: [u8; 2]| losses(men, [4, 5], [men - 4 - lost[0], men - 5 - lost[1]]);
            assert_eq!(of([0, 0]), 0);
            assert_eq!(of([0, 1]), 1);
            assert_eq!(of([1, 0]), 4);
            assert_eq!(of([2, 3]), 11);
            assert_eq!(of([4, 3]), 15);
        }
        assert_eq!(losses(9, [4, 5], [0, 0]), 0);
    }
}
