//! The positions decided at the last level, by the men of the side that is to move in them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;
use bytemuck::allocation::zeroed_vec;

use super::bits::Bits;
use super::place_ranks::PlaceRanks;
use crate::board::{SquareSet, Symmetry};
use crate::tablebase::classes::{Class, Classes};
use crate::tablebase::ranks::compress;
use crate::tablebase::sector::Sector;

/// A set of positions of a sector, one bit each.
pub struct Frontier {
    classes: &'static Classes,
    ranks: PlaceRanks,
    words_per_block: usize,
    words: Vec<AtomicU64>,
    /// Which blocks have any.
    is_used: Vec<AtomicBool>,
}

/// How many positions are added together, so that the memory fetches their words together.
pub const BATCH: usize = 192;

impl Frontier {
    pub fn empty(sector: Sector) -> Self {
        let classes = Classes::of(sector.own());
        let words_per_block = words_per_block(sector);
        Self {
            classes,
            ranks: PlaceRanks::of(sector.opponent()),
            words_per_block,
            words: zeroed_vec(classes.len() * words_per_block),
            is_used: zeroed_vec(classes.len()),
        }
    }

    /// How many bytes a frontier of a sector takes.
    pub fn memory(sector: Sector) -> u64 {
        let words = words_per_block(sector) * size_of::<AtomicU64>();
        (Classes::of(sector.own()).len() * (words + size_of::<AtomicBool>())) as u64
    }

    /// Adds at most [`BATCH`] positions, with all places that stand for each, by the images of the
    /// opponent's men.
    #[inline]
    pub fn insert(
        &self,
        own: impl Iterator<Item = SquareSet>,
        opponent: &[SquareSet; Symmetry::COUNT],
    ) {
        let classes: ArrayVec<Class, BATCH> = own.map(|own| self.classes.find(own)).collect();
        let mut bits = ArrayVec::new();
        classes.into_iter().for_each(|class| self.collect_bits(class, opponent, &mut bits));
        let mut fresh = [0; 2 * BATCH];
        let mut count = 0;
        for bit in bits {
            fresh[count] = bit;
            count += usize::from(!self.contains(bit));
        }
        fresh[..count].iter().for_each(|bit| self.set(*bit));
    }

    /// Collects the bits of a position, one for each place that stands for it, and marks the block.
    #[inline]
    fn collect_bits(
        &self,
        Class { number, to_leader, is_rigid }: Class,
        opponent: &[SquareSet; Symmetry::COUNT],
        bits: &mut ArrayVec<usize, { 2 * BATCH }>,
    ) {
        let opponent = opponent[to_leader.number()];
        if !self.is_used(number) {
            self.is_used[number].store(true, Relaxed);
        }
        bits.push(self.bit(number, opponent));
        if is_rigid {
            return;
        }
        for symmetry in self.classes.stabilizer(number).skip(1) {
            let bit = self.bit(number, symmetry.set(opponent));
            // There is always room for a bit of each position still to come.
            if bits.remaining_capacity() > BATCH {
                bits.push(bit);
            } else {
                self.set(bit);
            }
        }
    }

    #[inline]
    fn bit(&self, block: usize, opponent: SquareSet) -> usize {
        let places = compress(opponent, !self.classes.leader(block));
        block * self.words_per_block * 64 + self.ranks.rank(places)
    }

    #[inline]
    fn contains(&self, bit: usize) -> bool {
        self.words[bit / 64].load(Relaxed) >> (bit % 64) & 1 == 1
    }

    #[inline]
    fn set(&self, bit: usize) {
        self.words[bit / 64].fetch_or(1 << (bit % 64), Relaxed);
    }

    /// Whether a block has any position.
    #[inline]
    pub fn is_used(&self, block: usize) -> bool {
        self.is_used[block].load(Relaxed)
    }

    /// Takes the positions out of a block: the ranks of the men of the side not to move.
    ///
    /// They are gone as they are read, so all have to be; nobody else may use the block meanwhile.
    pub fn take(&self, block: usize) -> impl Iterator<Item = usize> {
        self.is_used[block].store(false, Relaxed);
        let words = &self.words[block * self.words_per_block..][..self.words_per_block];
        words.iter().enumerate().flat_map(|(index, word)| {
            let bits = word.load(Relaxed);
            if bits != 0 {
                word.store(0, Relaxed);
            }
            Bits(bits).map(move |bit| index * 64 + bit)
        })
    }
}

fn words_per_block(sector: Sector) -> usize {
    sector.reply().block_len().div_ceil(64)
}
