//! The slots of a cluster, read and written by threads in every order.
//!
//! A package of its own, since nothing else needs loom: `cargo test -p millstone-model`.
#![cfg(test)]

#[path = "../../src/clusters/slots.rs"]
mod slots;

use std::sync::atomic::Ordering::Relaxed;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU64 as ModelWord;
use loom::thread;
use slots::{Slot, Word, probe, store};

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
        for data in KEYS.iter().filter_map(|&key| probe(&*slots, key)) {
            assert!(slots.iter().any(|slot| slot.data() == data), "{data:x}");
        }
        slots.iter().for_each(Slot::clear);
        assert!(KEYS.iter().all(|&key| probe(&*slots, key).is_none()));
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
    model::<1, 2>(&KEYS[..1], [|slots| complete(slots, KEYS[0]), |slots| put(slots, KEYS[1], 9)]);
}

#[test]
fn two_keys_replace_another_at_once() {
    model::<2, 2>(&KEYS[..2], [|slots| put(slots, KEYS[2], 3), |slots| put(slots, KEYS[0], 2)]);
}
