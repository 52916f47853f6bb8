//! Moves and turns as text, played as far as they are legal.

use millstone::game::Game;
use millstone::position::{Move, Turn};
use millstone::rules::DrawRules;

use super::rules_and_text;

pub fn run(bytes: &[u8]) {
    let Some((rules, text)) = rules_and_text(bytes) else { return };
    let mut game = Game::start(rules, DrawRules::default());
    for word in text.split_whitespace() {
        if let Ok(mv) = word.parse::<Move>() {
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        let Ok(turn) = word.parse::<Turn>() else { continue };
        assert_eq!(turn.to_string().parse().as_ref(), Ok(&turn));
        for &mv in turn.moves() {
            let before = game.text();
            let is_legal = game.moves().contains(&mv);
            let played = game.play(mv);
            assert_eq!(played.is_ok(), is_legal, "{mv} in {before}");
            assert!(is_legal || game.text() == before, "{mv} changes {before}");
        }
    }
}
