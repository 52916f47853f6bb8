//! Games in the Smart Game Format that others write, and what is wrong with some.

use crate::random::seeded;
use millstone::records::{GameRecord, Notation};
use millstone::rules::RuleSet;
use serde_json::Value;

use super::random_records::random_record;
use crate::rules::vectors::read_rows;

#[test]
fn what_cannot_be_read_is_named_and_the_next_game_is_read() {
    for case in read_rows::<Value>("sgf_refusals.jsonl") {
        let [wrong, message] = ["text", "error"].map(|name| case[name].as_str().expect("a text"));
        // What does not end takes the rest of the text.
        let has_end = wrong.ends_with(')') && !wrong.contains("open");
        let next = if has_end { "(;GM[5];W[d6])" } else { "" };
        let text = format!("{wrong} {next}\n");
        let mut games = GameRecord::read_each_by(&text, &RuleSet::NINE_MENS_MORRIS);
        let error = games.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with(message), "{wrong}: {error}");
        if has_end {
            assert_eq!(games.next().unwrap().unwrap().moves().len(), 1, "{wrong}");
        }
    }
}

#[test]
fn many_branches_of_the_main_line_need_no_stack() {
    let deep = 20_000;
    let text = format!("(;GM[5]{}{})", "(;C[x]".repeat(deep), ")".repeat(deep));
    let game = &GameRecord::read_all(&text).unwrap()[0];
    assert_eq!(game.main_line.comment.len(), 2 * deep - 1);
    let nested = format!("(;GM[5];W[d6]{}{})", "(;C[x])(;C[y]".repeat(60), ")".repeat(60));
    let error = GameRecord::read_all(&nested).unwrap_err().to_string();
    assert!(error.contains("nested deeper than 50"), "{error}");
}

#[test]
fn random_games_keep_variations_comments_and_marks() {
    const MARKS: &str = r"TR[d6][f4]LB[a1:1][b2:\]]";
    let mut rng = seeded(4);
    for _ in 0..500 {
        let text = random_record(RuleSet::NINE_MENS_MORRIS, &mut rng).write(Notation::Sgf).unwrap();
        let marked = text.replace(";W[", &format!(";{MARKS}W["));
        let game = GameRecord::read_all(&marked).unwrap();
        let written = game[0].write(Notation::Sgf).unwrap();
        let marks = |text: &str| text.matches(MARKS).count();
        assert_eq!(marks(&written), marks(&marked), "{written}");
        assert_eq!(GameRecord::read_all(&written).unwrap(), game);
    }
}
