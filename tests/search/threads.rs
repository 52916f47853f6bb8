//! Several threads find what one finds, keep every limit, and never play what is not allowed.

use std::panic::AssertUnwindSafe;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{panic, process, thread};

use crate::random::{IndexedRandom, Random, RngExt, seeded};
use crate::searches::{ALGORITHMS, Sound, StopAt, random_game};
use crate::size::usual_or_full;
use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{
    Budget, Clock, Engine, Features, Limits, MAX_THREADS, Observer, Report, Silent, Switches,
};

/// More than there are processors, so that threads stop anywhere.
const THREADS: usize = 8;
/// A search that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(60);
const SOUND_DEPTH: u32 = 6;

/// Alpha-beta without a table, by one thread.
struct Reference;

impl Features for Reference {
    const ON: Switches = Switches { killers: true, history: true, ..Switches::REFERENCE };
}

/// A game that goes on after some random moves.
fn game_in_play(rng: &mut Random) -> Game {
    random_game(RuleSet::NINE_MENS_MORRIS, DrawRules::default(), 70, rng)
}

fn engine_of(threads: usize) -> Engine {
    let mut engine = Engine::new(1).unwrap();
    engine.settings.threads = threads;
    engine
}

/// The value and the move that threads find must be those of the reference, though the table is
/// full of what they found before.
fn compare(engine: &mut Engine, position: Position) {
    let game = Game::from_position(position, DrawRules::OFF);
    let to_depth = Limits::to_depth(SOUND_DEPTH);
    let expected = engine_of(1).search_with::<_, Reference>(&game, &to_depth, &mut Silent).score();
    for algorithm in ALGORITHMS {
        engine.settings.algorithm = algorithm;
        let found = engine.search_with::<_, Sound>(&game, &to_depth, &mut Silent);
        assert_eq!(found.score(), expected, "{algorithm:?} in {position}");
        let only_best =
            Limits { search_moves: found.best().into_iter().collect(), ..to_depth.clone() };
        let best = engine_of(1).search_with::<_, Sound>(&game, &only_best, &mut Silent);
        assert_eq!(best.score(), expected, "{algorithm:?}, {:?} in {position}", found.best());
    }
}

#[test]
fn threads_find_the_values_of_the_reference() {
    let mut rng = seeded(20);
    for threads in [2, 3, THREADS] {
        let mut engine = engine_of(threads);
        for _ in 0..usual_or_full(10, 40) {
            compare(&mut engine, *game_in_play(&mut rng).position());
        }
    }
}

#[test]
fn nodes_of_all_threads_are_counted_and_limited() {
    let game = Game::new();
    for nodes in [1, 1000, 50_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::none() };
        let report = engine_of(THREADS).search(&game, &limits, &mut Silent);
        assert!(report.nodes >= nodes && report.nodes < nodes + THREADS as u64 * 1024);
    }
}

#[test]
fn as_many_threads_as_may_be_stop_when_told() {
    let report = engine_of(MAX_THREADS).search(&Game::new(), &Limits::none(), &mut StopAt(3));
    assert!(report.best().is_some());
}

#[test]
fn helpers_come_and_go_with_the_number_of_threads() {
    let alive = watch();
    let mut rng = seeded(22);
    let mut engine = engine_of(1);
    for threads in [2, 4, 3, 1, 2, MAX_THREADS, 2, 1] {
        engine.settings.threads = threads;
        compare(&mut engine, *game_in_play(&mut rng).position());
        alive.send(()).unwrap();
    }
}

/// Panics when it is asked whether to stop.
struct Panicking;

impl Observer for Panicking {
    fn should_stop(&mut self, _nodes: u64) -> bool {
        panic!("as the test wants it");
    }
}

#[test]
fn a_panic_of_the_observer_ends_the_search_and_the_next_one_is_right() {
    let _alive = watch();
    let mut engine = engine_of(3);
    let game = Game::new();
    let to_depth = Limits::to_depth(SOUND_DEPTH);
    // What the table keeps of it must be as sound as what is compared.
    let search =
        AssertUnwindSafe(|| engine.search_with::<_, Sound>(&game, &to_depth, &mut Panicking));
    assert!(panic::catch_unwind(search).is_err());
    compare(&mut engine, *game.position());
}

/// One of the ways to end a search soon.
fn search(engine: &mut Engine, game: &Game, rng: &mut Random) -> Report {
    let number = rng.random_range(1..30);
    let time = Budget::for_move(Duration::from_millis(number), Duration::ZERO);
    let (limits, asked) = match rng.random_range(0..4) {
        0 => (Limits::to_depth(1 + number as u32 % 8), u32::MAX),
        1 => (Limits { nodes: Some(number * 3000), ..Limits::none() }, u32::MAX),
        2 => (Limits { clock: Clock::started(time), ..Limits::none() }, u32::MAX),
        _ => (Limits::none(), number as u32),
    };
    engine.search(game, &limits, &mut StopAt(asked))
}

/// Plays a game by searches that end in many ways.
fn play(engine: &mut Engine, rng: &mut Random, alive: &mpsc::Sender<()>) {
    let mut game = Game::new();
    while game.outcome().is_none() {
        engine.settings.algorithm = *ALGORITHMS.choose(rng).unwrap();
        let report = search(engine, &game, rng);
        let mut line = game.clone();
        report.pv().iter().for_each(|&mv| line.play(mv).unwrap());
        let by_chance = rng.random_bool(0.1);
        let best = if by_chance { game.moves().choose(rng).copied() } else { report.best() };
        game.play(best.expect("the game goes on")).unwrap();
        alive.send(()).unwrap();
    }
}

/// Ends the program when it is not told for long that all goes well.
fn watch() -> mpsc::Sender<()> {
    let (alive, told) = mpsc::channel();
    thread::spawn(move || {
        let mut last = Ok(());
        while last.is_ok() {
            last = told.recv_timeout(LONGEST);
        }
        if last == Err(mpsc::RecvTimeoutError::Timeout) {
            eprintln!("a search has not ended after {LONGEST:?}");
            process::abort();
        }
    });
    alive
}

#[test]
fn stress_brings_out_no_illegal_move_no_wrong_value_and_no_hang() {
    let lasting = Duration::from_secs(usual_or_full(2, 600));
    let start = Instant::now();
    let mut rng = seeded(21);
    let mut engine = engine_of(THREADS);
    let alive = watch();
    let mut games = 0;
    while games == 0 || start.elapsed() < lasting {
        play(&mut engine, &mut rng, &alive);
        engine.clear();
        compare(&mut engine, *game_in_play(&mut rng).position());
        alive.send(()).unwrap();
        games += 1;
    }
    println!("{games} games in {:?}", start.elapsed());
}
