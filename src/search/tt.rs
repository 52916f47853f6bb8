//! The transposition table: results of searches by the keys of their positions.
//!
//! An entry is 64 bits beside its key:
//!
//! ```text
//! 63     49 48 47        32 31    24 23   18 17 16 15                 0
//! |  spare |l |   score    | depth  | gener- | bd |        move        |
//! ```
//!
//! A lasting entry (`l`) is a position learned from earlier games. It does not age, and is replaced
//! only by a search at least as deep of the same position, or where a cluster holds nothing else.
//! The spare bits have room for the estimate of the position, should a search use it.
//!
//! The memory, safe under threads, is that of [`clusters`](crate::clusters).

use crate::clusters::{Clusters, SizeError};
use crate::position::Move;
pub use crate::score::Bound;
use crate::score::Score;

/// The result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, if one stood out.
    pub best: Option<Move>,
    /// The score, with mates counted from the position.
    pub score: Score,
    /// The depth of the search below the position, 0 to 255.
    pub depth: u8,
    /// How the score relates to the value.
    pub bound: Bound,
}

/// The table, shared by the threads of a search.
pub struct TranspositionTable<const WAYS: usize = 4> {
    clusters: Clusters<WAYS>,
    generation: u8,
}

const GENERATIONS: u8 = 1 << 6;
const SAMPLE: usize = 4000;
const LASTING: u64 = 1 << 48;

impl<const WAYS: usize> TranspositionTable<WAYS> {
    /// An empty table of a size in MiB, at least 1.
    ///
    /// # Errors
    ///
    /// When the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<Self, SizeError> {
        Ok(Self { clusters: Clusters::new(mebibytes)?, generation: 0 })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.clusters.clear();
        self.generation = 0;
    }

    /// Starts a generation: the entries of those before are still found, but are replaced first.
    pub fn start_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// The entry of the position with a key.
    ///
    /// An entry that is found belongs to the current generation from then on.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let data = self.clusters.probe(key)?;
        if generation_of(data) != self.generation {
            let renewed = with_generation(data, self.generation);
            self.clusters.store(key, renewed, |_| true, |_| 0);
        }
        decode(data)
    }

    /// Stores an entry; in a full cluster it replaces the oldest, and of these the shallowest one,
    /// which [`Clusters::store`] picks.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        self.store_data(key, encode(entry));
    }

    /// Stores an entry that does not age.
    pub fn store_lasting(&self, key: u64, entry: Entry) {
        self.store_data(key, encode(entry) | LASTING);
    }

    #[inline]
    fn store_data(&self, key: u64, data: u64) {
        let new_is_lasting = data & LASTING != 0;
        let may_replace = |old: u64| {
            let old_is_lasting = old & LASTING != 0;
            new_is_lasting || !old_is_lasting || depth_of(old) <= depth_of(data)
        };
        let value = |old: u64| {
            let old_is_lasting = old & LASTING != 0;
            let age = (self.generation + GENERATIONS - generation_of(old)) % GENERATIONS;
            let age = if old_is_lasting { -1 } else { i32::from(age) };
            // A generation outweighs every depth.
            i32::from(depth_of(old)) - 256 * age
        };
        self.clusters.store(key, with_generation(data, self.generation), may_replace, value);
    }

    /// How many entries the table has room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.clusters.capacity()
    }

    /// How many thousandths of the table the current generation fills, by a sample.
    #[must_use]
    pub fn permille_used(&self) -> u32 {
        let count = SAMPLE.min(self.clusters.capacity());
        let current = |data: &u64| generation_of(*data) == self.generation;
        (self.clusters.sample(count).filter(current).count() * 1000 / count) as u32
    }
}

fn encode(entry: Entry) -> u64 {
    u64::from(entry.best.map_or(0, Move::bits))
        | (entry.bound as u64) << 16
        | u64::from(entry.depth) << 24
        | u64::from(entry.score.bits()) << 32
}

fn decode(data: u64) -> Option<Entry> {
    let bound = match data >> 16 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        best: Move::from_bits(data as u16),
        score: Score::from_bits((data >> 32) as u16),
        depth: depth_of(data),
        bound,
    })
}

const fn depth_of(data: u64) -> u8 {
    (data >> 24) as u8
}

const fn generation_of(data: u64) -> u8 {
    (data >> 18) as u8 % GENERATIONS
}

const fn with_generation(data: u64, generation: u8) -> u64 {
    data & !(0x3F << 18) | (generation as u64) << 18
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entry(depth: u8) -> Entry {
        Entry { best: None, score: Score::estimate(-5), depth, bound: Bound::Upper }
    }

    proptest! {
        #[test]
        fn entries_are_found_as_they_were_stored(
            key: u64, score: i16, depth: u8, from in 0_usize..24, bound in 0_usize..3,
        ) {
            let from = crate::board::Square::ALL[from];
            let entry = Entry {
                best: Some(Move::slide(from, crate::board::Square::D6)),
                score: Score::from_bits(score.cast_unsigned()),
                depth,
                bound: [Bound::Lower, Bound::Upper, Bound::Exact][bound],
            };
            let mut table = TranspositionTable::<4>::new(1).unwrap();
            (0..70).for_each(|_| table.start_generation());
            table.store(key, entry);
            prop_assert_eq!(table.probe(key), Some(entry));
        }
    }

    #[test]
    fn older_entries_are_replaced_before_shallower_ones() {
        let mut table = TranspositionTable::<4>::new(1).unwrap();
        (1..=4).for_each(|key| table.store(key, entry(90 + key as u8)));
        table.start_generation();
        assert_eq!(table.probe(1), Some(entry(91)), "renewed by being found");
        table.store(5, entry(1));
        table.store(6, entry(2));
        assert_eq!((table.probe(2), table.probe(3)), (None, None));
        assert_eq!(table.probe(4), Some(entry(94)));
        table.store(7, entry(3));
        let kept = [1, 4, 5, 6, 7].map(|key| table.probe(key).is_some());
        assert_eq!(kept, [true, true, false, true, true]);
    }

    #[test]
    fn lasting_entries_outlive_others_and_are_replaced_by_deeper_ones() {
        let mut table = TranspositionTable::<4>::new(1).unwrap();
        table.store_lasting(1, entry(9));
        for key in 2..100 {
            table.start_generation();
            table.store(key, entry(200));
        }
        assert_eq!(table.probe(1), Some(entry(9)));
        table.store(1, entry(8));
        assert_eq!(table.probe(1), Some(entry(9)), "a shallower search changes nothing");
        table.store(1, entry(10));
        assert_eq!(table.probe(1), Some(entry(10)));
        (1..=5).for_each(|key| table.store_lasting(1000 + key, entry(100)));
        table.store(1, entry(1));
        assert_eq!(table.probe(1), Some(entry(1)), "a table of lasting entries can be used");
    }

    #[test]
    fn use_counts_the_current_generation_only() {
        let mut table = TranspositionTable::<4>::new(1).unwrap();
        assert_eq!(table.permille_used(), 0);
        for key in 0..1 << 17 {
            table.store(u64::from(key as u32).wrapping_mul(0x9E37_79B9_7F4A_7C15), entry(1));
        }
        assert!(table.permille_used() > 700);
        table.start_generation();
        assert_eq!(table.permille_used(), 0);
    }
}
