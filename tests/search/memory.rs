//! What a search leaves in the table does not mislead the next one.

use crate::minimax::Minimax;
use crate::positions::game;
use crate::searches::{ALGORITHMS, engine};
use millstone::position::Position;
use millstone::search::{Limits, Silent};

#[test]
fn a_search_restricted_to_some_moves_does_not_mislead_later_ones() {
    let before = game("*O*O*O**/*@*O@**@/*@****@* w p p 4 5 5 4 0 0 0 0 0 0 0 0 5");
    let mut after = before.clone();
    after.play("d5".parse().unwrap()).unwrap();
    let plain = Minimax { extends_forced: false };
    let root = plain.root(before.position(), 3);
    let best = root.iter().map(|(_, value)| *value).max().unwrap();
    for algorithm in ALGORITHMS {
        for mv in Position::moves(after.position()) {
            let mut engine = engine(algorithm);
            let restricted = Limits { search_moves: vec![mv], ..Limits::to_depth(2) };
            let _ = engine.search(&after, &restricted, &mut Silent);
            let report = engine.search(&before, &Limits::to_depth(3), &mut Silent);
            assert_eq!(report.score, best, "{algorithm:?} after a search of {mv} alone");
        }
    }
}

#[test]
fn the_line_ends_with_the_game() {
    // White a1 b4 d7 f4; Black b6 c5 d2 e3 f6 g1.
    let at = |half: u16| {
        game(&format!("***@***@/*@O*@*O@/O**@*O** w m s 4 0 6 0 0 0 0 0 0 0 0 {half} 10"))
    };
    for algorithm in ALGORITHMS {
        let mut engine = engine(algorithm);
        let _ = engine.search(&at(0), &Limits::to_depth(6), &mut Silent);
        let report = engine.search(&at(99), &Limits::to_depth(2), &mut Silent);
        let mut game = at(99);
        for &mv in &report.pv {
            assert_eq!(game.outcome(), None, "{algorithm:?}: {:?} goes on", report.pv);
            game.play(mv).unwrap();
        }
    }
}
