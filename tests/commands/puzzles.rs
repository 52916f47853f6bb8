//! Puzzles: drawn from a tablebase and from games, written, read and played.

use serde_json::Value;

use crate::program::{millstone, millstone_reading, plain};
use crate::tablebases::{WITHOUT_DISTANCES, fresh_folder, solved};

/// What a position is worth and the moves that keep it, by the tablebase of a game.
fn holding(variant: &str, position: &str, folder: &str) -> (Value, Vec<String>) {
    let probe = ["--variant", variant, "db", "probe", position, "--dir", folder, "--json"];
    let probed = millstone(&probe).json();
    let moves = probed[0]["moves"].as_array().expect("a list");
    let results: Vec<&Value> = moves.iter().map(|known| &known["result"]).collect();
    let best = ["win", "draw", "loss"].into_iter().find(|best| results.iter().any(|it| it == best));
    let best = Value::from(best.expect("a result"));
    let keeping = moves.iter().filter(|known| known["result"] == best);
    let names = keeping.map(|known| known["move"].as_str().expect("a move").to_owned()).collect();
    (best, names)
}

/// One turn, which begins with the only move that does so, keeps a win or a draw.
fn check(variant: &str, puzzles: &[Value], folder: &str) {
    for puzzle in puzzles {
        let text = |field: &str| puzzle[field].as_str().expect("a text");
        let (worth, keeping) = holding(variant, text("position"), folder);
        assert!(worth == puzzle["worth"] && worth != "loss", "{puzzle}");
        assert!(keeping.len() == 1 && text("solution").starts_with(&keeping[0]), "{puzzle}");
        assert!(puzzle["level"].as_u64().expect("a level") <= 30, "{puzzle}");
    }
}

#[test]
fn puzzles_have_one_turn_that_holds() {
    let folder = plain(solved(7));
    let drawn =
        ["puzzles", "--tablebase", folder, "--sector", "4-3", "--count", "3", "--seed", "5"];
    let puzzles = millstone(&[&drawn[..], &["--json"]].concat()).json();
    assert_eq!(puzzles.len(), 3);
    check("nine", &puzzles, folder);
    let list = fresh_folder("puzzle_list").join("list.txt");
    let list = plain(&list);
    assert_eq!(millstone(&[&drawn[..], &["--write", list]].concat()).status, Some(0));
    let read = ["puzzles", "--tablebase", folder, "--from", list];
    assert_eq!(millstone(&[&read[..], &["--json"]].concat()).json(), puzzles);
    let solution = puzzles[0]["solution"].as_str().expect("a turn");
    let played = millstone_reading(&format!("x\n{solution}\n\nquit\n"), &read);
    assert!(played.out.contains("Correct. "), "{}", played.out);
    let told = format!("Solution: {}", puzzles[1]["solution"].as_str().expect("a turn"));
    let end = "1 of 2 solved at the first try.\n";
    assert!(played.out.contains(&told) && played.out.ends_with(end), "{}", played.out);
    let position = puzzles[0]["position"].as_str().expect("a text");
    let game = format!("fen {position} moves {solution}\n");
    let from_game = ["puzzles", "--tablebase", folder, "--from", "-", "--json"];
    let alone = millstone_reading(&game, &from_game);
    assert_eq!(alone.json(), puzzles[..1]);
    let with_a_bad_game = format!("d6 d6\n{game}");
    let read = millstone_reading(&with_a_bad_game, &from_game);
    assert_eq!(read.out, alone.out);
    assert!(read.error.contains("standard input:1:4: "), "{}", read.error);
}

/// A tablebase without distances does not tell whether a draw rule comes first, and is believed.
#[test]
fn puzzles_need_no_distances() {
    let folder = plain(&WITHOUT_DISTANCES);
    let drawn = ["puzzles", "--tablebase", folder, "--sector", "4-3", "--count", "3", "--json"];
    let puzzles = millstone(&drawn).json();
    assert_eq!(puzzles.len(), 3);
    check("nine", &puzzles, folder);
}

#[test]
fn puzzles_have_men_in_hand_where_the_tablebase_knows_them() {
    let folder = fresh_folder("puzzles_of_placing");
    let folder = plain(&folder);
    let variant = "nine men=3";
    let build = ["--variant", variant, "db", "build", "--dir", folder];
    assert_eq!(millstone(&build).status, Some(0));
    let draw = |which: &[&str]| {
        let drawn = ["--variant", variant, "puzzles", "--tablebase", folder, "--seed", "5"];
        let puzzles = millstone(&[&drawn, which, &["--json"]].concat()).json();
        check(variant, &puzzles, folder);
        let fields = |puzzle: &Value| {
            let text = puzzle["position"].as_str().expect("a text");
            text.split(' ').skip(1).take(2).collect::<String>()
        };
        puzzles.iter().map(fields).collect::<Vec<String>>()
    };
    assert_eq!(draw(&["--sector", "2+1-2+1", "--count", "2"]), ["wp", "wp"]);
    assert_eq!(draw(&["--sector", "2+1-3+0", "--count", "2"]), ["bp", "bp"]);
    let phases = draw(&["--count", "12"]);
    assert!(phases.iter().any(|it| it.ends_with('p')) && phases.contains(&"wm".to_owned()));
    let missing = millstone(&["puzzles", "--tablebase", folder, "--sector", "2+1-2+2"]);
    assert_eq!(missing.complaint(), "Nine Men's Morris has no sector 2+1-2+2");
}
