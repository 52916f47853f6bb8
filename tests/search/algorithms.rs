//! Monte-Carlo search, random moves and levels are what their names promise. That a low level is weaker is shown by a
//! match.

use std::collections::HashMap;

use crate::positions::{
    FLYING, MOVING, REMOVING, START, block_wins, fork_wins, game, moving, removal_wins, won_by,
};
use millstone::board::{Side, Square};
use millstone::game::Game;
use millstone::position::Move;
use millstone::score::{Score, ScoreKind};
use millstone::search::{Algorithm, Engine, Limits, Observer, Report, Settings, Silent, Skill};

const PHASES: [&str; 4] = [START, REMOVING, MOVING, FLYING];

fn engine(algorithm: Algorithm, shuffle: Option<u64>) -> Engine {
    let mut engine = Engine::new(1).unwrap();
    engine.settings = Settings { algorithm, shuffle, threads: 1 };
    engine
}

fn simulations(count: u64) -> Limits {
    Limits { nodes: Some(count), ..Limits::none() }
}

fn monte_carlo(game: &Game, count: u64) -> Report {
    engine(Algorithm::MonteCarlo, None).search(game, &simulations(count), &mut Silent)
}

#[test]
fn random_moves_are_all_equally_likely() {
    const DRAWS_PER_MOVE: usize = 200;
    for game in PHASES.map(game) {
        let moves = game.moves();
        let mut counts: HashMap<Move, usize> = moves.iter().map(|&mv| (mv, 0)).collect();
        for seed in 0..(DRAWS_PER_MOVE * moves.len()) as u64 {
            let mut engine = engine(Algorithm::Random, Some(seed));
            let report = engine.search(&game, &Limits::none(), &mut Silent);
            *counts.get_mut(&report.best().unwrap()).unwrap() += 1;
        }
        let expected = DRAWS_PER_MOVE as f64;
        let chi_square: f64 =
            counts.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
        let freedom = (moves.len() - 1) as f64;
        let bound = freedom + 3.0 * (2.0 * freedom).sqrt() + 3.0;
        assert!(chi_square < bound, "{chi_square} of {bound} in {}", game.position());
    }
}

#[test]
fn a_random_move_needs_no_search_and_follows_from_its_seed() {
    for game in PHASES.map(game) {
        for seed in [None, Some(3)] {
            let answer =
                |limits| engine(Algorithm::Random, seed).search(&game, &limits, &mut Silent);
            let report = answer(Limits::none());
            assert_eq!((report.nodes, report.depth, report.pv().len()), (0, 0, 1));
            assert_eq!(report, answer(Limits::none()));
            let last = *game.moves().last().unwrap();
            let only = Limits { search_moves: vec![last], ..Limits::none() };
            assert_eq!(answer(only).best(), Some(last));
        }
    }
}

#[test]
fn wins_in_one_turn_are_taken() {
    for mut game in [removal_wins(), block_wins(), game(REMOVING)] {
        for count in [1, 50, 1000] {
            assert_eq!(monte_carlo(&game, count).score(), Score::mate_in(1));
        }
        while game.outcome().is_none() {
            let report = monte_carlo(&game, 1);
            assert_eq!(report.score(), Score::mate_in(1));
            game.play(report.best().unwrap()).unwrap();
        }
        assert_eq!(won_by(&game), Some(Side::White));
    }
}

#[test]
fn losses_in_one_turn_are_seen() {
    let threatened = moving("a1 d1 g4", "b4 d5 f2", 'b', 0);
    for count in [100, 1000, 5000] {
        let report = monte_carlo(&threatened, count);
        assert_eq!(report.best().map(Move::target), Some(Square::G1), "{count}");
    }
    let careless = "b4-c4".parse().unwrap();
    let limits = Limits { search_moves: vec![careless], ..simulations(100) };
    let report = engine(Algorithm::MonteCarlo, None).search(&threatened, &limits, &mut Silent);
    assert_eq!((report.score(), report.best()), (Score::mated_in(2), Some(careless)));
}

#[test]
fn a_fork_is_found_and_its_distance_proven() {
    let report = monte_carlo(&fork_wins(), 20_000);
    assert_eq!(report.best(), "d7-d6".parse().ok());
    assert_eq!(report.score().kind(), ScoreKind::MateIn(3));
}

#[test]
fn a_repeated_position_counts_as_drawn() {
    let mut behind = moving("a1 d7 f4 b4", "c5 e3 d2 g1 f6 b6", 'w', 0);
    for mv in ["a1-a4", "g1-d1", "a4-a1", "d1-g1"].repeat(2) {
        behind.play(mv.parse().unwrap()).unwrap();
    }
    let repeating = "a1-a4".parse().unwrap();
    let limits = Limits { search_moves: vec![repeating], ..simulations(100) };
    let report = engine(Algorithm::MonteCarlo, None).search(&behind, &limits, &mut Silent);
    assert_eq!((report.score(), report.pv()), (Score::DRAW, &[repeating][..]));
}

/// Checks that each line can be played.
struct LineReader {
    root: Game,
    told: Vec<(u32, u64)>,
}

impl Observer for LineReader {
    fn progress(&mut self, report: &Report) {
        self.told.push((report.depth, report.nodes));
        let mut game = self.root.clone();
        report.pv().iter().for_each(|&mv| game.play(mv).unwrap());
        assert!(!report.pv().is_empty() && report.table_use <= 1000);
    }

    fn should_stop(&mut self, nodes: u64) -> bool {
        nodes >= 2048
    }
}

#[test]
fn limits_are_kept_and_the_same_search_says_the_same() {
    for game in PHASES.map(game) {
        for count in [1, 2, 31, 1000] {
            let report = monte_carlo(&game, count);
            assert!(report.nodes <= count && report.best().is_some());
            assert_eq!(report, monte_carlo(&game, count));
        }
        let mut engine = engine(Algorithm::MonteCarlo, Some(1));
        let mut reader = LineReader { root: game.clone(), told: Vec::new() };
        let report = engine.search(&game, &Limits::to_depth(4), &mut reader);
        let is_proven = report.score().is_mate();
        assert!(is_proven || reader.told == [(1, 128), (2, 256), (3, 512), (4, 1024)]);
        engine.clear();
        assert_eq!(engine.search(&game, &Limits::to_depth(4), &mut Silent), report);
        let stopped = engine.search(&game, &Limits::none(), &mut reader);
        assert!(stopped.nodes <= 2048);
    }
}

/// Moves after which games of different seeds have parted.
const OPENING: usize = 30;

/// The first moves of a game of a level against itself.
fn play(level: u32, seed: u64) -> Vec<Move> {
    let mut engines = [(); 2].map(|()| Engine::new(1).unwrap());
    let mut game = Game::new();
    let mut moves = Vec::new();
    while game.outcome().is_none() && moves.len() < OPENING {
        let engine = &mut engines[game.to_move() as usize];
        let (limits, skill) = (Limits::to_depth(6), Skill::of_level(level));
        let seed = seed << 32 | moves.len() as u64;
        engine.settings.shuffle = Some(seed);
        let report = engine.search_with_skill(&game, &limits, skill, seed, &mut Silent);
        let mv = report.best().expect("the game goes on");
        game.play(mv).unwrap();
        moves.push(mv);
    }
    moves
}

#[test]
fn mistakes_come_from_the_seed() {
    for level in [0, 7, 19] {
        assert_eq!(play(level, 1), play(level, 1));
        assert_ne!(play(level, 1), play(level, 2));
    }
}

#[test]
fn the_highest_level_searches_as_without_levels() {
    let game = Game::new();
    let limits = Limits::to_depth(6);
    let mut engine = Engine::new(1).unwrap();
    let expected = engine.search(&game, &limits, &mut Silent);
    engine.clear();
    assert_eq!(engine.search_with_skill(&game, &limits, Skill::FULL, 9, &mut Silent), expected);
}
