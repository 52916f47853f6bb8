//! No move of an engine that has all sectors gives value away: judged by the moves of the mailbox and the stored
//! values, not by the probes of the search.

use std::sync::Arc;

use super::placing::TABLES;
use super::values::{best, referee, side_of, value_of};
use millstone::board::Side;
use millstone::game::Game;
use millstone::rules::DrawRules;
use millstone::search::{Engine, Limits, Silent};
use millstone::tablebase::{Tablebase, Wdl};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

/// Checks that the moves of a side keep the value. Returns how many there are.
fn judge(tables: &Tablebase, moves: &[String], side: Side) -> usize {
    let mut game = referee("startpos", tables.game().rules());
    let mut judged = 0;
    for mv in moves {
        if side_of(&game.text()) == side {
            let kept = Wdl::from(value_of(tables, &game, mv, side));
            assert_eq!(kept, Wdl::from(best(tables, &game)), "{mv} in {moves:?}");
            judged += 1;
        }
        game.play(mv);
    }
    judged
}

#[test]
fn no_move_gives_value_away() {
    let mut engine = Engine::new(1).unwrap();
    engine.tablebase = Some(Arc::new(TABLES.without_waiting()));
    let men = TABLES.game().men() / 2;
    let text = format!("********/********/******** w p p 0 {men} 0 {men} 0 0 0 0 0 0 0 0 1");
    let mut judged = 0;
    for seed in 0..30 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rules = *TABLES.game().rules();
        let mut game = Game::from_text(&text, rules, DrawRules::default()).unwrap();
        let side = [Side::White, Side::Black][seed as usize % 2];
        let mut moves = Vec::new();
        while game.outcome().is_none() && moves.len() < 40 {
            let mut mv = *game.moves().choose(&mut random).expect("the game goes on");
            if game.to_move() == side {
                let report = engine.search(&game, &Limits::to_depth(2), &mut Silent);
                mv = report.best().expect("a move");
                assert!(report.known.is_some(), "all moves are known");
            }
            moves.push(mv.to_string());
            game.play(mv).unwrap();
        }
        judged += judge(&TABLES, &moves, side);
    }
    assert!(judged >= 200, "{judged}");
}
