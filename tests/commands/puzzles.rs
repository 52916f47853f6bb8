//! Puzzles: drawn from a tablebase and from games, written, read and played.

use serde_json::Value;

use crate::program::{millstone, millstone_reading};
use crate::tablebases;

/// The turns of a position whose first move keeps its worth, by the tablebase.
fn holding(position: &str, folder: &str) -> (Value, Vec<String>) {
    let probed = millstone(&["db", "probe", position, "--dir", folder, "--json"]).json();
    let moves = probed[0]["moves"].as_array().expect("a list");
    let results: Vec<&Value> = moves.iter().map(|known| &known["result"]).collect();
    let best = ["win", "draw", "loss"].into_iter().find(|best| results.iter().any(|it| it == best));
    let best = Value::from(best.expect("a result"));
    let keeping = moves.iter().filter(|known| known["result"] == best);
    let names = keeping.map(|known| known["move"].as_str().expect("a move").to_owned()).collect();
    (best, names)
}

#[test]
fn puzzles_have_one_turn_that_holds() {
    let folder = tablebases::solve("puzzles", 7);
    let folder = folder.to_str().expect("a folder with a plain name");
    let drawn =
        ["puzzles", "--tablebase", folder, "--sector", "4-3", "--count", "3", "--seed", "5"];
    let puzzles = millstone(&[&drawn[..], &["--json"]].concat()).json();
    assert_eq!(puzzles.len(), 3);
    for puzzle in &puzzles {
        let text = |field: &str| puzzle[field].as_str().expect("a text").to_owned();
        let (worth, keeping) = holding(&text("position"), folder);
        assert!(worth == puzzle["worth"] && worth != "loss", "{puzzle}");
        assert!(keeping.len() == 1 && text("solution").starts_with(&keeping[0]), "{puzzle}");
        assert!(puzzle["level"].as_u64().expect("a level") <= 30, "{puzzle}");
    }
    let list = tablebases::fresh_folder("puzzle_list").join("list.txt");
    let list = list.to_str().expect("a plain name");
    assert_eq!(millstone(&[&drawn[..], &["--write", list]].concat()).status, Some(0));
    let read = ["puzzles", "--tablebase", folder, "--from", list];
    assert_eq!(millstone(&[&read[..], &["--json"]].concat()).json(), puzzles);
    let solution = puzzles[0]["solution"].as_str().expect("a turn");
    let played = millstone_reading(&format!("x\n{solution}\n\nquit\n"), &read);
    assert!(played.out.contains("Right. That "), "{}", played.out);
    let told = format!("It is {}.", puzzles[1]["solution"].as_str().expect("a turn"));
    assert!(
        played.out.contains(&told) && played.out.ends_with("1 of 2 solved at once.\n"),
        "{}",
        played.out
    );
    let game =
        format!("fen {} moves {solution}\n", puzzles[0]["position"].as_str().expect("a text"));
    let from_game = ["puzzles", "--tablebase", folder, "--from", "-", "--json"];
    assert_eq!(millstone_reading(&game, &from_game).json(), puzzles[..1]);
}
