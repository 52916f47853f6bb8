//! The frontier of retrograde analysis: the positions decided at the last level.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;

use super::block::bits;
use crate::board::{SquareSet, Symmetry};
use crate::system::memory::zeros;
use crate::tablebase::sector::Sector;
use crate::tablebase::sets::{Orbit, Orbits, compress, rank};

/// A set of positions of a sector, one bit each, grouped into blocks by the men of the side to move.
pub struct Frontier {
    orbits: &'static Orbits,
    words_per_block: usize,
    words: Vec<AtomicU64>,
    /// Whether each block has any position.
    is_used: Vec<AtomicBool>,
}

/// The number of positions inserted at a time, so that cache misses overlap.
pub const BATCH: usize = 192;

impl Frontier {
    pub fn empty(sector: Sector) -> Self {
        let orbits = Orbits::of(sector.own());
        let words_per_block = words_per_block(sector);
        Self {
            orbits,
            words_per_block,
            words: zeros(orbits.len() * words_per_block),
            is_used: zeros(orbits.len()),
        }
    }

    /// The memory of a frontier in bytes.
    pub fn memory(sector: Sector) -> u64 {
        let words = words_per_block(sector) * size_of::<AtomicU64>();
        (Orbits::of(sector.own()).len() * (words + size_of::<AtomicBool>())) as u64
    }

    /// Inserts at most [`BATCH`] positions with the same men of the opponent, each at all its indices. `opponent` holds
    /// the images of the opponent's men.
    pub fn insert(
        &self,
        own: impl Iterator<Item = SquareSet>,
        opponent: &[SquareSet; Symmetry::COUNT],
    ) {
        let orbits: ArrayVec<Orbit, BATCH> = own.map(|own| self.orbits.find(own)).collect();
        let mut bits = ArrayVec::<usize, { 2 * BATCH }>::new();
        for Orbit { number, to_representative, is_rigid } in orbits {
            let opponent = opponent[to_representative.number()];
            if !self.is_used(number) {
                self.is_used[number].store(true, Relaxed);
            }
            bits.push(self.bit(number, opponent));
            if is_rigid {
                continue;
            }
            for symmetry in self.orbits.stabilizer(number).skip(1) {
                let bit = self.bit(number, symmetry.set(opponent));
                // Leaves room for one bit of each remaining position.
                if bits.remaining_capacity() > BATCH {
                    bits.push(bit);
                } else {
                    self.set(bit);
                }
            }
        }
        let mut fresh = [0; 2 * BATCH];
        let mut count = 0;
        for bit in bits {
            fresh[count] = bit;
            count += usize::from(self.words[bit / 64].load(Relaxed) >> (bit % 64) & 1 == 0);
        }
        fresh[..count].iter().for_each(|bit| self.set(*bit));
    }

    fn bit(&self, block: usize, opponent: SquareSet) -> usize {
        let slots = compress(opponent, !self.orbits.representative(block));
        block * self.words_per_block * 64 + rank(slots)
    }

    fn set(&self, bit: usize) {
        self.words[bit / 64].fetch_or(1 << (bit % 64), Relaxed);
    }

    /// Whether a block has any position.
    pub fn is_used(&self, block: usize) -> bool {
        self.is_used[block].load(Relaxed)
    }

    /// Removes the positions of a block and returns the ranks of the men of the side that is not to move.
    ///
    /// Positions are removed as they are read, so the iterator must be exhausted. No other thread may use the block
    /// meanwhile.
    pub fn take(&self, block: usize) -> impl Iterator<Item = usize> {
        self.is_used[block].store(false, Relaxed);
        let words = &self.words[block * self.words_per_block..][..self.words_per_block];
        words.iter().enumerate().flat_map(|(index, word)| {
            let set = word.load(Relaxed);
            if set != 0 {
                word.store(0, Relaxed);
            }
            bits(set).map(move |bit| index * 64 + bit)
        })
    }
}

fn words_per_block(sector: Sector) -> usize {
    sector.reply().block_len().div_ceil(64)
}
