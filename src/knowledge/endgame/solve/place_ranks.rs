//! The ranks of sets of places, looked up.

use bytemuck::Zeroable;
use bytemuck::allocation::zeroed_box;

use crate::knowledge::endgame::ranks::rank_of_rest;

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
        let rank = |set: usize, below: usize| rank_of_rest(set as u32, below, size);
        let mut halves: Box<Halves> = zeroed_box();
        (0..).zip(&mut halves.low).for_each(|(set, entry)| *entry = rank(set, 0));
        for (below, high) in halves.high.iter_mut().enumerate().take(size + 1) {
            (0..).zip(high).for_each(|(set, entry)| *entry = rank(set << LOW_BITS, below));
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
