//! The search in every game of the family: it finds the values of minimax and beats chance.

use crate::minimax::{Minimax, affordable_depth};
use crate::positions::won_by;
use crate::random::{IndexedRandom, Random, seeded};
use crate::random_rules::random_rules;
use crate::searches::{ALGORITHMS, Sound, engine, random_game};
use crate::size::usual_or_full;
use millstone::board::Side;
use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, PRESETS, RuleSet};
use millstone::search::{Algorithm, Engine, Limits, Silent};
use rayon::prelude::*;

/// Games against chance in each named game.
const GAMES: u64 = 4;

/// A position of a random game.
fn position_in_play(rules: RuleSet, rng: &mut Random) -> Position<RuleSet> {
    *random_game(rules, DrawRules::OFF, 60, rng).position()
}

/// The most leaves that minimax looks at.
const MOST_LEAVES: u64 = 10_000;

fn compare(position: Position, engine: &mut Engine) {
    let depth = affordable_depth(&position, 6, MOST_LEAVES);
    let values = Minimax { extends_forced: false }.root(&position, depth);
    let expected = values.iter().map(|(_, value)| *value).max().unwrap();
    let game = Game::from_position(position, DrawRules::OFF);
    engine.clear();
    for algorithm in ALGORITHMS {
        engine.settings.algorithm = algorithm;
        let limits = Limits::to_depth(depth);
        let report = engine.search_with::<_, Sound>(&game, &limits, &mut Silent);
        let rules = position.rules();
        assert_eq!(report.score(), expected, "{algorithm:?} in {position} by {rules:?}");
        let best = values.iter().find(|(mv, _)| Some(*mv) == report.best());
        assert_eq!(best.map(|(_, value)| *value), Some(expected), "{algorithm:?} in {position}");
    }
}

#[test]
fn nine_mens_morris_is_searched_alike_whatever_the_type_of_its_rules() {
    let text = "*O******/*****@**/@****O** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3";
    let limits = Limits::to_depth(6);
    let draws = DrawRules::default();
    let at_run_time = Game::from_text(text, RuleSet::NINE_MENS_MORRIS, draws).unwrap();
    let compiled = at_run_time.to_standard().unwrap();
    let mut engine = Engine::new(1).unwrap();
    let expected = engine.search_with::<_, Sound>(&compiled, &limits, &mut Silent);
    engine.clear();
    let found = engine.search_with::<_, Sound>(&at_run_time, &limits, &mut Silent);
    assert_eq!(found, expected);
}

#[test]
fn searches_of_named_games_find_the_values_of_minimax() {
    PRESETS.par_iter().for_each(|preset| {
        let mut rng = seeded(1);
        let mut engine = Engine::new(1).unwrap();
        for _ in 0..usual_or_full(2, 12) {
            compare(position_in_play(preset.rules, &mut rng), &mut engine);
        }
    });
}

#[test]
fn searches_of_random_rules_find_the_values_of_minimax() {
    (0..usual_or_full(15, 100_u64)).into_par_iter().for_each(|seed| {
        let mut rng = seeded(seed);
        let rules = random_rules(&mut rng);
        compare(position_in_play(rules, &mut rng), &mut Engine::new(1).unwrap());
    });
}

/// Plays as one side against random moves; whether it won, if anybody did.
fn play_against_chance(rules: RuleSet, algorithm: Algorithm, seed: u64) -> Option<bool> {
    let side = Side::ALL[(seed % 2) as usize];
    let mut rng = seeded(seed);
    let mut engine = engine(algorithm);
    let limits = match algorithm {
        Algorithm::MonteCarlo => Limits { nodes: Some(300), ..Limits::none() },
        _ => Limits::to_depth(4),
    };
    let mut game = Game::start(rules, DrawRules::default());
    while game.outcome().is_none() {
        let mv = if game.to_move() == side {
            engine.search(&game, &limits, &mut Silent).best().unwrap()
        } else {
            *game.moves().choose(&mut rng).unwrap()
        };
        game.play(mv).unwrap();
    }
    won_by(&game).map(|winner| winner == side)
}

#[test]
fn the_engine_beats_chance_in_every_named_game() {
    PRESETS.par_iter().for_each(|preset| {
        for (algorithm, least) in [(Algorithm::MtdF, GAMES / 2), (Algorithm::MonteCarlo, GAMES)] {
            let play = |seed| play_against_chance(preset.rules, algorithm, seed);
            let results: Vec<_> = (0..GAMES).map(play).collect();
            let about = format!("{} by {algorithm:?}: {results:?}", preset.name);
            let wins = results.iter().filter(|won| **won == Some(true)).count() as u64;
            assert!(wins >= least && !results.contains(&Some(false)), "{about}");
        }
    });
}
