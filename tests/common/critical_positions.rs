//! Critical positions: at most half of the turns keep what the position is worth.
//!
//! `data/critical_moving.txt` has 1 000 positions drawn at random from all sectors of the databases in
//! turn, the first 500 of which may be used for tuning; `data/critical_placing.txt` has 200 from the
//! last six placements of random games. A line is the text of the position, what it is worth to the
//! side to move, and the turns that keep it, as the databases say; a removal follows its move.

#![allow(dead_code, reason = "each test program needs some of it")]

use millstone::game::Game;
use millstone::rules::{DrawRules, Standard};
use millstone::search::{Engine, Limits, Silent};

/// The moving phase.
pub const MOVING: &str = include_str!("../data/critical_moving.txt");
/// The end of the placing phase.
pub const PLACING: &str = include_str!("../data/critical_placing.txt");

/// A position and what is known of it.
pub struct Critical {
    pub game: Game<Standard>,
    pub is_won: bool,
    /// The turns that keep the value.
    pub keeping: Vec<&'static str>,
}

impl Critical {
    /// The positions of a list.
    pub fn all(list: &'static str) -> Vec<Self> {
        list.lines().map(Self::parse).collect()
    }

    fn parse(line: &'static str) -> Self {
        let parts: Vec<&str> = line.split("; ").collect();
        let [text, worth, turns] = parts[..] else { panic!("three parts: {line}") };
        let game = Game::from_text(text, Standard, DrawRules::default());
        let is_won = match worth {
            "win" => true,
            "draw" => false,
            _ => panic!("win or draw: {line}"),
        };
        let keeping = turns.split(' ').collect();
        Self { game: game.expect("a position text"), is_won, keeping }
    }

    /// Whether the turn that the engine plays keeps the value, with so much for each move.
    pub fn is_kept_by(&self, engine: &mut Engine, limits: impl Fn() -> Limits) -> bool {
        engine.clear();
        let mut game = self.game.clone();
        let side = game.position().to_move();
        let mut turn = String::new();
        while game.outcome().is_none() && game.position().to_move() == side {
            let mv = engine.search(&game, &limits(), &mut Silent).best().expect("the game goes on");
            game.play(mv).expect("a legal move");
            turn += &mv.to_string();
        }
        self.keeping.contains(&turn.as_str())
    }
}
