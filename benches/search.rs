//! Times the search and its parts: evaluation, tables, and searches to fixed depths.
//!
//! The tables are larger than most caches, and their keys are random, as in a search.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use millstone::bench::POSITIONS;
use millstone::board::Square;
use millstone::evaluate::evaluate;
use millstone::game::Game;
use millstone::position::{Move, Position};
use millstone::rules::{DrawRules, RuleSet, Standard};
use millstone::score::Score;
use millstone::search::{Bound, Engine, Entry, Limits, Report, Silent, TranspositionTable};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

const MOVING: &str = "@O@@*OO*/@@*O@@@O/O*O*O@O* w m s 9 0 9 0 0 0 0 0 0 0 0 6 13";
const DEPTH: u32 = 8;
const TABLE_MEBIBYTES: usize = 16;
const KEYS: usize = 1 << 16;
/// The number of keys to fill a table with: twice its slots.
const FILL: usize = 1 << 21;

fn evaluation(criterion: &mut Criterion) {
    let positions = POSITIONS.map(|text| Position::from_text(text, Standard));
    let mut positions = Vec::from(positions.map(|position| position.expect("a position text")));
    positions.retain(|position| position.pending() == 0);
    let mut group = criterion.benchmark_group("evaluate");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("positions", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(evaluate(black_box(position)));
            }
        });
    });
    group.finish();
}

/// The interface of both kinds of table, each with its own data.
trait Store {
    const NAME: &str;

    fn empty() -> Self;
    fn put(&self, key: u64);
    fn has(&self, key: u64) -> bool;
}

impl<const WAYS: usize> Store for TranspositionTable<WAYS> {
    const NAME: &str = "table";

    fn empty() -> Self {
        Self::new(TABLE_MEBIBYTES).expect("the memory for a table")
    }

    #[inline]
    fn put(&self, key: u64) {
        let best = Some(Move::place(Square::D6));
        self.store(key, Entry::new(best, Score::DRAW, key as u8, Bound::Exact));
    }

    #[inline]
    fn has(&self, key: u64) -> bool {
        black_box(self.probe(key)).is_some()
    }
}

fn keys(seed: u64, count: usize) -> Vec<u64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..count).map(|_| random.random()).collect()
}

/// An almost full table, and keys that it holds, in random order.
fn filled<S: Store>() -> (S, Vec<u64>) {
    let (table, mut stored) = (S::empty(), keys(1, FILL));
    for &key in &stored {
        table.put(key);
    }
    stored.retain(|&key| table.has(key));
    stored.truncate(KEYS);
    assert_eq!(stored.len(), KEYS, "the table holds enough keys");
    (table, stored)
}

fn probe<S: Store>(group: &mut BenchmarkGroup<'_, WallTime>, id: BenchmarkId, t: &S, keys: &[u64]) {
    group.bench_function(id, |bencher| {
        bencher.iter(|| keys.iter().filter(|&&key| t.has(key)).count());
    });
}

/// Stores keys that are new to the full table each time: the low bits, which change, do not choose the cluster.
fn store<S: Store>(group: &mut BenchmarkGroup<'_, WallTime>, id: BenchmarkId, t: &S, keys: &[u64]) {
    let mut round = 0;
    group.bench_function(id, |bencher| {
        bencher.iter(|| {
            round += 1;
            for key in keys {
                t.put(key ^ round);
            }
        });
    });
}

fn ways<S: Store>(criterion: &mut Criterion, ways: usize) {
    let ((table, stored), missing) = (filled::<S>(), keys(2, KEYS));
    let mut group = criterion.benchmark_group(S::NAME);
    group.throughput(Throughput::Elements(KEYS as u64));
    probe(&mut group, BenchmarkId::new("probe hits", ways), &table, &stored);
    probe(&mut group, BenchmarkId::new("probe misses", ways), &table, &missing);
    store(&mut group, BenchmarkId::new("store", ways), &table, &missing);
    group.finish();
}

fn tables(criterion: &mut Criterion) {
    ways::<TranspositionTable<1>>(criterion, 1);
    ways::<TranspositionTable<2>>(criterion, 2);
    ways::<TranspositionTable<4>>(criterion, 4);
}

/// An engine with an empty table whose pages are already in memory.
fn fresh_engine() -> Engine {
    let mut engine = Engine::new(TABLE_MEBIBYTES).expect("the memory for a table");
    engine.clear();
    engine
}

fn search_once(engine: &mut Engine, game: &Game) -> Report {
    engine.search(game, &Limits::to_depth(DEPTH), &mut Silent)
}

fn search(criterion: &mut Criterion) {
    let moving = Game::from_text(MOVING, RuleSet::default(), DrawRules::default());
    let games = [("start", Game::new()), ("moving", moving.expect("a position text"))];
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    for (name, game) in games {
        let nodes = search_once(&mut fresh_engine(), &game).nodes;
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("{name} to {DEPTH}"), |bencher| {
            let run = |engine: &mut Engine| search_once(engine, &game);
            bencher.iter_batched_ref(fresh_engine, run, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, evaluation, tables, search);
criterion_main!(benches);
