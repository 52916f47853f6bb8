//! Slides while men are in hand, and the end of the placing phase.

use super::{DrawRules, Mailbox, moves, opened, played, rules, state, verdict};

/// Twelve men a side with diagonals.
const TWELVE: &str = "PiecesCount=12 HasDiagonalLines=true";

/// Black fills the board with d7 and closes no mill.
const LAST_POINT: &str = "O@OO@@OO/O@O@@O@@/*O@@O@OO b p p 12 0 11 1 0 0 0 0 0 0 0 0 12";

/// The board when it is full, and `side` is to move.
fn full_board(side: &str) -> String {
    format!("O@OO@@OO/O@O@@O@@/@O@@O@OO {side} m s 12 0 12 0 0 0 0 0 0 0 0 0 13")
}

#[test]
fn men_may_slide_while_others_are_in_hand() {
    let lasker = "PiecesCount=10 MayMoveInPlacingPhase=true";
    let game = opened(lasker, "d6 f4");
    assert_eq!(game.legal_moves().len(), 22 + 4);
    let slid = opened(lasker, "d6 f4 d6-d7");
    assert_eq!(slid.text(), "********/**@*****/O******* b p p 1 9 1 9 0 0 0 0 0 0 0 1 2");
    let mill = "********/O*******/*O*@*@@O w p p 3 1 3 1 0 0 0 0 0 0 0 0 10";
    let action = "MayMoveInPlacingPhase=true MillFormationActionInPlacingPhase=1";
    assert_eq!(state(&played(action, mill, "d6-d7")), "w p r 3 1 3 1 1 0");
}

#[test]
fn slides_count_for_draws_while_others_are_in_hand() {
    let there_and_back = ["d6-d7", "f4-f6", "d7-d6", "f6-f4"];
    let game = |draws, count| {
        let mut game = Mailbox::from_text("startpos", rules("MayMoveInPlacingPhase=true"), draws);
        let slides = there_and_back.into_iter().cycle().take(count);
        ["d6", "f4"].into_iter().chain(slides).for_each(|move_text| game.play(move_text));
        verdict(&game)
    };
    assert_eq!(game(DrawRules::default(), 8), "ongoing");
    assert_eq!(game(DrawRules::default(), 9), "draw:drawThreefoldRepetition");
    let draws = DrawRules { n_move: 10, endgame_n_move: 5, threefold: false };
    assert_eq!(game(draws, 9), "ongoing");
    assert_eq!(game(draws, 10), "draw:drawFiftyMove");
}

#[test]
fn who_begins_the_moving_phase() {
    let white_last = "O**O****/*O**@*@*/**O*@*** w p p 4 1 3 0 0 0 0 0 0 0 0 0 9";
    let black_last = "O**O****/*O**@*@*/**O*@*** b p p 4 0 3 1 0 0 0 0 0 0 0 0 9";
    let mover = |options, text| state(&played(options, text, "a7"))[..5].to_string();
    assert_eq!(mover("", white_last), "w m s");
    assert_eq!(mover("MayMoveInPlacingPhase=true", white_last), "b m s");
    assert_eq!(mover("MillFormationActionInPlacingPhase=1", white_last), "b m s");
    assert_eq!(mover("MillFormationActionInPlacingPhase=2", white_last), "w m s");
    assert_eq!(mover("", black_last), "w m s");
    assert_eq!(mover("IsDefenderMoveFirst=true", black_last), "b m s");
    let both = "MayMoveInPlacingPhase=true IsDefenderMoveFirst=true";
    assert_eq!(mover(both, black_last), "b m s");
}

#[test]
fn the_last_placement_removes_in_the_placing_phase() {
    let text = "@*******/********/O*@*@@*O w p p 2 1 4 0 0 0 0 0 0 0 0 0 5";
    assert_eq!(state(&played("", text, "g7")), "w p r 3 0 4 0 1 0");
    assert_eq!(state(&played("", text, "g7 xd5")), "w m s 3 0 3 0 0 0");
}

#[test]
fn a_side_without_hand_moves_while_the_other_places() {
    let text = "O**O****/*O**@*@*/**O*@*** w m s 4 0 3 2 0 0 0 0 0 0 0 0 9";
    assert!(moves(&played("", text, "")).starts_with("d5-c5 d5-d6 d5-e5 "));
    assert_eq!(played("flyPieceCount=4", text, "").legal_moves().len(), 4 * 17);
    assert_eq!(state(&played("", text, "d5-c5")), "b p p 4 0 3 2 0 0");
}

#[test]
fn a_full_board_ends_the_game_or_is_thinned_out() {
    let game =
        |action: &str| played(&format!("{TWELVE} BoardFullAction={action}"), LAST_POINT, "d7");
    assert_eq!(verdict(&game("0")), "win1:loseFullBoard");
    assert_eq!(state(&game("0")), "w o ? 12 0 12 0 0 0");
    assert_eq!(state(&game("1")), "w m r 12 0 12 0 1 1");
    assert_eq!(state(&game("2")), "b m r 12 0 12 0 1 1");
    assert_eq!(state(&game("3")), "w m r 12 0 12 0 1 0");
    assert_eq!(state(&game("3 IsDefenderMoveFirst=true")), "b m r 12 0 12 0 0 1");
    assert_eq!(verdict(&game("4")), "draw:drawFullBoard");
    let mut both = game("2");
    both.play(&both.legal_moves()[0]);
    assert_eq!(state(&both), "w m r 11 0 12 0 1 0");
    both.play(&both.legal_moves()[0]);
    assert_eq!(state(&both), "b m s 11 0 11 0 0 0");
}

#[test]
fn a_text_may_show_a_full_board() {
    let end = |options: &str, side| {
        verdict(&played(&format!("{TWELVE} {options}"), &full_board(side), ""))
    };
    assert_eq!(end("BoardFullAction=0", "w"), "win1:loseFullBoard");
    assert_eq!(end("BoardFullAction=4", "b"), "draw:drawFullBoard");
    assert_eq!(end("BoardFullAction=1", "b"), "win0:loseNoLegalMoves");
    assert_eq!(end("BoardFullAction=1 StalemateAction=1", "b"), "draw:drawStalemateCondition");
}

#[test]
fn placing_may_stop_with_two_points_left() {
    let text = "O@OO@@OO/O@O@@O@@/*O@@O@** w p p 10 2 11 1 0 0 0 0 0 0 0 0 11";
    assert_eq!(state(&played(TWELVE, text, "a4")), "b p p 11 1 11 1 0 0");
    let stop = format!("{TWELVE} StopPlacingWhenTwoEmptySquares=true");
    assert_eq!(state(&played(&stop, text, "a4")), "w m s 11 0 11 0 0 0");
}

#[test]
fn marks_are_no_empty_points() {
    let text = "O@OO@@OO/O@O@@O@@/XO@@O@** w p p 10 1 11 1 0 0 0 0 0 0 0 0 11";
    let stop =
        format!("{TWELVE} StopPlacingWhenTwoEmptySquares=true MillFormationActionInPlacingPhase=4");
    let game = played(&stop, text, "a4");
    assert_eq!(state(&game), "w m s 11 0 11 0 0 0");
    assert!(game.text().starts_with("O@OO@@OO/O@O@@O@@/*O@@O@O* "));
}
