//! A lockless hash table of 64-bit data in clusters of one cache line.
//!
//! What the data means is up to the transposition table and the perft table. A slot is two words,
//! `key ^ data` and `data`, each written on its own without ordering. When two threads write to one
//! slot at once and their words mix, the two words no longer give the key of either, so that a probe
//! does not find the slot.
//!
//! See: Robert Hyatt and Tim Mann, "A Lockless Transposition Table Implementation for Parallel
//! Search", 2002.

mod slots;

use slots::Slot;

use thiserror::Error;

use crate::system::memory::Zeroed;

const BYTES_PER_LINE: usize = 64;

const SLOTS_PER_LINE: usize = BYTES_PER_LINE / size_of::<Slot>();

/// The table: `WAYS` slots (1, 2 or 4) of one cache line may hold a key.
pub struct Clusters<const WAYS: usize = SLOTS_PER_LINE> {
    slots: Zeroed<Slot>,
}

/// There is no memory for a table of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cannot allocate a table of {mebibytes} MiB")]
pub struct SizeError {
    mebibytes: usize,
}

/// The most bytes that are cleared by writing them, which leaves them in memory for the next search.
const MOST_WRITTEN: usize = 64 << 20;

impl<const WAYS: usize> Clusters<WAYS> {
    const WAYS_FIT: () = assert!(WAYS > 0 && SLOTS_PER_LINE.is_multiple_of(WAYS));

    /// An empty table of a size in MiB, at least 1.
    pub fn new(mebibytes: usize) -> Result<Self, SizeError> {
        const { Self::WAYS_FIT };
        let error = SizeError { mebibytes };
        let bytes = mebibytes.checked_mul(1 << 20).filter(|&bytes| bytes > 0).ok_or(error)?;
        let slots = Zeroed::new(bytes / size_of::<Slot>()).ok_or(error)?;
        Ok(Self { slots })
    }

    #[inline]
    fn slots(&self) -> &[Slot] {
        self.slots.elements()
    }

    /// How many slots the table has.
    pub fn capacity(&self) -> usize {
        self.slots().len()
    }

    /// Forgets everything.
    ///
    /// A large table gets fresh memory, as to write all of it would take seconds.
    pub fn clear(&mut self) {
        if self.capacity() * size_of::<Slot>() > MOST_WRITTEN
            && let Some(fresh) = Zeroed::new(self.capacity())
        {
            self.slots = fresh;
            return;
        }
        self.slots().iter().for_each(Slot::clear);
    }

    /// The slots that may hold a key.
    ///
    /// The key's upper bits choose the cluster. Rotation brings the two highest, which hold the
    /// removals owed and are nearly always zero, out of their way.
    #[inline]
    fn cluster(&self, key: u64) -> &[Slot] {
        let slots = self.slots();
        let clusters = slots.len() / WAYS;
        let cluster = ((u128::from(key.rotate_left(2)) * clusters as u128) >> 64) as usize;
        &slots[cluster * WAYS..][..WAYS]
    }

    /// Asks the processor to fetch the slots that may hold a key, which a probe will read soon, where it can be
    /// asked.
    #[inline]
    #[allow(
        unsafe_code,
        reason = "no safe call prefetches, and probes that wait for memory take a fifth of a search"
    )]
    pub fn prefetch(&self, key: u64) {
        let cluster = self.cluster(key);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing that the program sees and faults at no address; every x86-64 has it.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(cluster.as_ptr().cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = cluster;
    }

    /// The data stored under a key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<u64> {
        slots::probe(self.cluster(key), key)
    }

    /// Stores data, which must not be zero, under a key.
    ///
    /// `data` computes it from the data that the key has so far; if it returns `None`, nothing is stored. A
    /// new key takes an empty slot, or in a full cluster the slot whose data `value` rates lowest. A
    /// cluster fills from its first slot, so no key comes after an empty slot.
    #[inline]
    pub fn store(
        &self,
        key: u64,
        data: impl Fn(Option<u64>) -> Option<u64>,
        value: impl Fn(u64) -> i32,
    ) {
        slots::store(self.cluster(key), key, data, value);
    }

    /// The data of the first slots of the table, empty ones left out, to estimate its use.
    pub fn sample(&self, count: usize) -> impl Iterator<Item = u64> {
        self.slots().iter().take(count).map(Slot::data).filter(|&data| data != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stores_and_finds<const WAYS: usize>() {
        let table = Clusters::<WAYS>::new(1).unwrap();
        assert_eq!(table.capacity(), 65_536);
        let keys = |step: u64| (1..1000).map(move |n: u64| n.wrapping_mul(step));
        for key in keys(0x9E37_79B9_7F4A_7C15) {
            assert_eq!(table.probe(key), None);
            table.store(key, |_| Some(key | 1), |_| 0);
            assert_eq!(table.probe(key), Some(key | 1));
        }
        assert!(table.sample(65_536).count() > 900);
    }

    #[test]
    fn every_associativity_finds_what_it_stored() {
        stores_and_finds::<1>();
        stores_and_finds::<2>();
        stores_and_finds::<4>();
    }

    #[test]
    fn a_full_cluster_gives_up_its_least_slot() {
        let table = Clusters::<4>::new(1).unwrap();
        (1..=5).for_each(|key| table.store(key, |_| Some(10 * key), |data| data as i32));
        let found: Vec<_> = (1..=5).map(|key| table.probe(key)).collect();
        assert_eq!(found, [None, Some(20), Some(30), Some(40), Some(50)]);
        table.store(3, |old| old.map(|old| old + 1), |_| 0);
        assert_eq!((table.probe(3), table.probe(2)), (Some(31), Some(20)));
        table.store(3, |_| None, |_| 0);
        assert_eq!(table.probe(3), Some(31), "it does not give way");
    }

    #[test]
    fn clusters_are_cache_lines_and_fill_the_memory() {
        let table = Clusters::<4>::new(2).unwrap();
        let slots = table.slots().as_ptr_range();
        assert!(slots.start.addr().is_multiple_of(BYTES_PER_LINE));
        assert_eq!(slots.end.addr() - slots.start.addr(), 2 << 20);
        for key in [0, u64::MAX] {
            table.store(key, |_| Some(7), |_| 0);
            assert_eq!(table.probe(key), Some(7));
        }
        assert_eq!(table.sample(table.capacity()).count(), 2);
    }

    #[test]
    fn clearing_forgets_and_an_impossible_size_is_refused() {
        for mebibytes in [1, MOST_WRITTEN >> 19] {
            let mut table = Clusters::<4>::new(mebibytes).unwrap();
            table.store(1, |_| Some(10), |_| 0);
            table.clear();
            assert_eq!((table.probe(1), table.sample(8).count()), (None, 0));
            table.store(1, |_| Some(11), |_| 0);
            assert_eq!(table.probe(1), Some(11));
        }
        assert!(Clusters::<4>::new(0).is_err());
        assert!(Clusters::<4>::new(usize::MAX >> 20).is_err());
    }
}
