//! The mailbox itself against recorded games with all rule options.

use crate::mailbox;
use crate::mailbox::{DrawRules, Mailbox, Rules};
use crate::playouts::{Playout, State};
use rayon::prelude::*;

/// The programs that recorded the games take this action, removal of an own man, for action 0.
const OWN_REMOVAL: usize = 3;

fn rules_of(playout: &Playout) -> Rules {
    let mut rules = Rules::default();
    for (name, value) in &playout.options {
        rules.set(name, &value.to_string());
    }
    rules
}

/// Compares at each position: the game as played, and as the text there tells it.
fn check(playout: &Playout) {
    let rules = rules_of(playout);
    let mut game = Mailbox::from_text("startpos", rules.clone(), DrawRules::OFF);
    check_played(&playout.states[0], &game);
    for (move_text, state) in playout.moves.iter().zip(&playout.states[1..]) {
        let is_placement = !move_text.contains(['x', '-']);
        game.play(move_text);
        let has_mill = is_placement && state.fen_nodes.contains(" p r ");
        if rules.mill_formation_action_in_placing_phase == OWN_REMOVAL && has_mill {
            assert_ne!(game.text(), state.text());
            return;
        }
        check_played(state, &game);
        check_read(state, &rules);
    }
}

fn check_played(state: &State, game: &Mailbox) {
    assert_eq!(game.text(), state.text());
    check_result(state, game);
}

/// A text does not tell who has won.
fn check_read(state: &State, rules: &Rules) {
    let game = Mailbox::from_text(&state.text(), rules.clone(), DrawRules::OFF);
    assert_eq!(game.text(), state.text());
    if game.outcome() != Some(mailbox::Outcome::Untold) {
        check_result(state, &game);
    }
}

fn check_result(state: &State, game: &Mailbox) {
    let outcome = game.outcome().map_or_else(|| "ongoing".into(), |outcome| outcome.to_string());
    assert_eq!(outcome, state.outcome, "{}", state.fen_nodes);
    assert_eq!(game.legal_moves(), state.legal, "{}", state.fen_nodes);
}

#[test]
fn recorded_games_are_played_alike() {
    Playout::read_all().par_iter().for_each(check);
}
