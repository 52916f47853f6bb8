//! MFEN: what is written is read back, and what the rules do not make is refused.

use crate::random_rules::random_rules;
use crate::size::usual_or_full;
use millstone::game::Game;
use millstone::position::text::is_mfen;
use millstone::position::{Position, PositionText};
use millstone::rules::{DrawRules, PRESETS, RuleSet, Standard};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

const START: &str = "MFEN/1.0 mill24-state-v1 ......../......../........ w p p 9,9 - 0 0 -";

/// The rules of a game: of a preset in turn, or any.
fn rules(game: u64, rng: &mut Xoshiro256PlusPlus) -> RuleSet {
    if rng.random() {
        return PRESETS[game as usize % PRESETS.len()].rules;
    }
    random_rules(rng)
}

/// Plays a random game and reads each of its positions back; returns what the removals were for.
fn play(game: u64) -> Vec<String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(game);
    let rules = rules(game, &mut rng);
    let mut played = Game::from_position(Position::start(rules), DrawRules::default());
    let mut causes = Vec::new();
    for _ in 0..200 {
        let (text, mfen) = (played.text(), played.mfen().to_string());
        let read = PositionText::parse(&mfen, rules)
            .unwrap_or_else(|error| panic!("{error}: {mfen} of {text} by {rules:?}"));
        assert_eq!(read.is_over, text.is_over, "{mfen} by {rules:?}");
        if text.is_over {
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
    for cause in [
        "leap",
        "intervention",
        "custodian",
        "mill",
        "mill-count",
        "stalemate",
        "board-full",
        "w:fewer-than-minimum",
        "b:no-legal-move",
        "d:no-legal-move",
        "d:repetition",
    ] {
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
    let mill =
        "MFEN/1.0 mill24-state-v1 WWW..BB./......../........ w p r 6,7 w:mill:b:b:1:~:b 0 5 -";
    let over = "MFEN/1.0 mill24-state-v1 W.W.BB.W/......../........ - o o 0,0 - 9 41 d:repetition";
    let cases = [
        (START, "MFEN/1.0", "MFEN/2.0", "MFEN version: expected MFEN/1.0 mill24-state-v1"),
        (START, "mill24-state-v1 ", "", "MFEN version"),
        (START, " 0 0 -", "", "MFEN fields: expected 11 fields at least, found '8'"),
        (START, "........ w", "....... w", "three groups of eight points"),
        (START, "/........ w", "/x....... w", "expected W, B or . on c5, found 'x'"),
        (START, "/........ w", "/b....... w", "expected W, B or . on c5, found 'b'"),
        (START, " w p", " - p", "MFEN field 4 (side): expected w or b"),
        (START, "w p p", "w q p", "MFEN field 5 (phase)"),
        (START, "w p p", "w p m", "MFEN field 6 (action): expected p or r in phase p"),
        (START, "w p p", "w m m", "MFEN field 5 (phase): expected p while"),
        (START, "w p p", "w p o", "expected o in phase o alone"),
        (START, "9,9", "9", "expected two numbers as 9,9"),
        (START, "9,9", "9,10", "MFEN field 7 (hands): expected a number from 0 to 9"),
        (START, "- 0 0", "w:mill:b:b:1:~:b 0 0", "MFEN field 8 (obligations): expected - without"),
        (START, "0 0 -", "0 x -", "MFEN field 10 (primary-ply)"),
        (START, "0 0 -", "0 0 d:agreement", "MFEN field 11 (outcome): expected - unless"),
        (START, "0 0 -", "0 0 -  lm=-,-", "RestrictRepeatedMillsFormation"),
        (START, "0 0 -", "0 0 - ul=000000,000000", "OneTimeUseMill"),
        (START, "0 0 -", "0 0 - xy=1", "MFEN extension: expected lm=, pc= or ul="),
        (START, "0 0 -", "0 0 - pc=0,0 pc=0,0", "each label once"),
        (mill, "w:mill:b:b:1", "w:mill:h:b:1", "expected zone b"),
        (mill, "w:mill:b:b:1", "w:mill:b:w:1", "MFEN field 8 (obligations)"),
        (mill, "w:mill:b:b:1", "w:mill:b:b:2", "MFEN field 8 (obligations): expected 1 to 1"),
        (mill, "w:mill:b:b:1", "w:leap:b:b:1", "MFEN field 8 (obligations)"),
        (mill, "w:mill:b:b:1", "w:mill-count:b:b:1", "expected w:mill:b:b:1:~:b by the rules"),
        (mill, "~:b", "000020:b", "expected w:mill:b:b:1:~:b by the rules"),
        (mill, "~:b", "~:w", "expected w:mill:b:b:1:~:b by the rules"),
        (mill, "~:b", "~", "PLAYER:CAUSE:ZONE:OWNER:COUNT:TARGETS:AFTER"),
        (mill, "w:mill:b:b:1:~:b", "-", "MFEN field 8 (obligations)"),
        (over, "d:repetition", "w:resignation", "no other is kept"),
        (over, "d:repetition", "w:no-legal-move", "expected w:fewer-than-minimum, as on the board"),
        (over, " 9 41 ", " 8 41 ", "expected w:fewer-than-minimum, as on the board"),
        (over, " - o", " w o", "expected - in phase o"),
    ];
    for (text, from, to, message) in cases {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from} is not in the text");
        let error = Position::from_text(&changed, Standard).unwrap_err().to_string();
        assert!(error.contains(message), "{changed}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
