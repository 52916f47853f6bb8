//! MFEN: what is written is read back, and what the rules do not make is refused.

use super::vectors::read_rows;
use crate::random::{IndexedRandom, seeded};
use crate::random_rules::named_or_random_rules;
use crate::size::usual_or_full;
use millstone::game::Game;
use millstone::position::text::is_mfen;
use millstone::position::{Position, PositionText};
use millstone::rules::{DrawRules, RuleSet, Standard};
use rayon::prelude::*;
use serde_json::Value;

const START: &str = "MFEN/1.0 mill24-state-v1 ......../......../........ w p p 9,9 - 0 0 -";

/// Plays a random game and reads each of its positions back; returns what the removals were for.
fn play(game: u64) -> Vec<String> {
    let mut rng = seeded(game);
    let rules = named_or_random_rules(&mut rng);
    let mut played = Game::from_position(Position::start(rules), DrawRules::default());
    let mut causes = Vec::new();
    for _ in 0..200 {
        let (text, mfen) = (played.text(), played.mfen().to_string());
        let read = PositionText::parse(&mfen, rules)
            .unwrap_or_else(|error| panic!("{error}: {mfen} of {text} by {rules:?}"));
        assert_eq!(read.outcome.is_some(), text.outcome.is_some(), "{mfen} by {rules:?}");
        if text.outcome.is_some() {
            let board = |text: &PositionText<RuleSet>| text.position.drawing().to_string();
            assert_eq!(board(&read), board(&text), "{mfen} by {rules:?}");
            assert_eq!(read.position.ending(), text.position.ending(), "{mfen} by {rules:?}");
            let again = Game::from_text(&mfen, rules, DrawRules::default()).unwrap();
            assert_eq!(again.mfen().to_string(), mfen, "{rules:?}");
            causes.push(mfen.split(' ').nth(10).unwrap().to_owned());
        } else {
            assert_eq!(read, text, "{mfen} by {rules:?}");
            let owed = mfen.split(' ').nth(7).unwrap().split(['|', ';']);
            causes.extend(owed.filter_map(|owed| owed.split(':').nth(1)).map(str::to_owned));
        }
        let Some(mv) = played.moves().choose(&mut rng).copied() else { break };
        played.play(mv).unwrap();
    }
    causes
}

#[test]
fn every_position_of_every_game_is_read_back() {
    let games = usual_or_full(4_000, 30_000);
    let causes: Vec<String> = (0..games).into_par_iter().flat_map(play).collect();
    let expected = "leap intervention custodian mill mill-count stalemate board-full \
                    w:fewer-than-minimum b:no-legal-move d:no-legal-move d:repetition";
    for cause in expected.split(' ') {
        assert!(causes.iter().any(|seen| seen == cause), "{cause} never occurred");
    }
}

#[test]
fn one_word_says_which_format_it_is() {
    assert!(is_mfen(START) && is_mfen(" MFEN/9") && !is_mfen("********/MFEN/"));
    let start = Position::start(Standard);
    assert_eq!(Position::from_text(START, Standard), Ok(start));
    assert_eq!(start.mfen().to_string(), START);
    let mill = "********/********/OO**@@*O w p r 3 6 2 7 1 0 0 0 0 0 0 0 3";
    let mill = Position::from_text(mill, Standard).unwrap();
    let expected = "MFEN/1.0 mill24-state-v1 WWW..BB./......../........ w p r 6,7 \
                    w:mill:b:b:1:~:b 0 5 -";
    assert_eq!(mill.mfen().to_string(), expected);
    for same in ["w:mill:b:b:1:000060:b", "w:mill:b:b:1:~:q"] {
        let text = expected.replace("w:mill:b:b:1:~:b", same);
        assert_eq!(Position::from_text(&text, Standard), Ok(mill), "{same}");
    }
}

#[test]
fn what_the_rules_do_not_make_is_named() {
    for case in read_rows::<Value>("mfen_refusals.jsonl") {
        let [text, from, to, message] =
            ["text", "from", "to", "error"].map(|name| case[name].as_str().expect("a text"));
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from} is not in the text");
        let error = Position::from_text(&changed, Standard).unwrap_err().to_string();
        assert!(error.contains(message), "{changed}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
