//! The engine and the mailbox play random games side by side and agree at every ply.

use std::collections::BTreeSet;

use crate::mailbox;
use crate::mailbox::Mailbox;
use crate::random_rules::random_options;
use crate::size::usual_or_full;
use millstone::game::{Game, Outcome};
use millstone::position::{Loss, Position};
use millstone::protocol::Options;
use millstone::rules::{DrawRules, PRESETS, Rules, Standard};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// Every reason to end the standard game; each must occur.
const REASONS: [&str; 5] = [
    "drawEndgameFiftyMove",
    "drawFiftyMove",
    "drawThreefoldRepetition",
    "loseFewerThanThree",
    "loseNoLegalMoves",
];

/// Reasons that end other games, and are not too rare.
const MORE_REASONS: [&str; 2] = ["drawStalemateCondition", "loseFullBoard"];

#[test]
fn the_standard_game() {
    let reasons = play_all(usual_or_full(1_000, 20_000), |seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let draws = random_draw_rules(&mut rng);
        play_side_by_side(Standard, mailbox::Rules::default(), draws, &mut rng)
    });
    assert!(reasons.iter().eq(&REASONS), "{reasons:?}");
}

#[test]
fn every_named_game() {
    for preset in &PRESETS {
        let reasons = play_all(usual_or_full(60, 5_000), |seed| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let draws = random_draw_rules(&mut rng);
            let mut options = Options::default();
            options.set("Variant", Some(preset.name)).unwrap();
            play_side_by_side(options.rules, mailbox::Rules::named(preset.name), draws, &mut rng)
        });
        assert!(reasons.len() >= 3, "{}: {reasons:?}", preset.name);
    }
}

#[test]
fn games_by_random_rules() {
    let reasons = play_all(usual_or_full(3_000, 20_000), |seed| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut options = Options::default();
        let mut plain = mailbox::Rules::default();
        for (name, value) in random_options(&mut rng) {
            options.set(name, Some(&value)).unwrap();
            if !name.ends_with("NMoveRule") && name != "ThreefoldRepetitionRule" {
                plain.set(name, &value);
            }
        }
        let draws = random_draw_rules(&mut rng);
        play_side_by_side(options.rules, plain, draws, &mut rng)
    });
    let mut expected = REASONS.into_iter().chain(MORE_REASONS);
    assert!(expected.all(|reason| reasons.contains(reason)), "{reasons:?}");
}

/// The reasons why so many games ended.
fn play_all(games: u64, play: impl Fn(u64) -> String + Sync) -> BTreeSet<String> {
    let reason = |outcome: String| outcome.split(':').nth(1).unwrap_or_default().to_owned();
    (0..games).into_par_iter().map(|seed| reason(play(seed))).collect()
}

/// The outcome of a random game, on which both agree.
fn play_side_by_side<R: Rules>(
    rules: R,
    plain: mailbox::Rules,
    draws: DrawRules,
    rng: &mut Xoshiro256PlusPlus,
) -> String {
    let mut game = Game::from_position(Position::start(rules), draws);
    let draws = mailbox::DrawRules {
        n_move: draws.n_move.into(),
        endgame_n_move: draws.endgame_n_move.into(),
        threefold: draws.threefold_repetition,
    };
    let mut mailbox = Mailbox::from_text("startpos", plain, draws);
    loop {
        compare(&game, &mailbox);
        read_back(&game);
        if let Some(outcome) = game.outcome() {
            return outcome.to_string();
        }
        let mv = *game.moves().choose(rng).expect("a game that goes on has moves");
        game.play(mv).unwrap();
        mailbox.play(&mv.to_string());
    }
}

/// The usual rules, or small limits with or without repetition.
fn random_draw_rules(rng: &mut Xoshiro256PlusPlus) -> DrawRules {
    if rng.random_ratio(1, 2) {
        return DrawRules::default();
    }
    DrawRules {
        n_move: rng.random_range(10..=40),
        endgame_n_move: rng.random_range(5..=40),
        threefold_repetition: rng.random(),
    }
}

fn compare<R: Rules>(game: &Game<R>, mailbox: &Mailbox) {
    let text = game.text().to_string();
    let rules = game.rules();
    assert_eq!(text, mailbox.text(), "{rules:?}");
    let mut moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    assert_eq!(moves, mailbox.legal_moves(), "{text} {rules:?}");
    let outcomes =
        (game.outcome().map(|o| o.to_string()), mailbox.outcome().map(|o| o.to_string()));
    assert_eq!(outcomes.0, outcomes.1, "{text} {rules:?}");
}

/// The position is the same when it is read from its text, the number of the move apart.
fn read_back<R: Rules>(game: &Game<R>) {
    let text = game.text().to_string();
    let read = Game::from_text(&text, game.position().variant(), DrawRules::OFF);
    let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.text().to_string(), text);
    assert_eq!(read.position().key(), game.position().key(), "{text}");
    assert_eq!(read.outcome().is_some(), game.outcome().is_some(), "{text}");
    if is_over_by_men(game) {
        assert_eq!(read.outcome(), game.outcome(), "{text}");
    }
}

fn is_over_by_men<R: Rules>(game: &Game<R>) -> bool {
    matches!(game.outcome(), Some(Outcome::Win { loss: Loss::TooFewMen, .. }))
}
