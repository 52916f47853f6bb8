//! Critical positions: some turns keep what the position is worth, others do not.
//!
//! `data/critical_moving.txt` has 1 000 positions drawn at random from all sectors of the tablebase in
//! turn, the first 500 of which may be used for tuning, and `data/critical_placing_with_diagonals.txt` 200
//! of Twelve Men's Morris with a drawn full board, at random from its sectors of placing.
//!
//! The lists by lot have 1 000 positions each that are not lost, as they come: from plies 3 to 8 and 9 to 17 of
//! random games (seeds 2026112831 and 2026112832), and with 3 to 9 men a side, all placed (2026112833). Nothing may be
//! tuned on them. In the opening 31 positions are images of others.
//!
//! A line is the text of the position, what it is worth to the side to move, and the turns that keep it, as the
//! tablebase says; a removal follows its move.

use std::fs;

use millstone::game::Game;
use millstone::rules::{DrawRules, RuleSet};

/// A position and what is known of it.
pub struct Critical {
    pub game: Game,
    pub is_won: bool,
    /// The turns that keep the value.
    pub keeping: Vec<String>,
}

impl Critical {
    /// The positions of a list of Nine Men's Morris.
    pub fn all(list: &str) -> Vec<Self> {
        Self::all_of(list, RuleSet::default())
    }

    /// The positions of a list of a game.
    pub fn all_of(list: &str, rules: RuleSet) -> Vec<Self> {
        let path = format!("{}/tests/data/critical_{list}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        text.lines().map(|line| Self::parse(line, rules)).collect()
    }

    fn parse(line: &str, rules: RuleSet) -> Self {
        let parts: Vec<&str> = line.split("; ").collect();
        let [text, worth, turns] = parts[..] else { panic!("three parts: {line}") };
        let game = Game::from_text(text, rules, DrawRules::default());
        let is_won = match worth {
            "win" => true,
            "draw" => false,
            _ => panic!("win or draw: {line}"),
        };
        let keeping = turns.split(' ').map(str::to_owned).collect();
        Self { game: game.expect("a position text"), is_won, keeping }
    }
}
