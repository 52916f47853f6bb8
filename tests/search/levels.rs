//! Weaker play: legal, repeatable, and weaker.

use millstone::board::Side;
use millstone::game::{Game, Outcome};
use millstone::position::Move;

use millstone::search::{Engine, Limits, Silent, Skill};

/// A game that is not over by then is drawn.
const MAX_ACTIONS: usize = 300;
/// Moves after which games of different seeds have parted.
const OPENING: usize = 30;

fn choose(engine: &mut Engine, game: &Game, skill: Skill, seed: u64) -> Move {
    engine.settings.shuffle = Some(seed);
    let limits = Limits::to_depth(6);
    engine
        .search_with_skill(game, &limits, skill, seed, &mut Silent)
        .best()
        .expect("the game goes on")
}

/// Who wins a game of two levels, and its moves.
fn play(levels: [u32; 2], seed: u64, most_moves: usize) -> (Option<Side>, Vec<Move>) {
    let mut engines = [(); 2].map(|()| Engine::new(1).unwrap());
    let mut game = Game::new();
    let mut moves = Vec::new();
    while game.outcome().is_none() && moves.len() < most_moves {
        let player = game.position().to_move() as usize;
        let skill = Skill::of_level(levels[player]);
        let seed = seed << 32 | moves.len() as u64;
        let mv = choose(&mut engines[player], &game, skill, seed);
        game.play(mv).unwrap();
        moves.push(mv);
    }
    match game.outcome() {
        Some(Outcome::Win { winner, .. }) => (Some(winner), moves),
        _ => (None, moves),
    }
}

#[test]
fn a_beginner_loses_to_a_player() {
    let (mut won, mut lost) = (0, 0);
    for seed in 0..4 {
        for (levels, player) in [([0, 20], Side::Black), ([20, 0], Side::White)] {
            let winner = play(levels, seed, MAX_ACTIONS).0;
            won += u32::from(winner == Some(player));
            lost += u32::from(winner == Some(!player));
        }
    }
    assert!(won >= 6 && lost == 0, "{won} won, {lost} lost of 8");
}

#[test]
fn mistakes_come_from_the_seed() {
    for level in [0, 7, 19] {
        let game = |seed| play([level; 2], seed, OPENING);
        assert_eq!(game(1), game(1));
        assert_ne!(game(1), game(2));
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
