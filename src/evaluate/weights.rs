//! The learned weights: data of the program, written by `millstone train`; `weights.txt` keeps what
//! that said.

use bytemuck::{Pod, Zeroable};

use super::patterns::{RINGS, SECTORS};
use super::stage::{LOSSES, STAGES};

/// How many pairs of men counts there are, 3 to 9 each.
pub(crate) const PAIRS: usize = 7 * 7;

/// How many sets there are: one for each pair of men counts and for each stage of placing.
pub const SETS: usize = PAIRS + STAGES;

/// The bits by which a sum of weights times the scale is greater than hundredths of a man.
pub(crate) const SCALE_BITS: u32 = 8;

/// What the file begins with; the last byte is its version.
pub(crate) const MAGIC: [u8; 8] = *b"millval\x01";

/// The weights of a pair of men counts or a stage of placing; numbers of two bytes have the lower one first.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Set {
    /// What a unit of the weights below is worth.
    pub scale: i16,
    /// By the men lost while placing, in hundredths of a man; the first one where all are placed.
    pub constants: [i16; LOSSES],
    /// The inner and the outer ring.
    pub rings: [i8; RINGS],
    /// The middle ring.
    pub middle: [i8; RINGS],
    /// What surrounds the spokes.
    pub spokes: [i8; SECTORS],
    /// What surrounds the corners.
    pub corners: [i8; SECTORS],
}

/// What the file holds.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Content {
    pub magic: [u8; 8],
    /// By the men of the side to move, then by those of the opponent; after them the stages.
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
