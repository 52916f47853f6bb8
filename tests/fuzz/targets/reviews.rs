//! Records that are reviewed with small searches, written with the review in them and read again, and what
//! their turns teach.

use millstone::analysis::{Analyst, Effort, annotate};
use millstone::game::Game;
use millstone::records::{GameRecord, Notation, decode};
use millstone::rules::DrawRules;
use millstone::search::{Engine, Silent};

use super::rules_and_rest;

/// The most moves of a record, each of which is searched.
const MOST_MOVES: usize = 60;
const EFFORT: Effort = Effort { depth: 3, nodes: Some(60), time: None, lines: 2 };

pub fn run(bytes: &[u8]) {
    let Some((usual, rest)) = rules_and_rest(bytes) else { return };
    let Ok(text) = decode(rest.to_vec()) else { return };
    let Some(Ok(record)) = GameRecord::read_each_by(&text, &usual).next() else { return };
    if record.moves().count() > MOST_MOVES {
        return;
    }
    let mut analyst = Analyst::new(Engine::new(1).expect("a table"), EFFORT);
    let mut followed = 0;
    let reviewed = analyst.review(&record, &mut Silent, |_| followed += 1);
    let reviewed = reviewed.expect("what is read can be played");
    assert_eq!(reviewed.len(), followed);
    let losses = reviewed.iter().map(|turn| (turn.loss(), turn.score().share()));
    assert!(losses.clone().all(|(loss, share)| loss >= 0.0 && (0.0..=1.0).contains(&share)));
    let mut annotated = record.clone();
    annotate(&mut annotated, &reviewed);
    let written = annotated.write_by(Notation::Wmd, &usual).expect("a review can be written");
    let again = GameRecord::read_all_by(&written, &usual);
    let again = again.unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert!(again[0].moves().eq(record.moves()), "{written}");
    let start = Game::start(record.rules, DrawRules::OFF);
    let history = record.history().expect("what is read can be played");
    if let Some((_, turn)) = history.turns().first().filter(|_| record.start.is_none()) {
        assert!(analyst.teach(&start, turn.moves(), &mut Silent).is_some(), "{written}");
    }
}
