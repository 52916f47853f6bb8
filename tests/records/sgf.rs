//! Games in the Smart Game Format that others write, and what is wrong with some.

use crate::random::seeded;
use millstone::records::{GameRecord, GameResult, Notation};
use millstone::rules::RuleSet;
use serde_json::Value;

use super::random_records::random_record;
use crate::rules::vectors::read_rows;

/// A game as older programs write it, with marks, a variation after a mill and what nobody knows.
const GAME: &str = r"
(;GaMe[5]FileFormat[3]CA[UTF-8]AP[Some Board:1.2]PW[Erika \[A\]]PB[Uwe]RE[B+Resign]XY[a:b][c\]d]
 C[first]
;W[d6]TR[d6][f4]BM[2];B[f4];W[D2]
(;B[b4]C[well\
 met];W[b6];B[xd6])
(;B[f2];W[b6]DO[](;B[b2];C[a \] bracket])(;B[f6x b2])))
(;GM[5];W[a1])";

#[test]
fn games_of_others_are_read_and_nothing_is_lost() {
    let text = GAME.replace(";B[xd6]", "").replace("(;B[f6x b2])", "(;B[f6];W[xf2])");
    let text = text.replace(";W[xf2]", "");
    let games = GameRecord::read_all(&text).unwrap();
    let [game, second] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!((game.tag("White"), game.tag("Black")), (Some("Erika [A]"), Some("Uwe")));
    assert_eq!((game.result.word(), second.moves().len()), ("0-1", 1));
    let line = &game.main_line;
    assert_eq!((line.comment.as_str(), line.moves[0].glyphs[0]), ("first", 4));
    assert_eq!(line.moves[3].comment, "well met");
    let variation = &line.moves[3].variations[0];
    assert_eq!((variation.moves[1].glyphs[0], variation.moves[2].variations.len()), (6, 1));
    assert_eq!(variation.moves[2].comment, "a ] bracket");

    let written = game.write(Notation::Sgf).unwrap();
    for kept in
        ["TR[d6][f4]", r"XY[a:b][c\]d]", "AP[Some Board:1.2]", r"PW[Erika [A\]]", "RE[B+Resign]"]
    {
        assert!(written.contains(kept), "{kept}: {written}");
    }
    assert_eq!(GameRecord::read_all(&written).unwrap()[0], *game);
    let lost = |notation| game.losses(notation, &RuleSet::NINE_MENS_MORRIS);
    assert_eq!((lost(Notation::Wmd), lost(Notation::Sgf)), (vec!["properties"], vec![]));
}

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
fn a_game_that_does_not_count_says_so_again() {
    let game = GameRecord::read_all("(;GM[5]RE[Void];W[d6])").unwrap().remove(0);
    assert_eq!((game.result, game.tag("Termination")), (GameResult::Unknown, Some("Void")));
    assert!(game.write(Notation::Sgf).unwrap().contains("RE[Void]"));
}

#[test]
fn games_without_a_number_are_named_at_their_own_place() {
    let mut games =
        GameRecord::read_each_by("(;GM[5];W[d6])\n(;FF[4])\n(;FF[4])", &RuleSet::default());
    assert!(games.next().unwrap().is_ok());
    for line in [2, 3] {
        assert_eq!(games.next().unwrap().unwrap_err().line, line);
    }
    assert!(games.next().is_none());
}

#[test]
fn marks_of_one_move_come_together() {
    for text in ["(;GM[5];W[d6]TR[d6];TR[f4]TE[3])", "(;GM[5];W[d6]TR[d6]TE[3]TR[f4])"] {
        let game = GameRecord::read_all(text).unwrap().remove(0);
        let written = game.write(Notation::Sgf).unwrap();
        assert!(written.contains(";W[d6]TE[1]TR[d6][f4]"), "{written}");
        assert_eq!(GameRecord::read_all(&written).unwrap()[0], game);
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
