//! Captures without mills.

use super::{extensions, moves, opened, played, state, verdict};

/// White's d7 closes a mill and takes d6 between itself and d5.
const MILL_AND_PAIR: &str = "O*******/@*@*****/*O***@*O w p p 3 6 3 6 0 0 0 0 0 0 0 0 4";

/// White's d6 comes between two pairs.
const TWO_PAIRS: &str = "@*******/*@*****@/@******* w p p 0 9 4 5 0 0 0 0 0 0 0 0 5";

/// White's c3 may leap over d3 to e3.
const LEAP: &str = "*OO*@O*O/@*O@O@@O/**@O@@O@ w m s 9 0 9 0 0 0 0 0 0 0 0 0 10";

#[test]
fn a_man_between_two_is_taken() {
    let game = opened("CustodianCaptureEnabled=true", "d7 a7 a4 g7");
    assert_eq!((&*state(&game), &*moves(&game)), ("b p r 2 7 2 7 0 1", "xd7"));
    assert_eq!(extensions(&game), "c:w-0-|b-1-24");
    let after = opened("CustodianCaptureEnabled=true", "d7 a7 a4 g7 xd7");
    assert_eq!((&*state(&after), &*extensions(&after)), ("w p p 1 7 2 7 0 0", ""));
}

#[test]
fn two_men_with_one_between_are_taken() {
    let game =
        |more: &str| opened("InterventionCaptureEnabled=true", &format!("b2 a7 b4 g7 d7 {more}"));
    assert_eq!((&*state(&game("")), &*moves(&game(""))), ("w p r 3 6 2 7 2 0", "xa7 xg7"));
    assert_eq!(extensions(&game("")), "i:w-2-25.31|b-0-");
    assert_eq!((&*state(&game("xa7")), &*moves(&game("xa7"))), ("w p r 3 6 1 7 1 0", "xg7"));
    assert_eq!(extensions(&game("xa7")), "i:w-1-25|b-0-");
    assert_eq!(
        (&*state(&game("xa7 xg7")), &*extensions(&game("xa7 xg7"))),
        ("b p p 3 6 0 7 0 0", "")
    );
}

#[test]
fn the_switches_say_where_and_when() {
    let owes = |switches: &str| {
        let game = opened(&format!("CustodianCaptureEnabled=true {switches}"), "d7 a7 a4 g7");
        game.text().contains(" b p r ")
    };
    assert!(!owes("CustodianCaptureOnSquareEdges=false"));
    assert!(owes("CustodianCaptureOnCrossLines=false"));
    assert!(!owes("CustodianCaptureInPlacingPhase=false"));
    assert!(owes("CustodianCaptureInMovingPhase=false"));
    assert!(owes("CustodianCaptureOnlyWhenOwnPiecesLeq3=true"));
    assert!(!owes("CustodianCaptureEnabled=false"));
}

#[test]
fn a_capture_may_be_for_the_weak_while_moving() {
    let weak = "CustodianCaptureEnabled=true CustodianCaptureOnlyWhenOwnPiecesLeq3=true";
    let three = "****O***/********/@*O**@@O w m s 3 0 3 0 0 0 0 0 0 0 0 0 10";
    assert_eq!(state(&played(weak, three, "g4-g7")), "w m r 3 0 3 0 1 0");
    let four = "****O*O*/********/@*O**@@O w m s 4 0 3 0 0 0 0 0 0 0 0 0 10";
    assert_eq!(state(&played(weak, four, "g4-g7")), "b m s 4 0 3 0 0 0");
}

#[test]
fn a_mill_protects_from_captures() {
    let text = "@*******/********/@@*****@ w p p 0 9 4 5 0 0 0 0 0 0 0 0 5";
    let game = played("InterventionCaptureEnabled=true", text, "d6");
    assert_eq!((&*moves(&game), &*extensions(&game)), ("xd5", "i:w-1-8|b-0-"));
}

#[test]
fn the_second_of_two_men_is_taken_even_from_a_mill() {
    let text = "********/********/*@@@*@@@ w p p 0 9 6 3 0 0 0 0 0 0 0 0 6";
    let game = |moves| played("InterventionCaptureEnabled=true", text, moves);
    assert_eq!(moves(&game("d7")), "xa7 xg7");
    assert_eq!(moves(&game("d7 xa7")), "xg7");
}

#[test]
fn one_line_of_several_counts() {
    let on = "InterventionCaptureEnabled=true";
    assert_eq!(extensions(&played(on, TWO_PAIRS, "d6")), "i:w-2-8.24|b-0-");
    let preferred = format!("{TWO_PAIRS} p:23");
    assert_eq!(extensions(&played(on, &preferred, "d6")), "i:w-2-17.23|b-0-");
    let no_cross_lines = "InterventionCaptureEnabled=true InterventionCaptureOnCrossLines=false";
    assert_eq!(extensions(&played(no_cross_lines, TWO_PAIRS, "d6")), "i:w-2-17.23|b-0-");
}

#[test]
fn both_captures_add_up_and_the_first_removal_decides() {
    let both = "InterventionCaptureEnabled=true CustodianCaptureEnabled=true";
    let text = "O*******/@*****@*/*@*****@ w p p 1 8 4 5 0 0 0 0 0 0 0 0 5";
    let game = played(both, text, "d7");
    assert_eq!((&*state(&game), &*moves(&game)), ("w p r 2 7 4 5 3 0", "xa7 xd6 xg7"));
    assert_eq!(extensions(&game), "c:w-1-16|b-0- i:w-2-25.31|b-0-");
    assert_eq!(state(&played(both, text, "d7 xd6")), "b p p 2 7 3 5 0 0");
    let one_left = played(both, text, "d7 xa7");
    assert_eq!((&*state(&one_left), &*moves(&one_left)), ("w p r 2 7 3 5 1 0", "xg7"));
    assert_eq!(extensions(&one_left), "i:w-1-25|b-0-");
}

#[test]
fn a_mill_leaves_only_the_captures_to_choose_from() {
    let game = played("CustodianCaptureEnabled=true", MILL_AND_PAIR, "d7");
    assert_eq!((&*state(&game), &*moves(&game)), ("w p r 4 5 3 6 1 0", "xd6"));
    assert_eq!(extensions(&game), "c:w-1-16|b-0-");
}

#[test]
fn a_placement_that_removes_several_offers_all() {
    let multiple = "CustodianCaptureEnabled=true MayRemoveMultiple=true";
    let game = |moves| played(multiple, MILL_AND_PAIR, moves);
    assert_eq!(state(&game("d7")), "w p r 4 5 3 6 2 0");
    assert_eq!(moves(&game("d7")), "xa1 xd6 xf4");
    assert_eq!(state(&game("d7 xd6")), "b p p 4 5 2 6 0 0");
    let mill = game("d7 xa1");
    assert_eq!((&*state(&mill), &*extensions(&mill)), ("w p r 4 5 2 6 1 0", ""));
    assert_eq!(moves(&mill), "xd6 xf4");
    let sliding = "O**O****/@*@*****/*O***@*O w m s 4 0 3 0 0 0 0 0 0 0 0 0 4";
    let slid = played(&format!("{multiple} flyPieceCount=4"), sliding, "e3-d7");
    assert_eq!((&*state(&slid), &*moves(&slid)), ("w m r 4 0 3 0 1 0", "xd6"));
}

#[test]
fn the_mill_of_a_placement_is_paid_beside_the_capture() {
    let game = |action: &str, moves| {
        let action = format!("MillFormationActionInPlacingPhase={action}");
        played(&format!("CustodianCaptureEnabled=true {action}"), MILL_AND_PAIR, moves)
    };
    for action in ["1", "2"] {
        assert_eq!(state(&game(action, "d7")), "w p r 4 5 3 5 1 0");
        assert_eq!(moves(&game(action, "d7")), "xd6");
        assert_eq!(state(&game(action, "d7 xd6")), "b p p 4 5 2 5 0 0");
    }
    assert_eq!(state(&game("3", "d7")), "w p r 4 5 3 6 1 -1");
    assert_eq!(state(&game("3", "d7 xd6")), "b p r 4 5 2 6 0 -1");
    assert_eq!(state(&game("3", "d7 xd6 xa1")), "b p p 4 5 1 6 0 0");
    assert!(game("4", "d7 xd6").text().starts_with("O*******/X*@*****/OO***@*O b p p"));
    assert_eq!(moves(&game("5", "d7")), "xd6");
    assert_eq!(state(&game("5", "d7 xd6")), "b p p 4 5 2 6 0 0");
}

#[test]
fn what_the_hand_has_not_is_a_mill_beside_a_capture() {
    let text = MILL_AND_PAIR.replace("3 6 3 6", "3 6 3 0");
    let action = "CustodianCaptureEnabled=true MillFormationActionInPlacingPhase=1";
    let game = played(action, &text, "d7");
    assert_eq!((&*state(&game), &*moves(&game)), ("w p r 4 5 3 0 1 0", "xd6"));
    let several = played(&format!("{action} MayRemoveMultiple=true"), &text, "d7");
    assert_eq!(state(&several), "w p r 4 5 3 0 2 0");
    assert_eq!(moves(&several), "xa1 xd6 xf4");
}

#[test]
fn a_leap_takes_the_leapt_man_and_closes_no_mill() {
    let on = "LeapCaptureEnabled=true OneTimeUseMill=true";
    let game = played(on, LEAP, "c3-e3");
    assert_eq!((&*state(&game), &*moves(&game)), ("w m r 9 0 9 0 1 0", "xd3"));
    assert!(game.text().ends_with(" 0 1 10 l:w-1-12|b-0-"));
    let after = played(on, LEAP, "c3-e3 xd3");
    assert_eq!((&*state(&after), &*extensions(&after)), ("b m s 9 0 8 0 0 0", ""));
    let remembered = LEAP.replace(" 9 0 9 0 0 0 0 0 ", " 9 0 9 0 0 0 16 24 ");
    let restrict = "LeapCaptureEnabled=true RestrictRepeatedMillsFormation=true";
    assert!(played(restrict, &remembered, "").text().contains(" 9 0 9 0 0 0 16 24 "));
    assert!(played(restrict, &remembered, "c3-e3").text().contains(" 9 0 9 0 1 0 0 0 "));
}

#[test]
fn the_switches_of_leaps() {
    let leaps = |switches: &str| {
        let game = played(&format!("LeapCaptureEnabled=true {switches}"), LEAP, "");
        game.legal_moves().contains(&"c3-e3".into())
    };
    assert!(leaps("LeapCaptureInPlacingPhase=false"));
    assert!(!leaps("LeapCaptureInMovingPhase=false"));
    assert!(!leaps("LeapCaptureOnSquareEdges=false"));
    assert!(!leaps("LeapCaptureOnlyWhenOwnPiecesLeq3=true"));
    assert!(!leaps("LeapCaptureEnabled=false"));
}

#[test]
fn a_flight_over_a_protected_man_is_no_leap() {
    let text = "*O**O***/***@@@**/*O*****@ w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
    let on = "LeapCaptureEnabled=true";
    assert_eq!(state(&played(on, text, "d3-d1")), "b m s 3 0 4 0 0 0");
    let always = format!("{on} MayRemoveFromMillsAlways=true");
    let leap = played(&always, text, "d3-d1");
    assert_eq!((&*state(&leap), &*extensions(&leap)), ("w m r 3 0 4 0 1 0", "l:w-1-20|b-0-"));
}

#[test]
fn who_can_leap_is_not_blocked() {
    let game = opened(
        "PiecesCount=12 HasDiagonalLines=true LeapCaptureEnabled=true",
        "d6 a4 a1 d3 b4 e3 f4 d1 c4 d5 b2 g7 f6 a7 d7 e4 e5 f2 c5 g4 g1 b6 d2 c3 xg1",
    );
    assert_eq!((&*verdict(&game), &*moves(&game)), ("ongoing", "a1-g1"));
}
