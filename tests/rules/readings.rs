//! Rules on which mill programs disagree, or which they leave open: one test for each reading.

use millstone::board::Side;
use millstone::game::Game;
use millstone::position::Phase;
use millstone::protocol::Options;
use millstone::rules::{DrawRules, RuleSet};

const LATE: DrawRules = DrawRules { n_move: 10, endgame_n_move: 10, threefold_repetition: true };
const ZHI_QI: &str = "PiecesCount=12 HasDiagonalLines=true BoardFullAction=1 StalemateAction=2";
const DA_SAN_QI: &str = "PiecesCount=12 HasDiagonalLines=true MillFormationActionInPlacingPhase=4 \
     IsDefenderMoveFirst=true MayRemoveFromMillsAlways=true MayFly=false \
     StopPlacingWhenTwoEmptySquares=true";
const EL_FILJA: &str = "PiecesCount=12 MillFormationActionInPlacingPhase=5 MayFly=false \
     MayRemoveFromMillsAlways=true BoardFullAction=1";

/// The rules that options of the protocol make, each `Name=value`.
fn rules(options: &str) -> RuleSet {
    let mut made = Options::default();
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').unwrap();
        made.set(name, Some(value)).unwrap();
    }
    made.rules
}

/// The game from a text, or from its start, after some moves.
fn played_by(draws: DrawRules, options: &str, text: &str, moves: &str) -> Game {
    let rules = rules(options);
    let mut game = match text {
        "startpos" => Game::start(rules, draws),
        text => Game::from_text(text, rules, draws).unwrap(),
    };
    for mv in moves.split_whitespace() {
        game.play(mv.parse().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    }
    game
}

fn played(options: &str, text: &str, moves: &str) -> Game {
    played_by(DrawRules::default(), options, text, moves)
}

/// The text of a game, its legal moves, and how it ended, each in brackets.
fn state(game: &Game) -> String {
    let mut moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    let outcome = game.outcome().map_or_else(|| "ongoing".to_owned(), |it| it.to_string());
    format!("[{}] [{}] [{outcome}]", game.text(), moves.join(" "))
}

/// Checks that the state after each part of the moves, which semicolons end, has what is expected.
fn expect(options: &str, text: &str, moves: &str, expected: &[&str]) {
    let ends = moves.match_indices(';').map(|(end, _)| end);
    let parts: Vec<&str> = ends.chain([moves.len()]).map(|end| &moves[..end]).collect();
    assert_eq!(parts.len(), expected.len());
    for (moves, expected) in parts.into_iter().zip(expected) {
        let state = state(&played(options, text, &moves.replace(';', " ")));
        assert!(state.contains(expected), "{expected} is not in {state}");
    }
}

#[test]
fn a_removal_that_is_owed_comes_before_the_n_move_rule() {
    let text = "@*******/***@*@**/O*O***@O b m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
    let draws = DrawRules { threefold_repetition: false, ..LATE };
    let slides = "d5-c5 g4-g1 c5-d5 g1-g4 d5-c5 g4-g1 c5-d5 g1-g4 d5-c5 g4-g7";
    let mut game = played_by(draws, "MayFly=false", text, slides);
    assert_eq!((game.outcome(), game.position().pending()), (None, 1));
    game.play("xf2".parse().unwrap()).unwrap();
    assert_eq!(game.position().quiet_plies(), 0);
}

#[test]
fn the_slides_that_a_text_counts_count() {
    let text = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 100 60";
    expect("", text, "", &["[draw:drawFiftyMove]"]);
}

#[test]
fn repetition_ends_the_game_and_its_origin_does_not_count() {
    let text = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";
    let slides = "f6-f4 d2-b2 f4-f6 b2-d2 f6-f4 d2-b2 f4-f6 b2-d2;f6-f4";
    expect("", text, slides, &["[ongoing]", "[draw:drawThreefoldRepetition]"]);
}

#[test]
fn too_few_men_in_a_text_have_lost() {
    let text = "********/********/OO**@@*@ w m s 2 0 3 0 0 0 0 0 0 0 0 0 10";
    expect("", text, "", &["[win1:loseFewerThanThree]"]);
}

#[test]
fn men_on_the_board_are_counted_after_a_side_removed_its_own() {
    let text = "O@O@@O@O/@O@O@O@O/@O@O@O@O w m r 12 0 12 0 -1 -1 0 0 0 0 0 0 13";
    let own = "[xa1 xa7 xb2 xb6 xc3 xc5 xd5 xe4 xf2 xf6 xg1 xg7]";
    let after = [own, " b m r 11 0 12 0 0 -1 ", " w m s 11 0 11 0 0 0 "];
    expect(EL_FILJA, text, ";xa7;xd7", &after);
}

#[test]
fn removals_while_placing_need_not_be_beside_the_remover() {
    let moves = "c4 d6 d1 a4 d3 b6 e3 b4 b2 e5 a7 c5 e4 g7 d7 g4 f2 f4 d5 c3 f6 d2 a1 g1";
    let game = played(ZHI_QI, "startpos", moves);
    assert_eq!((game.position().to_move(), game.position().phase()), (Side::Black, Phase::Placing));
    assert!(game.moves().contains(&"xe3".parse().unwrap()));
}

#[test]
fn a_blocked_side_removes_a_man_beside_its_own_and_moves() {
    let text = "@OO@@OO@/@OO@**@O/**@**@** w m s 7 0 9 0 0 0 0 0 0 0 0 12 71";
    let after = [" w m r 7 0 9 0 1 0 0 0 0 0 0 12 71 s:1]", " w m s 7 0 8 0 0 0 "];
    expect("StalemateAction=2", text, ";xd5", &after);
}

#[test]
fn placing_stops_at_two_points_after_a_removal_too_and_marks_are_no_empty_points() {
    let moves = "d2 d3 c3 g7 f4 b6 f6 d7 d1 a4 d6 d5 b4 e3 c4 e5 e4 g4 a7 b2 g1 c5 xf6";
    let game = played(DA_SAN_QI, "startpos", moves);
    let position = game.position();
    assert_eq!((position.in_hand(Side::White), position.in_hand(Side::Black)), (0, 0));
    assert_eq!((position.phase(), position.to_move()), (Phase::Moving, Side::Black));
}

#[test]
fn a_mill_that_takes_the_last_man_out_of_a_hand_ends_placing() {
    let options = "PiecesCount=12 HasDiagonalLines=true MillFormationActionInPlacingPhase=2 \
                   MayRemoveMultiple=true";
    let moves = "e4 b4 d5 d1 b2 c3 e5 a7 g4 g7 d2 f2 f4 f6 g1 b6 a4 d6 d7 e3";
    let game = played(options, "startpos", moves);
    assert_eq!(game.position().phase(), Phase::Moving);
    assert!(!game.moves().is_empty());
}

#[test]
fn lines_closed_at_once_are_judged_by_the_points_used_before() {
    let text = "O*******/*O*@*@*O/O**@***@ w p p 4 5 4 5 0 0 0 0 0 0 0 0 5";
    let game = played("OneTimeUseMill=true MayRemoveMultiple=true", text, "d6");
    assert_eq!(game.position().pending(), 2);
}

#[test]
fn a_leap_that_completes_a_line_uses_up_no_mill() {
    let text = "***O*O**/*@******/@***@O** w m s 3 0 3 0 0 0 0 0 0 0 0 0 20";
    let options = "OneTimeUseMill=true LeapCaptureEnabled=true MayFly=false";
    expect(options, text, "a1-g1", &["[xd1]"]);
    assert!(played(options, text, "a1-g1").position().extras().used[Side::White].is_empty());
}

#[test]
fn a_side_that_can_leap_is_not_blocked() {
    let options = "PiecesCount=12 HasDiagonalLines=true LeapCaptureEnabled=true";
    let moves = "d6 a4 a1 d3 b4 e3 f4 d1 c4 d5 b2 g7 f6 a7 d7 e4 e5 f2 c5 g4 g1 b6 d2 c3 xg1";
    expect(options, "startpos", moves, &["[a1-g1] [ongoing]"]);
}

#[test]
fn the_second_man_of_an_intervention_is_removed_even_from_a_mill() {
    let text = "*****OO*/O******O/*@@@*@@@ w m s 4 0 6 0 0 0 0 0 0 0 0 3 20";
    let after = [" i:w-2-25.31|b-0-] [xa7 xg7]", " i:w-1-25|b-0-] [xg7]", " b m s "];
    expect("InterventionCaptureEnabled=true", text, "d6-d7;xa7;xg7", &after);
}

#[test]
fn the_n_move_rule_comes_before_the_removal_of_a_blocked_side() {
    let text = "*O****O*/O***O@*@/O****O@@ w m s 6 0 4 0 0 0 0 0 0 0 0 9 85";
    for action in 0..=5 {
        let game = played_by(LATE, &format!("StalemateAction={action}"), text, "c4-b4");
        assert!(state(&game).ends_with("[draw:drawFiftyMove]"), "{action}");
    }
}

#[test]
fn a_removal_for_the_last_placement_is_another_position_than_one_for_a_slide() {
    let options = "PiecesCount=12 HasDiagonalLines=true IsDefenderMoveFirst=true";
    let placed = "OOO@@@**/OOO@*@**/OOO@@@** b p r 9 0 8 0 0 1 0 0 0 0 0 0 13";
    let slid = placed.replace(" p ", " m ");
    let key = |text| played(options, text, "").position().key();
    assert_ne!(key(placed), key(&slid));
    expect(options, placed, "xd5", &[" b m s "]);
    expect(options, &slid, "xd5", &[" w m s "]);
}

#[test]
fn texts_that_no_game_reaches_are_refused() {
    let cases = [
        // A capture of the opponent's man by a side that removes its own.
        (
            "@*OO@O*@/@O*@*@O*/OOO*@@O* w p r 9 0 8 0 -1 0 0 0 0 0 0 0 10 i:w-2-15.8|b-0-",
            "MillFormationActionInPlacingPhase=3 InterventionCaptureEnabled=true",
        ),
        // Both sides remove their own, but only one closed a mill.
        (
            "*@*OOOO@/*O@*O***@/***OOO@* b p r 9 1 5 2 -2 -1 0 0 0 0 0 0 10",
            "PiecesCount=10 MillFormationActionInPlacingPhase=3 MayRemoveMultiple=true",
        ),
        // Three removals for one stalemate.
        (
            "@OO@@OO@/@OO@**@O/**@**@** w m r 7 0 9 0 3 0 0 0 0 0 0 12 71 s:1",
            "StalemateAction=2 MayRemoveMultiple=true",
        ),
        // A stalemate of a side that can move.
        ("@**O****/*O**@***/O***@*@O w m r 4 0 4 0 1 0 0 0 0 0 0 0 10 s:1", "StalemateAction=2"),
        // Men removed by the numbers of mills while others are placed.
        (
            "OOO*****/@@@*****/******** w p r 3 9 3 9 3 3 0 0 0 0 0 0 5",
            "PiecesCount=12 MillFormationActionInPlacingPhase=5",
        ),
        // Captures off every line, and one family twice.
        (
            "@@@*****/O***O**O/******** w p r 3 6 3 6 1 0 0 0 0 0 0 0 5 c:w-1-8.9.10|b-0-",
            "CustodianCaptureEnabled=true",
        ),
        (
            "@@@*****/O***O**O/******** w p r 3 6 3 6 1 0 0 0 0 0 0 0 5 c:w-0-|b-0- c:w-0-|b-0-",
            "CustodianCaptureEnabled=true",
        ),
        // A mill closed by going nowhere.
        (
            "********/O***O**@/@******* w p p 2 7 2 7 0 0 8 8 0 0 0 0 3",
            "RestrictRepeatedMillsFormation=true",
        ),
    ];
    for (text, options) in cases {
        let read = Game::from_text(text, rules(options), DrawRules::default());
        assert!(read.is_err(), "{text}");
    }
}

#[test]
fn every_mill_is_remembered_with_the_point_that_its_man_left() {
    let after = [" w p r 3 6 2 7 1 0 0 31 0 0 ", " b p p 4 5 2 6 0 0 0 31 0 0 "];
    expect("RestrictRepeatedMillsFormation=true", "startpos", "d7 d5 g7 e5 a7;xd5 f2 d1", &after);
}

#[test]
fn a_side_without_men_in_hand_moves_while_the_other_places() {
    let text = "O*@**@O*/O@*@*O@*/O@**@O*O w m s 7 0 7 1 0 0 0 0 0 0 0 0 9";
    let lasker = "PiecesCount=10 MayMoveInPlacingPhase=true MillFormationActionInPlacingPhase=2";
    let game = played(lasker, text, "");
    assert_eq!(game.position().phase(), Phase::Moving);
    assert!(game.moves().iter().all(|mv| mv.to_string().contains('-')));
}

#[test]
fn the_opponent_removes_one_of_its_own_men_and_goes_on() {
    let after = [" b p r 3 6 2 7 0 -1 ", " b p p 3 6 1 7 0 0 "];
    let options = "MillFormationActionInPlacingPhase=3";
    expect(options, "startpos", "d7 a1 g7 d1 a7;xa1", &after);
    expect(options, "startpos", "d7 a1 g7 d1 a7", &["[xa1 xd1]"]);
    assert_eq!(played(options, "startpos", "d7 a1 g7 d1 a7 xa1").moves().len(), 20);
}
