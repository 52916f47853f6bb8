//! Times the tablebase: solving sectors, and probing values and distances.
//!
//! Probes random positions of the available sectors, in pages that have been read before.
//! `MILLSTONE_TABLEBASE` names a folder; without it small sectors are solved.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use millstone::board::SquareSet;
use millstone::game::Game;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Engine, Limits, Silent};
use millstone::tablebase::{
    self, Build, Distances, Known, Scope, Sector, SectorFile, Solvable, SolveOptions, Tablebase,
    solve,
};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

const POSITIONS: usize = 1 << 14;
const MOST_MEN: usize = 9;

/// A folder with a tablebase; dropping the second value removes a folder that was built.
fn folder() -> (PathBuf, Option<tempfile::TempDir>) {
    if let Some(folder) = std::env::var_os("MILLSTONE_TABLEBASE") {
        return (folder.into(), None);
    }
    let guard = tempfile::tempdir().expect("a folder for temporary files");
    let folder = guard.path().to_owned();
    let build = Build {
        game: Solvable::STANDARD,
        folder: folder.clone(),
        scope: Scope::UpTo { men: MOST_MEN, in_hand: 0 },
        distances: Distances::Moving,
        most_memory: None,
    };
    build.run(&tablebase::Unobserved).expect("a build without a disturbance");
    (folder, Some(guard))
}

fn open(folder: &Path) -> Tablebase {
    let report = &mut |error| panic!("{error}");
    Tablebase::open(folder, Solvable::STANDARD, report).expect("a tablebase")
}

fn positions(tablebase: &Tablebase) -> Vec<(SquareSet, SquareSet)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let sectors: Vec<Sector> = tablebase.files().map(SectorFile::sector).collect();
    let position = |_| {
        let sector = sectors[random.random_range(0..sectors.len())];
        sector.position(random.random_range(0..sector.len()))
    };
    (0..POSITIONS).map(position).collect()
}

fn probes(criterion: &mut Criterion) {
    let (folder, _guard) = folder();
    let tablebase = open(&folder);
    let positions = positions(&tablebase);
    let mut group = criterion.benchmark_group("probe");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    group.bench_function("index", |bencher| {
        bencher.iter(|| {
            for &(own, opponent) in &positions {
                let sector = Sector::new(own.len() as usize, opponent.len() as usize);
                black_box(sector.map(|sector| sector.index_of(own, opponent)));
            }
        });
    });
    group.bench_function("wdl", |bencher| {
        bencher.iter(|| {
            for &(own, opponent) in &positions {
                let sector = Sector::new(own.len() as usize, opponent.len() as usize);
                black_box(sector.and_then(|sector| tablebase.wdl(sector, own, opponent)));
            }
        });
    });
    group.bench_function("value with distance", |bencher| {
        bencher.iter(|| {
            for &(own, opponent) in &positions {
                let sector = Sector::new(own.len() as usize, opponent.len() as usize);
                black_box(sector.and_then(|sector| tablebase.value(sector, own, opponent)));
            }
        });
    });
    group.finish();
}

fn solving(criterion: &mut Criterion) {
    let sector = Sector::new(3, 3).expect("a sector");
    let mut group = criterion.benchmark_group("solve");
    group.throughput(Throughput::Elements(sector.len() as u64));
    group.bench_function("3-3", |bencher| {
        bencher.iter(|| {
            let game = Solvable::STANDARD;
            let open = |_| unreachable!("nothing is smaller");
            let mut known = Known::new(game, &open);
            let options = SolveOptions { has_distances: true, scratch: None };
            solve(&game, black_box(sector), &mut known, options, &tablebase::Unobserved)
        });
    });
    group.finish();
}

/// Positions near the end of placing, so that most lines end in the tablebase.
const PLACING: [&str; 4] = [
    "O**@**O*/@*O*@*O*/**@O*@** w p p 5 4 5 4 0 0 0 0 0 0 0 0 6",
    "*O@**O*@/O*@*O**@/@***O*O* b p p 6 3 5 4 0 0 0 0 0 0 0 0 6",
    "@O*O@***/*@O*@*O@/O*@***O* w p p 6 1 6 1 0 0 0 0 0 0 0 0 8",
    "O*@*O@*O/*@*O*@*O/*O@**@** w p p 6 2 6 2 0 0 0 0 0 0 0 0 8",
];
const DEPTH: u32 = 7;

/// The nodes per second without and with the tablebase.
fn searches(criterion: &mut Criterion) {
    let (folder, _guard) = folder();
    let tablebase = open(&folder);
    let games = PLACING.map(|text| {
        Game::from_text(text, RuleSet::default(), DrawRules::default()).expect("a position text")
    });
    let mut group = criterion.benchmark_group("search");
    group.sample_size(20);
    for (name, tablebase) in [("without tablebase", None), ("with tablebase", Some(tablebase))] {
        let mut engine = Engine::new(64).expect("the memory for a table");
        engine.tablebase = tablebase.map(Arc::new);
        let mut search = || {
            engine.clear();
            let nodes = games
                .each_ref()
                .map(|game| engine.search(game, &Limits::to_depth(DEPTH), &mut Silent).nodes);
            nodes.iter().sum()
        };
        group.throughput(Throughput::Elements(search()));
        group.bench_function(name, |bencher| bencher.iter(&mut search));
    }
    group.finish();
}

criterion_group!(benches, probes, solving, searches);
criterion_main!(benches);
