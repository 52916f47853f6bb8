//! The trained weights. `millstone train` writes `weights.bin`, which is part of the program;
//! `weights.txt` is what it printed.

use bytemuck::{Pod, Zeroable};

use super::patterns::{GROUPS, RINGS};

/// The number of stages of placing: the side to move has 1 to 9 men in hand, and the opponent as
/// many or one less.
pub(crate) const STAGES: usize = 18;

/// The number of combinations of lost men that are distinguished.
pub(crate) const LOSSES: usize = 16;

const LEAST_MEN: u32 = 3;
const MEN: u32 = 9;
const MEN_COUNTS: usize = (MEN - LEAST_MEN + 1) as usize;
const MOST_LOST: u32 = 3;

/// The number of pairs of men counts, 3 to 9 each.
pub const PAIRS: usize = MEN_COUNTS * MEN_COUNTS;

/// The number of sets: one for each pair of men counts and for each stage of placing.
pub const SETS: usize = PAIRS + STAGES;

/// A sum of weights times the scale is in hundredths of a man, shifted left by so many bits.
pub(crate) const SCALE_BITS: u32 = 8;

/// The weights of a pair of men counts or a stage of placing; integers are little-endian.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Set {
    /// The factor, in 256ths, that turns sums of the weights below into hundredths of a man.
    pub scale: i16,
    /// The constants by the men lost while placing, in hundredths of a man; the first one counts
    /// when all are placed.
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

/// The contents of the file.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Content {
    /// A name, and the version of the format.
    pub magic: [u8; 8],
    /// By the men of the side to move, then by those of the opponent; then the stages.
    pub sets: [Set; SETS],
}

/// The number of the set of a pair of men counts; numbers beyond 3 to 9 give the nearest one.
#[inline]
pub(crate) fn pair(men: [u32; 2]) -> usize {
    let [own, opponent] = men.map(|men| (men.clamp(LEAST_MEN, MEN) - LEAST_MEN) as usize);
    own * MEN_COUNTS + opponent
}

/// The number of the stage with so many men in the hands of the side to move and of the opponent,
/// the last stage first; numbers that cannot occur in a game give the nearest stage.
#[inline]
pub(crate) fn stage([own, opponent]: [u8; 2]) -> usize {
    let own = own.clamp(1, MEN as u8);
    2 * usize::from(own - 1) + usize::from(opponent >= own)
}

/// The number of the combination of men lost by the side to move and by the opponent.
#[inline]
pub(crate) fn losses(on_board: [u32; 2], hands: [u8; 2]) -> usize {
    let lost = |side: usize| {
        MEN.saturating_sub(on_board[side] + u32::from(hands[side])).min(MOST_LOST) as usize
    };
    (MOST_LOST as usize + 1) * lost(0) + lost(1)
}

static CONTENT: Content = bytemuck::must_cast(*include_bytes!("weights.bin"));

/// All weights of the program.
pub(crate) fn content() -> &'static Content {
    &CONTENT
}

/// A checksum of the weights.
pub(super) fn checksum() -> u32 {
    crc32fast::hash(bytemuck::bytes_of(&CONTENT))
}

/// The sets of the program.
#[inline]
pub(crate) fn sets() -> &'static [Set; SETS] {
    &CONTENT.sets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first bytes of the file; the last one is the version of the format.
    const MAGIC: [u8; 8] = *b"millval\x01";

    #[test]
    fn the_weights_are_those_of_this_version() {
        assert_eq!(CONTENT.magic, MAGIC);
        // All positions of the first three plies are drawn: nothing is to be learned of them.
        let without = [[9, 9], [9, 8], [8, 8]].map(|hands| PAIRS + stage(hands));
        for (index, set) in sets().iter().enumerate() {
            assert!(set.scale > 0 || without.contains(&index), "{index}");
        }
    }
}
