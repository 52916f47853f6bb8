//! The slots of one cluster, read and written by several threads at once.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

/// A word of memory that threads share without ordering; `tests/model` replaces it with a model.
pub trait Word {
    /// Reads the word.
    fn load(&self) -> u64;
    /// Writes the word.
    fn store(&self, word: u64);
}

impl Word for AtomicU64 {
    fn load(&self) -> u64 {
        self.load(Relaxed)
    }

    fn store(&self, word: u64) {
        self.store(word, Relaxed);
    }
}

/// Data and the key that it belongs to; zeroed memory is an empty slot.
#[derive(Default, Zeroable)]
#[repr(C)]
pub struct Slot<W = AtomicU64> {
    /// `key ^ data`.
    check: W,
    data: W,
}

impl<W: Word> Slot<W> {
    /// Returns the data, zero in an empty slot.
    pub fn data(&self) -> u64 {
        self.data.load()
    }

    /// Empties the slot.
    pub fn clear(&self) {
        self.check.store(0);
        self.data.store(0);
    }

    fn load(&self) -> (u64, u64) {
        (self.check.load(), self.data.load())
    }
}

/// Returns the data stored under a key.
pub fn probe<W: Word>(slots: &[Slot<W>], key: u64) -> Option<u64> {
    let mut slots = slots.iter().map(Slot::load);
    slots.find(|(check, data)| check ^ data == key && *data != 0).map(|(_, data)| data)
}

/// Stores under a key what `data` computes from its current data, unless that is `None`.
///
/// A new key takes an empty slot, or in a full cluster the slot whose data `value` rates lowest.
pub fn store<W: Word>(
    slots: &[Slot<W>],
    key: u64,
    data: impl Fn(Option<u64>) -> Option<u64>,
    value: impl Fn(u64) -> i32,
) {
    let (mut victim, mut lowest) = (&slots[0], i32::MAX);
    let mut same = None;
    for slot in slots {
        let (check, old) = slot.load();
        let is_same = check ^ old == key;
        if old == 0 || is_same {
            victim = slot;
            same = Some(old).filter(|&old| old != 0);
            break;
        }
        if value(old) < lowest {
            (victim, lowest) = (slot, value(old));
        }
    }
    let Some(data) = data(same) else { return };
    debug_assert_ne!(data, 0, "zero marks an empty slot");
    victim.check.store(key ^ data);
    victim.data.store(data);
}
