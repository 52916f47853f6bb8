//! The ranks of sets of places, looked up.

use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_box;

use crate::tablebase::ranks::fill_ranks;

/// The ranks of sets of places, by a table of which a small part is used and stays in the cache.
pub struct PlaceRanks(Box<Halves>);

#[derive(Zeroable)]
struct Halves {
    low: [u32; 1 << LOW_BITS],
    /// By the number of places in the lower half, which needs no more than four bits.
    high: [[u32; 1 << HIGH_BITS]; 16],
}

const LOW_BITS: usize = 11;
const HIGH_BITS: usize = 10;

impl PlaceRanks {
    /// The ranks of sets of so many places.
    pub fn of(size: usize) -> Self {
        let mut halves: Box<Halves> = zeroed_box();
        fill_ranks(&mut halves.low, 0, 0, size);
        for (below, high) in halves.high.iter_mut().enumerate().take(size + 1) {
            fill_ranks(high, LOW_BITS, below, size);
        }
        Self(halves)
    }

    #[inline]
    pub fn rank(&self, places: u32) -> usize {
        let low = places as usize % (1 << LOW_BITS);
        let high = (places as usize >> LOW_BITS) % (1 << HIGH_BITS);
        let rank = self.0.low[low] + self.0.high[low.count_ones() as usize % 16][high];
        rank as usize
    }
}
