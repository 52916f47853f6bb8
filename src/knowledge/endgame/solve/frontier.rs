//! The positions decided at the last level, by the men of the side that is to move in them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::board::SquareSet;
use crate::knowledge::endgame::classes::{Class, Classes};
use crate::knowledge::endgame::ranks::{compress, rank};
use crate::knowledge::endgame::sector::Sector;

/// A set of positions of a sector, one bit each.
pub struct Frontier {
    sector: Sector,
    words_per_block: usize,
    words: Vec<AtomicU64>,
    /// Which blocks have any.
    is_used: Vec<AtomicBool>,
}

impl Frontier {
    pub fn empty(sector: Sector) -> Self {
        let blocks = Classes::of(sector.own()).len();
        let words_per_block = sector.reply().block_len().div_ceil(64);
        let mut words = Vec::new();
        words.resize_with(blocks * words_per_block, AtomicU64::default);
        let mut is_used = Vec::new();
        is_used.resize_with(blocks, AtomicBool::default);
        Self { sector, words_per_block, words, is_used }
    }

    /// Adds a position with all places that stand for it.
    #[inline]
    pub fn insert(&self, own: SquareSet, opponent: SquareSet) {
        let classes = Classes::of(self.sector.own());
        let Class { number, to_leader } = classes.find(own);
        let free = !classes.leader(number);
        let opponent = to_leader.set(opponent);
        self.is_used[number].store(true, Relaxed);
        self.set(number, compress(opponent, free));
        if !classes.is_rigid(number) {
            for symmetry in classes.stabilizer(number) {
                self.set(number, compress(symmetry.set(opponent), free));
            }
        }
    }

    #[inline]
    fn set(&self, block: usize, places: u32) {
        let rank = rank(places) as usize;
        let word = &self.words[block * self.words_per_block + rank / 64];
        word.fetch_or(1 << (rank % 64), Relaxed);
    }

    /// Whether a block has any position.
    #[inline]
    pub fn is_used(&self, block: usize) -> bool {
        self.is_used[block].load(Relaxed)
    }

    /// Takes the positions out of a block: the ranks of the men of the side not to move.
    pub fn take(&self, block: usize) -> impl Iterator<Item = usize> {
        self.is_used[block].store(false, Relaxed);
        let words = &self.words[block * self.words_per_block..][..self.words_per_block];
        words.iter().enumerate().flat_map(|(index, word)| {
            let bits = if word.load(Relaxed) == 0 { 0 } else { word.swap(0, Relaxed) };
            Bits(bits).map(move |bit| index * 64 + bit)
        })
    }
}

/// The numbers of the bits of a word.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let bit = self.0.trailing_zeros() as usize;
        (self.0 != 0).then(|| {
            self.0 &= self.0 - 1;
            bit
        })
    }
}
