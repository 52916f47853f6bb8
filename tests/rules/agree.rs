//! The engine and the mailbox play random games side by side and agree at every ply.

use std::collections::BTreeSet;

use super::vectors::sorted_moves;
use crate::mailbox::{self, Mailbox};
use crate::random::{IndexedRandom, Random, RngExt, seeded};
use crate::random_rules::random_options;
use crate::size::usual_or_full;
use millstone::game::{Game, Outcome};
use millstone::position::{Loss, Position};
use millstone::protocol::Options;
use millstone::rules::{DrawRules, PRESETS, Rules, Standard};
use rayon::prelude::*;

/// Every reason to end the standard game; each must occur.
const REASONS: &str = "drawEndgameFiftyMove drawFiftyMove drawThreefoldRepetition loseFewerThanThree \
                       loseNoLegalMoves";

/// Reasons that end other games, and are not too rare.
const MORE_REASONS: &str = "drawStalemateCondition loseFullBoard";

#[test]
fn the_standard_game() {
    let reasons = play_all(usual_or_full(500, 20_000), |seed| {
        let mut rng = seeded(seed);
        let draws = random_draw_rules(&mut rng);
        play_side_by_side(Standard, mailbox::Rules::default(), draws, &mut rng)
    });
    assert!(reasons.iter().eq(REASONS.split(' ')), "{reasons:?}");
}

#[test]
fn every_named_game() {
    for preset in &PRESETS {
        let reasons = play_all(usual_or_full(60, 5_000), |seed| {
            let mut rng = seeded(seed);
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
        let mut rng = seeded(seed);
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
    let mut expected = REASONS.split(' ').chain(MORE_REASONS.split(' '));
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
    rng: &mut Random,
) -> String {
    let mut game = Game::from_position(Position::start(rules), draws);
    let mut mailbox = Mailbox::from_text("startpos", plain, plain_draws(draws));
    loop {
        compare(&game, &mailbox);
        read_back(&game, rules);
        if let Some(outcome) = game.outcome() {
            return outcome.to_string();
        }
        let mv = *game.moves().choose(rng).expect("a game that goes on has moves");
        game.play(mv).unwrap();
        mailbox.play(&mv.to_string());
    }
}

/// Draw rules as the mailbox knows them.
pub fn plain_draws(draws: DrawRules) -> mailbox::DrawRules {
    mailbox::DrawRules {
        n_move: draws.n_move.into(),
        endgame_n_move: draws.endgame_n_move.into(),
        threefold: draws.threefold_repetition,
    }
}

/// The usual rules, or small limits with or without repetition.
fn random_draw_rules(rng: &mut Random) -> DrawRules {
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
    assert_eq!(sorted_moves(game), mailbox.legal_moves(), "{text} {rules:?}");
    let outcome = game.outcome().map(|outcome| outcome.to_string());
    assert_eq!(outcome, mailbox.outcome().map(|it| it.to_string()), "{text} {rules:?}");
}

/// The position is the same when it is read from its text, the number of the move apart.
fn read_back<R: Rules>(game: &Game<R>, rules: R) {
    let text = game.text().to_string();
    let read = Game::from_text(&text, rules, DrawRules::OFF);
    let read = read.unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.text().to_string(), text);
    assert_eq!(read.position().key(), game.position().key(), "{text}");
    assert_eq!(read.outcome().is_some(), game.outcome().is_some(), "{text}");
    if let Some(Outcome::Win { loss: Loss::TooFewMen, .. }) = game.outcome() {
        assert_eq!(read.outcome(), game.outcome(), "{text}");
    }
}
