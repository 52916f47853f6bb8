//! What is no record is refused by line and column.

use crate::rules::vectors::read_rows;
use millstone::records::{GameRecord, Notation, decode};
use millstone::rules::RuleSet;
use serde_json::{Value, json};

#[test]
fn the_place_and_what_was_expected_are_named() {
    for case in read_rows::<Value>("record_refusals.jsonl") {
        let [text, error] = ["text", "error"].map(|name| case[name].as_str().expect("a text"));
        let found = GameRecord::read_all(text).unwrap_err().to_string();
        assert!(found.starts_with(error), "{text}: {found}");
    }
    let end = "fen ********/********/OOO**@@* w m s 3 0 2 0 0 0 0 0 0 0 0 0 20 moves d7-d6";
    let found = GameRecord::read_all(end).unwrap_err().to_string();
    assert!(found.contains("expected no move, as the game is over (win0:loseFewerThan"), "{found}");
    for (bytes, error) in [
        (&b"1. d6\nM\xc3\xbc\xff"[..], "line 2, column 3: expected text in UTF-8, found byte 0xff"),
        (b"1. d6\r\rM\xff", "line 3, column 2: expected text in UTF-8, found byte 0xff"),
        (b"\xff\xfe1\0.\0", "line 1, column 1: expected text in UTF-8, found UTF-16"),
        (b"\xfe\xff\x001\x00.", "line 1, column 1: expected text in UTF-8, found UTF-16"),
    ] {
        assert_eq!(decode(bytes.to_vec()).unwrap_err().to_string(), error);
    }
}

#[test]
fn variations_may_not_lie_too_deep() {
    for (depth, is_read) in [(50, true), (51, false), (1_000_000, false)] {
        let text = format!("1. d6 {}{}", "(f4 ".repeat(depth), ")".repeat(depth));
        let read = GameRecord::read_all(&text);
        assert_eq!(read.is_ok(), is_read);
        if let Err(error) = read {
            assert_eq!((error.line, error.column), (1, 7 + 4 * 50));
        }
    }
}

/// A million moves and variations is the most.
#[test]
fn games_may_not_be_too_long() {
    let text = |variations| format!("1. d6{} *\n\n1. f4 *\n", "(f4)".repeat(variations));
    let mut longest = GameRecord::read_all(&text(499_999)).unwrap().remove(0);
    assert!(longest.write(Notation::Wmd).is_ok());
    let one_more = longest.main_line.moves[0].variations[0].clone();
    longest.main_line.moves[0].variations.push(one_more);
    let refused = "the game has more than 1000000 moves and variations";
    assert_eq!(longest.write(Notation::Wmd).unwrap_err().to_string(), refused);
    assert!(longest.write(Notation::Uci).is_ok(), "which leaves variations out");

    let text = text(500_000);
    let games: Vec<_> = GameRecord::read_each_by(&text, &RuleSet::NINE_MENS_MORRIS).collect();
    let error = games[0].as_ref().unwrap_err();
    assert_eq!((error.line, error.column, &*error.message), (1, 6 + 4 * 499_999 + 1, refused));
    assert_eq!(games[1].as_ref().unwrap().main_line.moves.len(), 1, "the next game is read");
}

#[test]
fn records_that_could_not_be_read_are_not_written() {
    let record = GameRecord::read_all("1. d6").unwrap().remove(0);
    for (name, value) in [("", ""), ("two words", ""), ("a]", ""), ("FEN", ""), ("White", "a\nb")] {
        let mut record = record.clone();
        record.set_tag(name, value);
        assert!(record.write(Notation::Wmd).is_err(), "{name}");
    }
    let mut illegal = record.clone();
    illegal.main_line.moves.push("d6".parse::<millstone::position::Move>().unwrap().into());
    let mut no_start = record;
    no_start.start = Some("nowhere".into());
    for notation in Notation::ALL {
        assert!(illegal.write(notation).is_err(), "{notation}");
        assert!(no_start.write(notation).is_err(), "{notation}");
    }
}

#[test]
fn reading_goes_on_after_a_game_that_goes_wrong() {
    for case in read_rows::<Value>("record_recoveries.jsonl") {
        let text = case["text"].as_str().expect("a text");
        let games = GameRecord::read_each_by(text, &RuleSet::NINE_MENS_MORRIS);
        let (mut read, mut errors) = (Vec::new(), Vec::new());
        for game in games {
            match game {
                Ok(game) => read.push(game.moves().next().unwrap().to_string()),
                Err(error) => errors.push((error.line, error.column)),
            }
        }
        assert_eq!(json!([read, errors]), json!([case["read"], case["errors"]]), "{text}");
    }
}

/// A short text with so much after it that anything but linear time is seen as a test that hangs.
#[test]
fn games_with_many_comments_are_read_in_linear_time() {
    const COUNT: usize = 1_000_000;
    for (text, games) in [("1. d6 {\n".repeat(COUNT), COUNT), ("{a} ".repeat(COUNT), 0)] {
        let read = GameRecord::read_each_by(&text, &RuleSet::NINE_MENS_MORRIS);
        assert_eq!(read.filter(Result::is_err).count(), games);
    }
    let after = format!("1. d6 *{}", " {a}".repeat(COUNT));
    let game = GameRecord::read_all(&after).unwrap().remove(0);
    assert_eq!(game.main_line.moves[0].comment.matches('a').count(), COUNT);
}
