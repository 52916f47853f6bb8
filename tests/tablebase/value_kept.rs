//! No move of an engine that has all sectors gives value away: judged by the moves of the mailbox and the stored
//! values, not by the probes of the search.

use std::env;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::placing::{NO_DRAWS, TABLES, derived, side_of, value_of};
use crate::mailbox::{Mailbox, Rules};
use crate::tablebases;
use millstone::board::Side;
use millstone::game::Game;
use millstone::rules::DrawRules;
use millstone::search::{Engine, Limits, Silent};
use millstone::tablebase::{Tablebase, Wdl};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde_json::Value;

/// The moves of one side in a game, judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Judged {
    moves: usize,
    /// Those that give value away.
    faults: usize,
    /// Whether the side had a won position.
    could_win: bool,
}

/// Judges the moves that a side plays from the start of a game, after those of the opening.
fn judge(tables: &Tablebase, moves: &[String], opening: usize, side: Side) -> Judged {
    let pieces_count = tables.game().men() / 2;
    let mut game =
        Mailbox::from_text("startpos", Rules { pieces_count, ..Rules::default() }, NO_DRAWS);
    let mut judged = Judged::default();
    for (number, mv) in moves.iter().enumerate() {
        let to_move = side_of(&game.text());
        if number >= opening && to_move as usize == side as usize {
            let best = derived(tables, &game, to_move);
            judged.moves += 1;
            judged.faults += usize::from(value_of(tables, &game, mv, to_move) != best);
            judged.could_win |= best == Wdl::Win;
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
        let of_game = judge(&TABLES, &moves, 0, side);
        assert_eq!(of_game.faults, 0, "{moves:?}");
        judged += of_game.moves;
    }
    assert!(judged >= 200, "{judged}");
}

/// The moves of the first engine of matches whose logs `MILLSTONE_LOGS` names, begun at the start of Nine Men's
/// Morris and played with all sectors, which are in the folder `MILLSTONE_TABLEBASE`. Prints how many there are
/// and how many won positions were won.
#[test]
fn no_move_of_logged_matches_gives_value_away() {
    let (Some(folder), Some(logs)) =
        (env::var_os("MILLSTONE_TABLEBASE"), env::var_os("MILLSTONE_LOGS"))
    else {
        return;
    };
    let tables = tablebases::open(Path::new(&folder));
    for log in env::split_paths(&logs) {
        let text = fs::read_to_string(&log).expect("a log");
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let games: Vec<&Value> = lines.iter().filter(|line| line["moves"].is_string()).collect();
        let judged = games.par_iter().map(|game| {
            let moves = game["moves"].as_str().unwrap().split(' ').map(str::to_owned);
            let is_white = game["white"] == 0;
            let side = if is_white { Side::White } else { Side::Black };
            assert!(game["start"].is_null(), "not from the start: {game}");
            let opening = game["opening_plies"].as_u64().expect("a number") as usize;
            let of_game = judge(&tables, &moves.collect::<Vec<_>>(), opening, side);
            assert_eq!(of_game.faults, 0, "{game}");
            let is_won = game["result"] == if is_white { "1-0" } else { "0-1" };
            (of_game.moves, usize::from(of_game.could_win), usize::from(is_won))
        });
        let (moves, could_win, won) = judged
            .reduce(|| (0, 0, 0), |one, other| (one.0 + other.0, one.1 + other.1, one.2 + other.2));
        println!(
            "{}: {} games, {moves} moves judged, {could_win} could be won, {won} won",
            log.display(),
            games.len()
        );
    }
}
