//! Rules on which mill programs disagree, or which they leave open: one test for each reading.

use millstone::board::Side;
use millstone::game::Game;
use millstone::position::Phase;
use millstone::protocol::Options;
use millstone::rules::{DrawRules, RuleSet};

/// The rules that options of the protocol make, each `Name=value`.
fn rules(options: &str) -> RuleSet {
    let mut made = Options::default();
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').unwrap();
        made.set(name, Some(value)).unwrap();
    }
    made.rules
}

fn read(text: &str, options: &str) -> Game {
    Game::from_text(text, rules(options), DrawRules::default()).unwrap()
}

fn start(options: &str) -> Game {
    Game::start(rules(options), DrawRules::default())
}

fn play(game: &mut Game, moves: &str) {
    for mv in moves.split_whitespace() {
        game.play(mv.parse().unwrap()).unwrap_or_else(|error| panic!("{error}"));
    }
}

fn moves(game: &Game) -> String {
    let mut moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves.join(" ")
}

fn text(game: &Game) -> String {
    game.text().to_string()
}

fn outcome(game: &Game) -> String {
    game.outcome().map_or_else(|| "ongoing".to_owned(), |outcome| outcome.to_string())
}

#[test]
fn a_removal_that_is_owed_comes_before_the_n_move_rule() {
    let n_move = DrawRules { n_move: 10, endgame_n_move: 10, threefold_repetition: false };
    let fen = "@*******/***@*@**/O*O***@O b m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
    let mut game = Game::from_text(fen, rules("MayFly=false"), n_move).unwrap();
    play(&mut game, "d5-c5 g4-g1 c5-d5 g1-g4 d5-c5 g4-g1 c5-d5 g1-g4 d5-c5 g4-g7");
    assert_eq!(outcome(&game), "ongoing");
    assert_eq!(game.position().pending(), 1);
    play(&mut game, "xf2");
    assert_eq!(game.position().quiet_plies(), 0);
}

#[test]
fn the_slides_that_a_text_counts_count() {
    let game = read("@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 100 60", "");
    assert_eq!(outcome(&game), "draw:drawFiftyMove");
}

#[test]
fn repetition_ends_the_game_and_its_origin_does_not_count() {
    let mut game = read("@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10", "");
    play(&mut game, "f6-f4 d2-b2 f4-f6 b2-d2 f6-f4 d2-b2 f4-f6 b2-d2");
    assert_eq!(outcome(&game), "ongoing");
    play(&mut game, "f6-f4");
    assert_eq!(outcome(&game), "draw:drawThreefoldRepetition");
}

#[test]
fn too_few_men_in_a_text_have_lost() {
    let game = read("********/********/OO**@@*@ w m s 2 0 3 0 0 0 0 0 0 0 0 0 10", "");
    assert_eq!(outcome(&game), "win1:loseFewerThanThree");
}

#[test]
fn men_on_the_board_are_counted_after_a_side_removed_its_own() {
    let fen = "O@O@@O@O/@O@O@O@O/@O@O@O@O w m r 12 0 12 0 -1 -1 0 0 0 0 0 0 13";
    let el_filja = "PiecesCount=12 MillFormationActionInPlacingPhase=5 MayFly=false \
                    MayRemoveFromMillsAlways=true BoardFullAction=1";
    let mut game = read(fen, el_filja);
    assert!(moves(&game).split(' ').all(|mv| game.position().men(Side::White).contains(point(mv))));
    play(&mut game, "xa7");
    assert!(text(&game).contains(" b m r 11 0 12 0 0 -1 "), "{}", text(&game));
    play(&mut game, "xd7");
    assert!(text(&game).contains(" w m s 11 0 11 0 0 0 "), "{}", text(&game));
}

fn point(removal: &str) -> millstone::board::Square {
    removal.trim_start_matches('x').parse().unwrap()
}

const ZHI_QI: &str = "PiecesCount=12 HasDiagonalLines=true BoardFullAction=1 StalemateAction=2";

#[test]
fn removals_while_placing_need_not_be_beside_the_remover() {
    let mut game = start(ZHI_QI);
    play(&mut game, "c4 d6 d1 a4 d3 b6 e3 b4 b2 e5 a7 c5 e4 g7 d7 g4 f2 f4 d5 c3 f6 d2 a1 g1");
    assert_eq!((game.to_move(), game.position().phase()), (Side::Black, Phase::Placing));
    assert!(moves(&game).contains("xe3"));
}

#[test]
fn a_blocked_side_removes_a_man_beside_its_own_and_moves() {
    let blocked = "@OO@@OO@/@OO@**@O/**@**@** w m s 7 0 9 0 0 0 0 0 0 0 0 12 71";
    let mut game = read(blocked, "StalemateAction=2");
    assert!(text(&game).ends_with(" w m r 7 0 9 0 1 0 0 0 0 0 0 12 71 s:1"), "{}", text(&game));
    play(&mut game, "xd5");
    assert!(text(&game).contains(" w m s 7 0 8 0 0 0 "), "{}", text(&game));
}

#[test]
fn placing_stops_at_two_points_after_a_removal_too_and_marks_are_no_empty_points() {
    let da_san_qi = "PiecesCount=12 HasDiagonalLines=true MillFormationActionInPlacingPhase=4 \
                     IsDefenderMoveFirst=true MayRemoveFromMillsAlways=true MayFly=false \
                     StopPlacingWhenTwoEmptySquares=true";
    let mut game = start(da_san_qi);
    play(&mut game, "d2 d3 c3 g7 f4 b6 f6 d7 d1 a4 d6 d5 b4 e3 c4 e5 e4 g4 a7 b2 g1 c5 xf6");
    let position = game.position();
    assert_eq!((position.in_hand(Side::White), position.in_hand(Side::Black)), (0, 0));
    assert_eq!((position.phase(), position.to_move()), (Phase::Moving, Side::Black));
}

#[test]
fn a_mill_that_takes_the_last_man_out_of_a_hand_ends_placing() {
    let mut game = start(
        "PiecesCount=12 HasDiagonalLines=true MillFormationActionInPlacingPhase=2 \
         MayRemoveMultiple=true",
    );
    play(&mut game, "e4 b4 d5 d1 b2 c3 e5 a7 g4 g7 d2 f2 f4 f6 g1 b6 a4 d6 d7 e3");
    assert_eq!(game.position().phase(), Phase::Moving);
    assert!(!game.moves().is_empty());
}

#[test]
fn lines_closed_at_once_are_judged_by_the_points_used_before() {
    let fen = "O*******/*O*@*@*O/O**@***@ w p p 4 5 4 5 0 0 0 0 0 0 0 0 5";
    let mut game = read(fen, "OneTimeUseMill=true MayRemoveMultiple=true");
    play(&mut game, "d6");
    assert_eq!(game.position().pending(), 2);
}

#[test]
fn a_leap_that_completes_a_line_uses_up_no_mill() {
    let fen = "***O*O**/*@******/@***@O** w m s 3 0 3 0 0 0 0 0 0 0 0 0 20";
    let mut game = read(fen, "OneTimeUseMill=true LeapCaptureEnabled=true MayFly=false");
    let leaps: Vec<_> = game.moves().into_iter().filter(|mv| mv.to_string() == "a1-g1").collect();
    assert_eq!(leaps.len(), 1);
    game.play(leaps[0]).unwrap();
    assert_eq!(moves(&game), "xd1");
    assert!(game.position().extras().used[Side::White].is_empty());
}

#[test]
fn a_side_that_can_leap_is_not_blocked() {
    let mut game = start("PiecesCount=12 HasDiagonalLines=true LeapCaptureEnabled=true");
    play(&mut game, "d6 a4 a1 d3 b4 e3 f4 d1 c4 d5 b2 g7 f6 a7 d7 e4 e5 f2 c5 g4 g1 b6 d2 c3 xg1");
    assert_eq!(outcome(&game), "ongoing");
    assert_eq!(moves(&game), "a1-g1");
}

#[test]
fn the_second_man_of_an_intervention_is_removed_even_from_a_mill() {
    let fen = "*****OO*/O******O/*@@@*@@@ w m s 4 0 6 0 0 0 0 0 0 0 0 3 20";
    let mut game = read(fen, "InterventionCaptureEnabled=true");
    play(&mut game, "d6-d7");
    assert!(text(&game).ends_with(" i:w-2-25.31|b-0-"), "{}", text(&game));
    assert_eq!(moves(&game), "xa7 xg7");
    play(&mut game, "xa7");
    assert!(text(&game).ends_with(" i:w-1-25|b-0-"), "{}", text(&game));
    assert_eq!(moves(&game), "xg7");
    play(&mut game, "xg7");
    assert_eq!(game.to_move(), Side::Black);
}

#[test]
fn the_n_move_rule_comes_before_the_removal_of_a_blocked_side() {
    let draws = DrawRules { n_move: 10, endgame_n_move: 10, threefold_repetition: true };
    let fen = "*O****O*/O***O@*@/O****O@@ w m s 6 0 4 0 0 0 0 0 0 0 0 9 85";
    for action in 0..=5 {
        let rules = rules(&format!("StalemateAction={action}"));
        let mut game = Game::from_text(fen, rules, draws).unwrap();
        play(&mut game, "c4-b4");
        assert_eq!(outcome(&game), "draw:drawFiftyMove", "{action}");
    }
}

#[test]
fn a_removal_for_the_last_placement_is_another_position_than_one_for_a_slide() {
    let options = "PiecesCount=12 HasDiagonalLines=true IsDefenderMoveFirst=true";
    let fen = "OOO@@@**/OOO@*@**/OOO@@@** b p r 9 0 8 0 0 1 0 0 0 0 0 0 13";
    let [placed, slid] = [fen, &fen.replace(" p ", " m ")].map(|text| read(text, options));
    assert_ne!(placed.position().key(), slid.position().key());
    let next = [placed, slid].map(|mut game| {
        play(&mut game, "xd5");
        game.to_move()
    });
    assert_eq!(next, [Side::Black, Side::White]);
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
    let options = "RestrictRepeatedMillsFormation=true";
    let mut game = start(options);
    play(&mut game, "d7 d5 g7 e5 a7");
    assert!(text(&game).contains(" w p r 3 6 2 7 1 0 0 31 0 0 "), "{}", text(&game));
    play(&mut game, "xd5 f2 d1");
    assert!(text(&game).contains(" b p p 4 5 2 6 0 0 0 31 0 0 "), "{}", text(&game));
}

#[test]
fn a_side_without_men_in_hand_moves_while_the_other_places() {
    let fen = "O*@**@O*/O@*@*O@*/O@**@O*O w m s 7 0 7 1 0 0 0 0 0 0 0 0 9";
    let lasker = "PiecesCount=10 MayMoveInPlacingPhase=true MillFormationActionInPlacingPhase=2";
    let game = read(fen, lasker);
    assert_eq!(game.position().phase(), Phase::Moving);
    assert!(game.moves().iter().all(|mv| mv.to_string().contains('-')));
}

#[test]
fn the_opponent_removes_one_of_its_own_men_and_goes_on() {
    let mut game = start("MillFormationActionInPlacingPhase=3");
    play(&mut game, "d7 a1 g7 d1 a7");
    assert_eq!(moves(&game), "xa1 xd1");
    assert!(text(&game).contains(" b p r 3 6 2 7 0 -1 "), "{}", text(&game));
    play(&mut game, "xa1");
    assert!(text(&game).contains(" b p p 3 6 1 7 0 0 "), "{}", text(&game));
    assert_eq!(moves(&game).split(' ').count(), 20);
}
