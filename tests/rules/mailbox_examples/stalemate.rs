//! A side that must move and can not.

use super::{DrawRules, Mailbox, extensions, moves, opened, played, rules, state, verdict};

/// Black can not move.
const BLOCKED: &str = "*O******/O***O@O@/O****O@@ b m s 6 0 4 0 0 0 0 0 0 0 0 10 85";

/// The game from there with a stalemate action, after the moves.
fn blocked(action: u32, moves: &str) -> Mailbox {
    played(&format!("StalemateAction={action}"), BLOCKED, moves)
}

#[test]
fn it_loses_passes_or_draws() {
    assert_eq!(verdict(&blocked(0, "")), "win0:loseNoLegalMoves");
    assert_eq!(state(&blocked(0, "")), "b o ? 6 0 4 0 0 0");
    assert_eq!(state(&blocked(1, "")), "w m s 6 0 4 0 0 0");
    assert_eq!(verdict(&blocked(4, "")), "draw:drawStalemateCondition");
}

#[test]
fn it_passes_again_and_again() {
    let game = blocked(1, "e5-e4");
    assert_eq!(game.text(), "**O*****/O***O@O@/O****O@@ w m s 6 0 4 0 0 0 0 0 0 0 0 11 86");
    assert_eq!(state(&blocked(1, "e5-e4 d6-f6")), "b m s 6 0 4 0 0 0");
}

#[test]
fn it_removes_a_neighbour_and_moves() {
    let game = blocked(2, "");
    assert_eq!(state(&game), "b m r 6 0 4 0 0 1");
    assert_eq!((&*extensions(&game), &*moves(&game)), ("s:1", "xa1 xb4 xd2 xd6 xd7"));
    let after = blocked(2, "xb4");
    assert_eq!((&*state(&after), &*extensions(&after)), ("b m s 5 0 4 0 0 0", ""));
}

#[test]
fn it_removes_a_neighbour_and_passes() {
    let game = blocked(3, "");
    assert_eq!((&*state(&game), &*extensions(&game)), ("b m r 6 0 4 0 0 1", ""));
    assert_eq!(moves(&game), "xa1 xb4 xd2 xd6 xd7");
    assert_eq!(state(&blocked(3, "xb4")), "w m s 5 0 4 0 0 0");
}

#[test]
fn both_remove_a_neighbour_and_it_moves() {
    let game = blocked(5, "");
    assert_eq!((&*state(&game), &*extensions(&game)), ("b m r 6 0 4 0 1 1", "s:2"));
    let reply = blocked(5, "xb4");
    assert_eq!((&*state(&reply), &*extensions(&reply)), ("w m r 5 0 4 0 1 0", "s:2"));
    assert_eq!(moves(&reply), "xa4 xa7 xb2 xb6");
    let after = blocked(5, "xb4 xa4");
    assert_eq!((&*state(&after), &*extensions(&after)), ("b m s 5 0 3 0 0 0", ""));
}

#[test]
fn mills_do_not_protect_neighbours() {
    let text = "O*******/O***O@O@/O****O@@ b m s 6 0 4 0 0 0 0 0 0 0 0 10 85";
    let game = played("StalemateAction=2", text, "");
    assert_eq!(moves(&game), "xa1 xb4 xd2 xd6 xd7");
}

#[test]
fn it_may_slide_into_a_blockade() {
    let text = "*O******/O***O@O@/*O***O@@ w m s 6 0 4 0 0 0 0 0 0 0 0 0 85";
    let after = |action| played(&format!("StalemateAction={action}"), text, "g7-d7");
    assert_eq!(verdict(&after(0)), "win0:loseNoLegalMoves");
    assert_eq!(state(&after(1)), "w m s 6 0 4 0 0 0");
    assert_eq!(state(&after(5)), "b m r 6 0 4 0 1 1");
}

#[test]
fn too_many_slides_come_first() {
    let draws = DrawRules { n_move: 10, endgame_n_move: 10, threefold: true };
    let game = Mailbox::from_text(BLOCKED, rules("StalemateAction=2"), draws);
    assert_eq!(verdict(&game), "draw:drawFiftyMove");
}

#[test]
fn a_surrounded_side_removes_as_usual_while_placing() {
    let zhi_qi = "PiecesCount=12 HasDiagonalLines=true BoardFullAction=1 StalemateAction=2";
    let game =
        opened(zhi_qi, "c4 d6 d1 a4 d3 b6 e3 b4 b2 e5 a7 c5 e4 g7 d7 g4 f2 f4 d5 c3 f6 d2 a1 g1");
    assert_eq!(state(&game), "b p r 12 0 12 0 0 1");
    assert!(game.legal_moves().contains(&"xe3".into()));
}

#[test]
fn the_other_side_removes_a_neighbour_too_or_any_man_if_it_has_none() {
    let near = "*O******/O**@O***/*****@@* w m r 3 0 3 0 1 0 0 0 0 0 0 0 85 s:2";
    assert_eq!(moves(&played("StalemateAction=5", near, "")), "xf2");
    let far = "*O******/O***O***/*****@@@ w m r 3 0 3 0 1 0 0 0 0 0 0 0 85 s:2";
    assert_eq!(moves(&played("StalemateAction=5", far, "")), "xa1 xa4 xa7");
}
