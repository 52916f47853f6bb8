//! Sets of slots: the free points of a block, by their numbers. All sets of a size in the order of their ranks, and
//! what each maps to in another block.

use std::array;
use std::sync::LazyLock;

use crate::board::SquareSet;
use crate::tablebase::sets::sets;

/// All sets of a size among the first slots in the order of their ranks: for each set of the higher slots
/// those of the lowest eight that complete it.
pub fn slot_sets(count: usize, size: usize) -> Vec<(u32, &'static [u8])> {
    let higher = (0..1_u32 << (count - 8)).map(|higher| higher << 8);
    let part = |higher: u32| {
        let rest = size.checked_sub(higher.count_ones() as usize)?;
        Some((higher, LOWEST.get(rest)?.as_slice()))
    };
    higher.filter_map(part).collect()
}

/// The sets of each size among eight slots.
static LOWEST: LazyLock<[Vec<u8>; 9]> =
    LazyLock::new(|| array::from_fn(|size| sets(8, size).map(|set| set as u8).collect()));

/// Maps sets of slots to sets of something else, eight slots at a time.
pub struct SlotMap([[u32; 1 << 8]; 3]);

impl SlotMap {
    /// By what each slot maps to, from the first.
    pub fn new(images: impl Iterator<Item = u32>) -> Self {
        let mut maps = [[0; 1 << 8]; 3];
        for (slot, image) in images.enumerate() {
            let map = &mut maps[slot / 8];
            let bit = 1 << (slot % 8);
            for lower in 0..bit {
                map[bit | lower] = map[lower] | image;
            }
        }
        Self(maps)
    }

    /// From sets of slots to those of the free points that they are.
    pub fn to_points(free: SquareSet) -> Self {
        Self::new(free.into_iter().map(|point| SquareSet::of(point).bits()))
    }

    #[inline]
    pub fn map_lowest(&self, slots: u8) -> u32 {
        self.0[0][usize::from(slots)]
    }

    #[inline]
    pub fn map(&self, slots: u32) -> u32 {
        let [low, middle, high, _] = slots.to_le_bytes();
        let [first, second, third] = &self.0;
        first[usize::from(low)] | second[usize::from(middle)] | third[usize::from(high)]
    }
}
