//! Position texts of every dialect, for the games of the presets.

use std::cell::RefCell;

use millstone::any_game;
use millstone::position::PositionText;
use millstone::protocol::GbgpPosition;
use millstone::rules::{DrawRules, RuleSet};
use millstone::search::{Engine, Limits, Silent, Skill};

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
    assert_eq!(PositionText::parse(&written, *rules), Ok(read), "{written}");
    let game = any_game::from_text(text, rules, DrawRules::default()).expect("the same text");
    let _ = (game.text(), game.description(), game.estimate(), game.terms(), game.key());
    let moves = game.moves();
    for &mv in &moves {
        let mut after = game.copy();
        after.play(mv).expect("a legal move");
        let text = after.text();
        let again = PositionText::parse(&text, *rules).map(|text| text.to_string());
        assert_eq!(again, Ok(text));
    }
    ENGINE.with_borrow_mut(|engine| {
        let limits = Limits { nodes: Some(100), ..Limits::to_depth(2) };
        let report = game.search(engine, &limits, Skill::FULL, 0, &mut Silent);
        assert!(report.best().map_or(moves.is_empty(), |best| moves.contains(&best)), "{text}");
    });
}
