//! The slots of one cluster, read and written by several threads at once.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

/// A word of memory that threads share without ordering; the tests put a model in its place.
pub trait Word {
    /// Reads it.
    fn load(&self) -> u64;
    /// Writes it.
    fn store(&self, word: u64);
}

impl Word for AtomicU64 {
    #[inline]
    fn load(&self) -> u64 {
        self.load(Relaxed)
    }

    #[inline]
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
    /// The data, zero in an empty slot.
    pub fn data(&self) -> u64 {
        self.data.load()
    }

    /// Forgets the data.
    pub fn clear(&self) {
        self.check.store(0);
        self.data.store(0);
    }

    #[inline]
    fn load(&self) -> (u64, u64) {
        (self.check.load(), self.data.load())
    }
}

/// The data stored under a key.
#[inline]
pub fn probe<W: Word>(slots: &[Slot<W>], key: u64) -> Option<u64> {
    let mut slots = slots.iter().map(Slot::load);
    slots.find(|(check, data)| check ^ data == key && *data != 0).map(|(_, data)| data)
}

/// Stores under a key what `data` makes of the data that it has so far, unless that is nothing.
///
/// A new key takes an empty slot, or in a full cluster the slot whose data `value` rates lowest.
#[inline]
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

#[cfg(test)]
mod tests {
    use super::*;
    use loom::sync::Arc;
    use loom::sync::atomic::AtomicU64 as ModelWord;
    use loom::thread;

    impl Word for ModelWord {
        fn load(&self) -> u64 {
            self.load(Relaxed)
        }

        fn store(&self, word: u64) {
            self.store(word, Relaxed);
        }
    }

    type Cluster<const WAYS: usize> = Arc<[Slot<ModelWord>; WAYS]>;

    const KEYS: [u64; 3] = [0x100, 0x200, 0x400];

    /// Data of a key, which no other key has; a later version is worth more.
    fn data_of(key: u64, version: u64) -> u64 {
        key << 32 | version
    }

    /// Data is found under its own key only.
    fn check<const WAYS: usize>(slots: &Cluster<WAYS>) {
        for key in KEYS {
            let found = probe(&**slots, key);
            assert!(found.is_none_or(|data| data >> 32 == key), "{key:x}: {found:x?}");
        }
    }

    fn put<const WAYS: usize>(slots: &Cluster<WAYS>, key: u64, version: u64) {
        store(&**slots, key, |_| Some(data_of(key, version)), |data| i32::from(data as u8));
    }

    /// What the table does with an entry of an earlier generation that it finds.
    fn renew<const WAYS: usize>(slots: &Cluster<WAYS>, key: u64) {
        if let Some(data) = probe(&**slots, key) {
            assert_eq!(data >> 32, key, "{data:x}");
            store(&**slots, key, |_| Some(data + 1), |_| 0);
        }
    }

    /// What a search does with the entry that its position has.
    fn complete<const WAYS: usize>(slots: &Cluster<WAYS>, key: u64) {
        store(&**slots, key, |old| Some(old.unwrap_or(data_of(key, 0)) + 1), |_| 0);
    }

    /// Runs some actions at once in every order, on a cluster with some keys, and looks at what
    /// each of them and all together leave.
    fn model<const WAYS: usize, const ACTIONS: usize>(
        keys: &'static [u64],
        actions: [fn(&Cluster<WAYS>); ACTIONS],
    ) {
        loom::model(move || {
            let slots: Cluster<WAYS> = Arc::new(std::array::from_fn(|_| Slot::default()));
            for &key in keys {
                put(&slots, key, 1);
            }
            let start = |action: fn(&Cluster<WAYS>)| {
                let slots = slots.clone();
                thread::spawn(move || action(&slots))
            };
            let threads = actions.map(start);
            check(&slots);
            for thread in threads {
                thread.join().unwrap();
            }
            check(&slots);
        });
    }

    #[test]
    fn words_of_two_keys_that_mix_are_not_found() {
        model::<1, 2>(&[], [|slots| put(slots, KEYS[0], 5), |slots| put(slots, KEYS[1], 9)]);
    }

    #[test]
    fn an_entry_is_renewed_while_another_takes_its_slot() {
        model::<1, 2>(&KEYS[..1], [|slots| renew(slots, KEYS[0]), |slots| put(slots, KEYS[1], 9)]);
    }

    #[test]
    fn an_entry_is_completed_while_another_takes_its_slot() {
        model::<1, 2>(
            &KEYS[..1],
            [|slots| complete(slots, KEYS[0]), |slots| put(slots, KEYS[1], 9)],
        );
    }

    #[test]
    fn two_keys_replace_another_at_once() {
        model::<2, 2>(&KEYS[..2], [|slots| put(slots, KEYS[2], 3), |slots| put(slots, KEYS[0], 2)]);
    }
}
