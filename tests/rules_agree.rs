//! The engine and the mailbox play random games side by side and agree at every ply.

mod mailbox;

use std::collections::BTreeSet;

use mailbox::Mailbox;
use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, Standard};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// A debug build has time for this part of the games only.
const GAMES: u64 = if cfg!(debug_assertions) { 2_000 } else { 20_000 };

/// Every reason to end a game; each must occur.
const REASONS: [&str; 5] = [
    "drawEndgameFiftyMove",
    "drawFiftyMove",
    "drawThreefoldRepetition",
    "loseFewerThanThree",
    "loseNoLegalMoves",
];

#[test]
fn random_games_are_played_alike() {
    let outcomes: Vec<String> = (0..GAMES).into_par_iter().map(play_side_by_side).collect();
    let reasons: BTreeSet<_> = outcomes.iter().filter_map(|text| text.split(':').nth(1)).collect();
    assert!(reasons.iter().eq(&REASONS), "{reasons:?}");
}

/// The outcome of a random game, on which both agree.
fn play_side_by_side(seed: u64) -> String {
    let mut rng = SmallRng::seed_from_u64(seed);
    let draws = random_draw_rules(&mut rng);
    let mut game = Game::from_position(Position::start(Standard), draws);
    let mut mailbox = Mailbox::start(mailbox::DrawRules {
        n_move: draws.n_move.into(),
        endgame_n_move: draws.endgame_n_move.into(),
        threefold: draws.threefold_repetition,
    });
    loop {
        compare(&game, &mailbox, seed);
        if let Some(outcome) = game.outcome() {
            return outcome.to_string();
        }
        let mv = *game.moves().choose(&mut rng).expect("a game that goes on has moves");
        game.play(mv).unwrap();
        mailbox.play(&mv.to_string());
    }
}

/// The usual rules, or small limits with or without repetition.
fn random_draw_rules(rng: &mut SmallRng) -> DrawRules {
    if rng.random_ratio(1, 2) {
        return DrawRules::default();
    }
    DrawRules {
        n_move: rng.random_range(10..=40),
        endgame_n_move: rng.random_range(5..=40),
        threefold_repetition: rng.random(),
    }
}

fn compare(game: &Game<Standard>, mailbox: &Mailbox, seed: u64) {
    let text = game.text().to_string();
    assert_eq!(text, mailbox.text(), "seed {seed}");
    let mut moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    assert_eq!(moves, mailbox.legal_moves(), "seed {seed}: {text}");
    let outcomes =
        (game.outcome().map(|o| o.to_string()), mailbox.outcome().map(|o| o.to_string()));
    assert_eq!(outcomes.0, outcomes.1, "seed {seed}: {text}");
}
