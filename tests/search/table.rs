//! Threads that share a transposition table never find a record that nobody stored for the key.

use std::thread;

use crate::random::{RngExt, seeded};
use millstone::board::Square;
use millstone::position::Move;
use millstone::score::Score;
use millstone::search::{Entry, Limit, TranspositionTable};

const THREADS: u64 = 4;
const ROUNDS: u64 = 20;
const STEPS: usize = 20_000;
const CLUSTERS: u64 = 4;
const KEYS: u64 = 32;
const VARIANTS: u64 = 4;

/// One of a few keys that crowd into a few clusters, which the bits from 48 on choose.
fn key(number: u64) -> u64 {
    (number % CLUSTERS) << 48 | mix(number) >> 16
}

/// One of the records that may be stored for a key; all of its parts depend on both.
fn record(key: u64, variant: u64) -> Entry {
    let bits = mix(key ^ variant);
    let [from, to] = [bits, bits >> 8].map(|bits| Square::ALL[bits as usize % Square::COUNT]);
    let limit = |bits: u64| Limit {
        score: Score::estimate((bits % 1000) as i32),
        depth: (bits >> 10) as u8 % Limit::DEEPEST,
    };
    // Both limits, so that each store writes the whole entry.
    Entry {
        best: Some(Move::slide(from, to)),
        lower: Some(limit(bits >> 16)),
        upper: Some(limit(bits >> 40)),
    }
}

/// Spreads a number over 64 bits.
fn mix(number: u64) -> u64 {
    seeded(number).random()
}

/// Stores and looks up records at random; how many were found, each of them a stored one.
fn torture<const WAYS: usize>(table: &TranspositionTable<WAYS>, seed: u64) -> usize {
    let mut rng = seeded(seed);
    let mut step = || {
        let key = key(rng.random_range(0..KEYS));
        if rng.random() {
            table.store(key, record(key, rng.random_range(0..VARIANTS)));
            return false;
        }
        let found = table.probe(key);
        let is_stored = |found| (0..VARIANTS).any(|variant| record(key, variant) == found);
        assert!(found.is_none_or(is_stored), "{found:?} under key {key:#x}");
        found.is_some()
    };
    (0..STEPS).filter(|_| step()).count()
}

fn torture_by_threads<const WAYS: usize>() {
    let mut table = TranspositionTable::<WAYS>::new(1).unwrap();
    let mut count_found = 0;
    for round in 0..ROUNDS {
        table.start_generation();
        let table = &table;
        count_found += thread::scope(|scope| {
            let start = |thread| scope.spawn(move || torture(table, round * THREADS + thread));
            let threads: Vec<_> = (0..THREADS).map(start).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
        });
    }
    assert!(count_found > STEPS);
}

#[test]
fn threads_find_only_what_was_stored() {
    torture_by_threads::<1>();
    torture_by_threads::<2>();
    torture_by_threads::<4>();
}
