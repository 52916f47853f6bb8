//! Other mill games through the same code: counts from an independent program, and checked perft.

mod morabaraba;

use millstone::board::{Diagonals, Side};
use millstone::perft::{self, Bulk, Checked};
use millstone::position::Position;
use millstone::rules::Rules;
use morabaraba::Morabaraba;

/// Twelve Men's Morris.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Twelve;

impl Rules for Twelve {
    fn men(self) -> u8 {
        12
    }

    fn diagonals(self) -> Diagonals {
        Diagonals::With
    }
}

/// Cheng San Qi.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cheng;

impl Rules for Cheng {
    fn flying_men(self) -> u8 {
        0
    }
}

/// The depths with a count; a debug build has no time for the last.
const DEPTHS: usize = if cfg!(debug_assertions) { 5 } else { 6 };

const WITHOUT_DIAGONALS: [u64; 6] = [24, 552, 12_144, 255_024, 5_100_480, 96_223_680];

const WITH_DIAGONALS: [u64; 6] = [24, 552, 12_144, 255_024, 5_100_480, 96_052_320];

fn check_start<R: Rules>(rules: R, expected: [u64; 6]) {
    let mut start = Position::start(rules);
    for (depth, expected) in (1..).zip(&expected[..DEPTHS]) {
        let counts = perft::split(&start, depth, &Bulk);
        let count: u64 = counts.iter().map(|(_, count)| count).sum();
        assert_eq!(count, *expected, "{rules:?}, depth {depth}");
    }
    assert_eq!(perft::walk(&mut start, 3, &mut Checked), expected[2]);
}

#[test]
fn twelve_mens_morris() {
    check_start(Twelve, WITH_DIAGONALS);
}

#[test]
fn morabaraba() {
    check_start(Morabaraba, WITH_DIAGONALS);
}

#[test]
fn cheng_san_qi() {
    check_start(Cheng, WITHOUT_DIAGONALS);
}

/// Checks every node below a position.
fn check_below<R: Rules>(position: &mut Position<R>, depth: u32) {
    let count = perft::walk(position, depth, &mut Checked);
    assert_eq!(count, perft::walk(position, depth, &mut Bulk), "{position}");
}

fn after_two_mills<R: Rules>(rules: R) -> Position<R> {
    let text = "O*******/*O*@*@*O/O**@***@ w p p 4 8 4 8 0 0 0 0 0 0 0 0 5";
    let mut position = Position::from_text(text, rules).unwrap();
    let _ = position.do_move("d6".parse().unwrap());
    check_below(&mut position, 3);
    position
}

#[test]
fn two_mills_earn_two_removals_in_morabaraba_alone() {
    assert_eq!(after_two_mills(Twelve).pending(), 1);
    let mut position = after_two_mills(Morabaraba);
    assert_eq!(position.pending(), 2);
    let _ = position.do_move("xa7".parse().unwrap());
    assert_eq!((position.to_move(), position.pending()), (Side::White, 1));
    let _ = position.do_move("xg1".parse().unwrap());
    assert_eq!((position.to_move(), position.pending()), (Side::Black, 0));
}

#[test]
fn nobody_flies_in_cheng_san_qi() {
    let text = "@**O****/*O**@***/****@*@O w m s 3 0 4 0 0 0 0 0 0 0 0 0 10";
    let mut position = Position::from_text(text, Cheng).unwrap();
    assert!(Side::ALL.iter().all(|side| !position.may_fly(*side)));
    let mut moves: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
    moves.sort();
    assert_eq!(moves, ["a7-d7", "e3-d3", "e3-e4", "f6-d6", "f6-f4"]);
    check_below(&mut position, 5);
}
