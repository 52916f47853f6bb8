//! Play by tablebases: wins are won in the plies given, draws are held, whoever the opponent is.

use super::bouts::{Bout, TABLES, draw, plies};
use crate::size::usual_or_full;
use millstone::board::Side;
use millstone::game::Game;
use millstone::rules::{DrawRules, RuleSet};
use millstone::score::Score;
use millstone::tablebase::{SectorFile, Value, Wdl};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// How many turns of both sides a draw has to be held.
const HELD_TURNS: usize = 100;
const HELD_TURNS_AT_RANDOM: usize = 60;

/// Random positions with a value, spread over all sectors that have any, each with a number of its
/// own for further random choices.
fn positions(wdl: Wdl) -> Vec<(u64, String)> {
    let has_any = |file: &&SectorFile| match wdl {
        Wdl::Win => file.statistics().wins > 0,
        Wdl::Draw => file.statistics().draws > 0,
        Wdl::Loss => file.statistics().losses > 0,
    };
    let files: Vec<_> = TABLES.files().filter(has_any).collect();
    let seeds = (0..usual_or_full(100, 2_000_u64)).collect::<Vec<_>>();
    let position = |&seed: &u64| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (seed, draw(files[seed as usize % files.len()], wdl, &mut rng))
    };
    seeds.par_iter().map(position).collect()
}

fn is_over(text: &str) -> bool {
    Game::from_text(text, RuleSet::default(), DrawRules::OFF).unwrap().outcome().is_some()
}

#[test]
fn wins_are_won_in_the_plies_given() {
    positions(Wdl::Win).par_iter().for_each(|(_, text)| {
        Bout::new(text, DrawRules::OFF).play_win(plies(text));
        if plies(text) < DrawRules::default().n_move.into() {
            Bout::new(text, DrawRules::default()).play_win(plies(text));
        }
    });
}

#[test]
fn losses_are_told_by_the_move_that_is_played() {
    let lost = positions(Wdl::Loss);
    lost.par_iter().filter(|(_, text)| !is_over(text)).for_each(|(_, text)| {
        let mut bout = Bout::new(text, DrawRules::OFF);
        let loser = bout.game.to_move();
        while bout.referee.outcome().is_none() {
            let position = *bout.game.position();
            let (mv, score) = bout.search();
            if position.to_move() == loser {
                let value: Value = TABLES.probe_move(&position, mv).expect("the sector is there");
                let turns = value.turns().expect("it is lost").into();
                assert_eq!(score, Score::mated_in(turns), "{}", bout.game.text());
            }
            bout.play(mv);
        }
        bout.assert_won(!loser);
    });
}

#[test]
fn draws_are_held() {
    positions(Wdl::Draw).par_iter().for_each(|(_, text)| {
        let mut bout = Bout::new(text, DrawRules::OFF);
        while bout.goes_on(HELD_TURNS) {
            let (mv, score) = bout.search();
            assert!(score.hundredths().abs() <= 40, "{score:?}: {}", bout.game.text());
            bout.play(mv);
            assert_eq!(bout.wdl(Side::White), Wdl::Draw, "{}", bout.game.text());
        }
        assert_eq!(bout.referee.outcome(), None);
    });
}

/// Plays a side by the tablebase against one that plays at random and expects no half point lost.
fn play_at_random(seed: u64, text: &str, most_turns: usize) -> Bout {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut bout = Bout::new(text, DrawRules::OFF);
    let side = bout.game.to_move();
    let mut expected = bout.wdl(side);
    while bout.goes_on(most_turns) {
        if bout.game.to_move() == side {
            let (mv, _) = bout.search();
            bout.play(mv);
            assert_eq!(bout.wdl(side), expected, "{mv} to {}", bout.game.text());
        } else {
            let mv = *bout.game.moves().choose(&mut rng).expect("the game goes on");
            bout.play(mv);
            assert!(bout.wdl(side) >= expected, "{mv} to {}", bout.game.text());
            expected = bout.wdl(side);
        }
    }
    bout
}

#[test]
fn random_opponents_lose_what_is_lost() {
    positions(Wdl::Win).par_iter().for_each(|(seed, text)| {
        let bout = play_at_random(*seed, text, usize::MAX);
        let winner = Game::from_text(text, RuleSet::default(), DrawRules::OFF).unwrap();
        bout.assert_won(winner.position().to_move());
        assert!(bout.turns <= plies(text), "{text}: {} turns", bout.turns);
    });
}

#[test]
fn random_opponents_win_nothing_that_is_drawn() {
    positions(Wdl::Draw).par_iter().for_each(|(seed, text)| {
        play_at_random(*seed, text, HELD_TURNS_AT_RANDOM);
    });
}
