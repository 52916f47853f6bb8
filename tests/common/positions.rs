//! Positions of all phases, and games from the men on the board.

use std::fmt::Display;

use millstone::board::{Side, Square};
use millstone::game::{Game, Outcome};
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
        match (holds(white), holds(black)) {
            (true, _) => 'O',
            (_, true) => '@',
            _ => '*',
        }
    };
    let board: Vec<char> = Square::ALL.map(mark).to_vec();
    let rings: Vec<String> = board.chunks(8).map(String::from_iter).collect();
    let [white, black] = [white, black].map(|men| men.split(' ').count());
    let counts = format!("{white} 0 {black} 0 0 0 0 0 0 0 0 {half} 10");
    game(&format!("{} {side} m s {counts}", rings.join("/")))
}

/// White wins in one turn: g4-g1 closes a mill and leaves two men.
pub fn removal_wins() -> Game {
    moving("a1 d1 g4", "b4 d5 f2", 'w', 0)
}

/// White wins in one turn: c5-d5 leaves Black without a move.
pub fn block_wins() -> Game {
    moving("a4 g4 b6 f6 c5", "a7 d7 g7 d6", 'w', 0)
}

/// White wins in three turns: d7-d6 closes a mill and leaves two more that can be closed.
pub fn fork_wins() -> Game {
    moving("a7 g7 b6 f6 d7 a1 d1 g4", "e4 d2 b4 c5", 'w', 0)
}

/// Who has won a game.
pub fn won_by<R: Rules>(game: &Game<R>) -> Option<Side> {
    match game.outcome()? {
        Outcome::Win { winner, .. } => Some(winner),
        Outcome::Draw(_) => None,
    }
}

/// The text of a position with another number of slides since the last removal.
pub fn with_slides(position: impl Display, slides: impl Display) -> String {
    let text = position.to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    let (at, slides) = (fields.len() - 2, slides.to_string());
    fields[at] = &slides;
    fields.join(" ")
}

/// A game by the usual rules that goes on from a position text.
pub fn game(text: &str) -> Game {
    Game::from_text(text, RuleSet::default(), DrawRules::default()).unwrap()
}
