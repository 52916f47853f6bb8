//! Position texts of every dialect, for the games of the presets.

use std::cell::RefCell;

use millstone::evaluate::{estimate, terms};
use millstone::game::Game;
use millstone::position::{Position, PositionText};
use millstone::protocol::GbgpPosition;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Engine, Limits, Silent};

use super::rules_and_text;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new(1).expect("a table"));
}

pub fn run(bytes: &[u8]) {
    let Some((rules, text)) = rules_and_text(bytes) else { return };
    check(text, &rules);
    if let Ok(position) = text.parse::<GbgpPosition>() {
        assert_eq!(position.to_string().parse(), Ok(position));
        if let Ok(text) = position.text(&rules) {
            check(&text, &rules);
        }
    }
}

/// A position that is read is written and read again, and can be played from.
fn check(text: &str, rules: &RuleSet) {
    let Ok(read) = PositionText::parse(text, *rules) else { return };
    read.position.validate().expect("what is read is consistent");
    let written = read.to_string();
    assert_eq!(Position::from_text(&written, *rules), Ok(read.position), "{written}");
    let game = Game::from_text(text, *rules, DrawRules::default()).expect("the same text");
    let _ = (game.to_string(), estimate(&game), terms(game.position()));
    let moves = game.moves();
    for &mv in &moves {
        let mut after = game.clone();
        after.play(mv).expect("a legal move");
        let text = after.text().to_string();
        let again = PositionText::parse(&text, *rules).map(|text| text.to_string());
        assert_eq!(again, Ok(text));
    }
    ENGINE.with_borrow_mut(|engine| {
        let limits = Limits { nodes: Some(100), ..Limits::to_depth(2) };
        let report = engine.search(&game, &limits, &mut Silent);
        assert!(report.best().map_or(moves.is_empty(), |best| moves.contains(&best)), "{text}");
    });
}
