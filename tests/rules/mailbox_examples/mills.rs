//! What closes a mill and what it does while men are placed.

use super::{extensions, moves, opened, played, state, verdict};

/// White closes a mill with g7.
const MILL_NEXT: &str = "********/********/O*@*@@*O w p p 2 2 3 3 0 0 0 0 0 0 0 0 5";

/// The mill of [`MILL_NEXT`] with the last man of White, while Black has `hand` men in hand.
fn last_of_white(hand: usize) -> String {
    format!("@*******/********/O*@*@@*O w p p 2 1 4 {hand} 0 0 0 0 0 0 0 0 5")
}

#[test]
fn diagonals_are_lines_where_there_are_any() {
    assert_eq!(state(&opened("HasDiagonalLines=true", "c5 d1 b6 d2 a7")), "w p r 3 6 2 7 1 0");
    assert_eq!(state(&opened("", "c5 d1 b6 d2 a7")), "b p p 3 6 2 7 0 0");
}

#[test]
fn each_line_may_earn_a_removal() {
    let text = "O*******/*O*@*@*O/O**@***@ w p p 4 5 4 5 0 0 0 0 0 0 0 0 5";
    let game = |options, moves| played(options, text, moves);
    assert_eq!(state(&game("MayRemoveMultiple=true", "d6")), "w p r 5 4 4 5 2 0");
    assert_eq!(state(&game("MayRemoveMultiple=true", "d6 xa7")), "w p r 5 4 3 5 1 0");
    let once = "MayRemoveMultiple=true OneTimeUseMill=true";
    assert_eq!(state(&game(once, "d6")), "w p r 5 4 4 5 2 0");
}

#[test]
fn nobody_owes_more_than_there_is() {
    let text = "O*******/*O*****O/O**@**** w p p 4 5 1 8 0 0 0 0 0 0 0 0 5";
    assert_eq!(state(&played("MayRemoveMultiple=true", text, "d6")), "w p r 5 4 1 8 1 0");
    let nobody = "O*******/*O*****O/O******* w p p 4 5 0 9 0 0 0 0 0 0 0 0 5";
    assert_eq!(state(&played("", nobody, "d6")), "b p p 5 4 0 9 0 0");
}

#[test]
fn too_few_men_lose_even_if_more_is_owed() {
    let text = "O*******/OO******/O**@*@** w m r 4 0 2 1 2 0 0 0 0 0 0 1 10";
    let game = played("MayRemoveMultiple=true", text, "xa1");
    assert_eq!(verdict(&game), "win0:loseFewerThanThree");
    assert_eq!(state(&game), "w o r 4 0 1 1 0 0");
}

#[test]
fn mills_may_not_protect() {
    let text = "********/*OOO****/*@*@@@** w p r 3 6 4 5 1 0 0 0 0 0 0 0 5";
    assert_eq!(moves(&played("", text, "")), "xg7");
    let all = played("MayRemoveFromMillsAlways=true", text, "");
    assert_eq!(moves(&all), "xa1 xd1 xg1 xg7");
}

#[test]
fn action_1_takes_from_the_hand() {
    let action = "MillFormationActionInPlacingPhase=1";
    assert_eq!(state(&opened(action, "d7 a1 g7 d1 a7")), "b p p 3 6 2 6 0 0");
    let exhausted = played(action, &last_of_white(0), "g7");
    assert_eq!(state(&exhausted), "w p r 3 0 4 0 1 0");
    assert_eq!(moves(&exhausted), "xa1 xd1 xd5 xg4");
    assert_eq!(state(&played(action, &last_of_white(0), "g7 xd5")), "b m s 3 0 3 0 0 0");
}

#[test]
fn too_few_men_lose_when_one_is_taken_from_the_hand() {
    let text = "********/********/O*@*@**O w p p 2 2 2 1 0 0 0 0 0 0 0 0 5";
    let game = played("MillFormationActionInPlacingPhase=1", text, "g7");
    assert_eq!(verdict(&game), "win0:loseFewerThanThree");
    assert_eq!(state(&game), "w o r 3 1 2 0 0 0");
}

#[test]
fn action_2_takes_from_the_hand_and_goes_on() {
    let action = "MillFormationActionInPlacingPhase=2";
    assert_eq!(state(&opened(action, "d7 a1 g7 d1 a7")), "w p p 3 6 2 6 0 0");
    assert_eq!(state(&played(action, &last_of_white(3), "g7")), "w m s 3 0 4 2 0 0");
    assert_eq!(state(&played(action, &last_of_white(1), "g7")), "w m s 3 0 4 0 0 0");
    let alternating = "MillFormationActionInPlacingPhase=2 MayRemoveMultiple=true";
    assert_eq!(state(&played(alternating, &last_of_white(1), "g7")), "b m s 3 0 4 0 0 0");
    assert_eq!(state(&played(action, &last_of_white(0), "g7 xa1")), "w m s 3 0 3 0 0 0");
}

#[test]
fn action_3_makes_the_opponent_remove_its_own() {
    let action = "MillFormationActionInPlacingPhase=3";
    let game = played(action, MILL_NEXT, "g7");
    assert_eq!((&*state(&game), &*moves(&game)), ("b p r 3 1 3 3 0 -1", "xa1 xd1 xg4"));
    assert_eq!(state(&played(action, MILL_NEXT, "g7 xg4")), "b p p 3 1 2 3 0 0");
    let with_mill = "@@*****@/********/O****@*O w p p 2 2 4 2 0 0 0 0 0 0 0 0 5";
    assert_eq!(moves(&played(action, with_mill, "g7")), "xa1");
}

#[test]
fn action_3_at_the_end_of_placing() {
    let action = "MillFormationActionInPlacingPhase=3";
    let text = last_of_white(0);
    assert_eq!(state(&played(action, &text, "g7")), "b p r 3 0 4 0 0 -1");
    assert_eq!(state(&played(action, &text, "g7 xd5")), "w m s 3 0 3 0 0 0");
    let lasker = "MillFormationActionInPlacingPhase=3 MayMoveInPlacingPhase=true";
    assert_eq!(state(&played(lasker, &text, "g7 xd5")), "b m s 3 0 3 0 0 0");
    let hand_left = "@*******/********/O*@*@@*O w p p 2 2 4 0 0 0 0 0 0 0 0 0 5";
    assert_eq!(state(&played(action, hand_left, "g7")), "b m r 3 1 4 0 0 -1");
    assert_eq!(state(&played(action, hand_left, "g7 xd5")), "b m s 3 1 3 0 0 0");
    let three = "********/********/O*@*@@*O w p p 2 1 3 0 0 0 0 0 0 0 0 0 5";
    let lost = played(action, three, "g7 xd1");
    assert_eq!(verdict(&lost), "win0:loseFewerThanThree");
}

#[test]
fn action_4_leaves_marks_until_the_placing_ends() {
    let action = "MillFormationActionInPlacingPhase=4";
    let text = "********/********/OO**@@*O w p r 3 6 2 7 1 0 0 0 0 0 0 0 3";
    let marked = played(action, text, "xa1");
    assert_eq!(marked.text(), "********/********/OO**@X*O b p p 3 6 1 7 0 0 0 0 0 0 0 0 3");
    assert_eq!(marked.legal_moves().len(), 24 - 3 - 1 - 1);
    let last = "@*******/********/OO**@X*O b p p 3 0 2 1 0 0 0 0 0 0 0 0 9";
    let free = played(action, last, "e5");
    assert_eq!(free.text(), "@@******/********/OO**@**O w m s 3 0 3 0 0 0 0 0 0 0 0 0 10");
}

#[test]
fn action_5_counts_mills_when_the_placing_ends() {
    let action = "MillFormationActionInPlacingPhase=5";
    let owed = |text, move_text| state(&played(action, text, move_text));
    let none = "O**O****/*O**@*@*/**O*@*** b p p 4 0 3 1 0 0 0 0 0 0 0 0 9";
    assert_eq!(owed(none, "a1"), "w m r 4 0 4 0 -1 -1");
    assert_eq!(moves(&played(action, none, "a1")), "xd5 xe3 xf6 xg4");
    assert_eq!(owed(none, "a1 xe3"), "b m r 3 0 4 0 0 -1");
    assert_eq!(owed(none, "a1 xe3 xa1"), "w m s 3 0 3 0 0 0");
    let two_lines = "***@@***/********/OOOO***O b p p 5 0 2 1 0 0 0 0 0 0 0 0 9";
    assert_eq!(owed(two_lines, "c4"), "w m r 5 0 3 0 2 1");
    assert_eq!(owed(two_lines, "c3"), "w m r 5 0 3 0 2 1");
    let one_line = "***@@***/********/OO*O***O b p p 4 0 2 1 0 0 0 0 0 0 0 0 9";
    assert_eq!(owed(one_line, "c3"), "w m r 4 0 3 0 1 1");
    let no_line = "***@@***/********/O**O*O** b p p 3 0 2 1 0 0 0 0 0 0 0 0 9";
    assert_eq!(owed(no_line, "c3"), "w m r 3 0 3 0 1 2");
}

#[test]
fn a_line_may_be_used_once() {
    let fresh = "********/O*******/*O*@*@@O w m s 3 0 3 0 0 0 0 0 0 0 0 0 10";
    let closed = "********/********/OO*@*@@O w m r 3 0 3 0 1 0 0 0 0 0 9439544818968559616 1 10";
    assert_eq!(played("OneTimeUseMill=true", fresh, "d6-d7").text(), closed);
    let used = "********/O*******/*O*@*@@O w m s 3 0 3 0 0 0 0 0 0 0 9439544818968559616 0 10";
    assert_eq!(state(&played("OneTimeUseMill=true", used, "d6-d7")), "b m s 3 0 3 0 0 0");
    let protected = "O*******/********/@@****O@ w m r 2 0 3 0 1 0 0 0 0 0 2197815296 0 10";
    assert_eq!(moves(&played("OneTimeUseMill=true", protected, "")), "");
}

#[test]
fn a_man_may_not_go_back_from_mill_to_mill() {
    let restrict = "RestrictRepeatedMillsFormation=true";
    let text = "***@****/OO*****O/*O*@*@@O w m s 5 0 4 0 0 0 0 0 0 0 0 0 10";
    let closed = played(restrict, text, "d6-d7");
    assert!(closed.text().ends_with("w m r 5 0 4 0 1 0 16 24 0 0 0 1 10"));
    let has_way_back = |options, moves| {
        let game = played(options, text, moves);
        game.legal_moves().contains(&"d7-d6".into())
    };
    assert!(!has_way_back(restrict, "d6-d7 xe3 g1-e3"));
    assert!(has_way_back("", "d6-d7 xe3 g1-e3"));
    assert!(has_way_back(restrict, "d6-d7 xe3 g1-e3 f6-f4 e3-g1"));
    let broken = "********/*O*****O/OO*@*@@* w m s 4 0 3 0 0 0 16 24 0 0 0 0 10";
    assert!(played(restrict, broken, "").legal_moves().contains(&"d7-d6".into()));
}

#[test]
fn a_placed_mill_is_remembered_until_a_slide() {
    let restrict = "RestrictRepeatedMillsFormation=true MayMoveInPlacingPhase=true";
    let memory = |more: &str| {
        let game = opened(restrict, &format!("d7 a1 g7 d1 a7 xa1 {more}"));
        game.text().split(' ').collect::<Vec<_>>()[10..14].join(" ")
    };
    assert_eq!(memory(""), "0 31 0 0");
    assert_eq!(memory("c4 c3"), "0 31 0 0");
    assert_eq!(memory("c4 d7-d6"), "0 0 0 0");
    assert_eq!(memory("c4 d7-d6 d1-d2 d6-d7"), "16 24 0 0");
    assert_eq!(memory("c4 d7-d6 d1-d2 d6-d7 xd2 g1 c3"), "0 0 0 0");
    assert_eq!(extensions(&opened(restrict, "d7")), "");
}
