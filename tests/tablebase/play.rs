//! Play by tablebases: wins are won in the plies given, draws are held, whoever the opponent is.

use super::bouts::{Bout, TABLES, draw, plies};
use crate::size::usual_or_full;
use millstone::board::Side;
use millstone::rules::DrawRules;
use millstone::tablebase::{SectorFile, Wdl};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// How many turns of both sides a draw has to be held.
const HELD_TURNS: usize = 100;

/// Random positions with a value, spread over all sectors that have any.
fn positions(wdl: Wdl) -> Vec<String> {
    let has_any = |file: &&SectorFile| match wdl {
        Wdl::Win => file.statistics().wins > 0,
        Wdl::Draw => file.statistics().draws > 0,
        Wdl::Loss => file.statistics().losses > 0,
    };
    let files: Vec<_> = TABLES.files().filter(has_any).collect();
    let seeds = (0..usual_or_full(40, 2_000_u64)).collect::<Vec<_>>();
    let position = |&seed: &u64| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        draw(files[seed as usize % files.len()], wdl, &mut rng)
    };
    seeds.par_iter().map(position).collect()
}

#[test]
fn wins_are_won_in_the_plies_given() {
    positions(Wdl::Win).par_iter().for_each(|text| {
        Bout::new(text, DrawRules::OFF).play_win(plies(text));
        if plies(text) < DrawRules::default().n_move.into() {
            Bout::new(text, DrawRules::default()).play_win(plies(text));
        }
    });
}

#[test]
fn draws_are_held() {
    positions(Wdl::Draw).par_iter().for_each(|text| {
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
