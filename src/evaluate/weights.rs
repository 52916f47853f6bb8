//! The trained weights. `millstone train` writes `weights.bin`, which is part of the program;
//! `weights.txt` is what it printed.

use bytemuck::{Pod, Zeroable};

use super::patterns::{RINGS, SECTORS};
use super::stage::{LOSSES, STAGES};

/// The number of pairs of men counts, 3 to 9 each.
pub(crate) const PAIRS: usize = 7 * 7;

/// The number of sets: one for each pair of men counts and for each stage of placing.
pub const SETS: usize = PAIRS + STAGES;

/// A sum of weights times the scale is in hundredths of a man, shifted left by so many bits.
pub(crate) const SCALE_BITS: u32 = 8;

/// The first bytes of the file; the last one is the version of the format.
pub(crate) const MAGIC: [u8; 8] = *b"millval\x01";

/// The weights of a pair of men counts or a stage of placing; integers are little-endian.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Set {
    /// The value of a unit of the weights below.
    pub scale: i16,
    /// The constants by the men lost while placing, in hundredths of a man; the first one counts
    /// when all are placed.
    pub constants: [i16; LOSSES],
    /// The inner and the outer ring.
    pub rings: [i8; RINGS],
    /// The middle ring.
    pub middle: [i8; RINGS],
    /// The groups around the spokes.
    pub spokes: [i8; SECTORS],
    /// The groups around the corners.
    pub corners: [i8; SECTORS],
}

/// The contents of the file.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Content {
    pub magic: [u8; 8],
    /// By the men of the side to move, then by those of the opponent; then the stages.
    pub sets: [Set; SETS],
}

static CONTENT: Content = bytemuck::must_cast(*include_bytes!("weights.bin"));

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

    #[test]
    fn the_weights_are_those_of_this_version() {
        assert_eq!(CONTENT.magic, MAGIC);
        assert!(sets().iter().all(|set| set.scale > 0));
    }
}
