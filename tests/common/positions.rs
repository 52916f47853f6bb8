//! Positions of all phases, and games from the men on the board.

use millstone::board::Square;
use millstone::game::Game;
use millstone::position::Position;
use millstone::rules::{DrawRules, RuleSet, Rules};

pub const START: &str = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1";
pub const PLACING: &str = "*@******/O**@****/*****O** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3";
pub const REMOVING: &str = "*OO*****/*@OO*@O*/@O*OOO** w m r 9 0 3 0 1 0 0 0 0 0 0 10 47";
pub const MOVING: &str = "OO*O**@*/*@*OO*@*/*@@*@*O* w m s 6 0 6 0 0 0 0 0 0 0 0 6 40";
pub const FLYING: &str = "*OO@****/**OO*@O*/**OO*OO@ b m s 9 0 3 0 0 0 0 0 0 0 0 0 42";

/// A game of which all men are placed, with so many slides since the last removal.
pub fn moving(white: &str, black: &str, side: char, half: u16) -> Game {
    let mark = |square: Square| {
        let holds = |men: &str| men.split(' ').any(|man| man == square.name());
        if holds(white) {
            'O'
        } else if holds(black) {
            '@'
        } else {
            '*'
        }
    };
    let board: Vec<char> = Square::ALL.map(mark).to_vec();
    let rings: Vec<String> = board.chunks(8).map(String::from_iter).collect();
    let [white, black] = [white, black].map(|men| men.split(' ').count());
    let counts = format!("{white} 0 {black} 0 0 0 0 0 0 0 0 {half} 10");
    game(&format!("{} {side} m s {counts}", rings.join("/")))
}

/// The text of a position with another number of slides since the last removal.
pub fn with_slides<R: Rules>(position: &Position<R>, slides: u32) -> String {
    let text = position.to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    let (at, slides) = (fields.len() - 2, slides.to_string());
    fields[at] = &slides;
    fields.join(" ")
}

pub fn game(text: &str) -> Game {
    Game::from_text(text, RuleSet::default(), DrawRules::default()).unwrap()
}
