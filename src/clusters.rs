//! A lockless hash table of 64-bit data in clusters of one cache line.
//!
//! The transposition table and the perft table give the data its meaning. A slot is two words,
//! `key ^ data` and `data`, each written separately and without ordering. If two threads write to one
//! slot at once and their words mix, the words match neither key, so a probe does not find the slot.
//!
//! See: Robert Hyatt and Tim Mann, "A Lockless Transposition Table Implementation for Parallel
//! Search", 2002.

mod slots;

use slots::Slot;

use thiserror::Error;

use crate::system::memory::Zeroed;

const BYTES_PER_LINE: usize = 64;

const SLOTS_PER_LINE: usize = BYTES_PER_LINE / size_of::<Slot>();

/// A hash table in which `WAYS` slots (1, 2 or 4) of one cache line may hold a key.
pub struct Clusters<const WAYS: usize = SLOTS_PER_LINE> {
    slots: Zeroed<Slot>,
}

/// The memory for a table cannot be allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("cannot allocate a table of {mebibytes} MiB")]
pub struct SizeError {
    mebibytes: usize,
}

/// The largest table, in bytes, that is always cleared by overwriting it, which keeps its pages for the next search.
const MOST_WRITTEN: usize = 64 << 20;

/// The largest table, in bytes, whose memory is provided in advance and then kept; a larger one may never be full.
const MOST_POPULATED: usize = 256 << 20;

impl<const WAYS: usize> Clusters<WAYS> {
    /// Creates an empty table of a size in MiB, at least 1.
    pub fn new(mebibytes: usize) -> Result<Self, SizeError> {
        const { assert!(WAYS > 0 && SLOTS_PER_LINE.is_multiple_of(WAYS)) };
        let error = SizeError { mebibytes };
        let bytes = mebibytes.checked_mul(1 << 20).filter(|&bytes| bytes > 0).ok_or(error)?;
        let slots = Zeroed::new(bytes / size_of::<Slot>()).ok_or(error)?;
        Ok(Self { slots })
    }

    fn slots(&self) -> &[Slot] {
        self.slots.elements()
    }

    /// Returns the number of slots.
    pub fn capacity(&self) -> usize {
        self.slots().len()
    }

    /// Empties the table.
    ///
    /// A large table gets fresh memory, since overwriting it would take seconds.
    pub fn clear(&mut self) {
        let is_large = self.capacity() * size_of::<Slot>() > MOST_WRITTEN;
        if is_large
            && !self.slots.is_populated()
            && let Some(fresh) = Zeroed::new(self.capacity())
        {
            self.slots = fresh;
            return;
        }
        let (lines, _) = self.slots().as_chunks::<SLOTS_PER_LINE>();
        for line in lines {
            line.iter().for_each(Slot::clear);
        }
    }

    /// Provides the memory of a table that is not too large before it is used: a search would wait for it page by
    /// page, tens of milliseconds or more in all.
    pub fn populate(&self) {
        if self.capacity() * size_of::<Slot>() <= MOST_POPULATED {
            self.slots.populate();
        }
    }

    /// Returns the slots that may hold a key.
    ///
    /// The key's upper bits choose the cluster. The two highest hold the removals owed and are nearly
    /// always zero, so rotation moves them to the end.
    fn cluster(&self, key: u64) -> &[Slot] {
        let slots = self.slots();
        let clusters = slots.len() / WAYS;
        let cluster = ((u128::from(key.rotate_left(2)) * clusters as u128) >> 64) as usize;
        &slots[cluster * WAYS..][..WAYS]
    }

    /// Prefetches the slots that may hold a key, for a probe soon after. Only x86-64 has an effect.
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

    /// Returns the data stored under a key.
    pub fn probe(&self, key: u64) -> Option<u64> {
        slots::probe(self.cluster(key), key)
    }

    /// Stores data, which must not be zero, under a key.
    ///
    /// `data` computes it from the current data of the key; if it returns `None`, nothing is stored. A
    /// new key takes an empty slot, or in a full cluster the slot whose data `value` rates lowest. A
    /// cluster fills from its first slot, so no key comes after an empty slot.
    pub fn store(
        &self,
        key: u64,
        data: impl Fn(Option<u64>) -> Option<u64>,
        value: impl Fn(u64) -> i32,
    ) {
        slots::store(self.cluster(key), key, data, value);
    }

    /// Returns the data of the occupied slots among the first `count`, to estimate how full the table is.
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
