//! Times the rules: listing, counting and playing moves, perft, and position text.
//!
//! Benchmarks over several positions use the positions of the bench; rates are per position, move or leaf.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use millstone::bench::POSITIONS;
use millstone::perft::Perft;
use millstone::position::{Move, Position};
use millstone::rules::Standard;

const MOVING: &str = "@O@@*OO*/@@*O@@@O/O*O*O@O* w m s 9 0 9 0 0 0 0 0 0 0 0 6 13";
const START_DEPTH: u32 = 5;
const MOVING_DEPTH: u32 = 7;

fn position(text: &str) -> Position<Standard> {
    Position::from_text(text, Standard).expect("the text is of a position")
}

fn generation(criterion: &mut Criterion) {
    let positions = POSITIONS.map(position);
    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("list", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(black_box(position).moves());
            }
        });
    });
    group.bench_function("count", |bencher| {
        bencher.iter(|| positions.iter().map(|p| black_box(p).count_moves()).sum::<u32>());
    });
    group.finish();
}

fn play_each(position: &Position<Standard>, moves: &[Move]) {
    for &mv in moves {
        black_box(black_box(position).after(mv));
    }
}

fn play(criterion: &mut Criterion) {
    let positions = POSITIONS.map(position).map(|position| (position, position.moves()));
    let count: usize = positions.iter().map(|(_, moves)| moves.len()).sum();
    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(count as u64));
    group.bench_function("play", |bencher| {
        bencher.iter(|| positions.iter().for_each(|(p, moves)| play_each(p, moves)));
    });
    group.finish();
}

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft bulk");
    let from = [
        ("start", Position::start(Standard), START_DEPTH),
        ("moving", position(MOVING), MOVING_DEPTH),
    ];
    for (name, position, depth) in from {
        let count = |position| Perft::default().count(position, depth);
        group.throughput(Throughput::Elements(count(&position)));
        group.bench_function(format!("{name} to {depth}"), |bencher| {
            bencher.iter(|| count(black_box(&position)));
        });
    }
    group.finish();
}

fn text(criterion: &mut Criterion) {
    let positions = POSITIONS.map(position);
    let mut group = criterion.benchmark_group("text");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("read", |bencher| {
        bencher.iter(|| POSITIONS.map(|text| position(black_box(text))));
    });
    group.bench_function("write", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(black_box(position).to_string());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, generation, play, perft, text);
criterion_main!(benches);
