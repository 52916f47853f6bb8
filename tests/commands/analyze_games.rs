//! `millstone analyze` with games.

use std::fs;
use std::process::Command;

use super::analyze;
use crate::program::{Ended, millstone_reading, plain, run};
use crate::rules::vectors::read_rows;
use crate::tablebases::fresh_folder;
use serde_json::{Value, json};

/// In turn 31 White could win at once, lets Black do it, and Black does not.
const BLUNDER: &str = "[White \"Erika\"]\n[Black \"Otto\"]\n[SetUp \"1\"]\n\
    [FEN \"@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30\"]\n\n\
    30. g4-f6 d5-b6 31. f6-g4 b6-d6 *\n";
const SHORT: &str = "[White \"Erika\"]\n[Black \"Otto\"]\n\n\
    1. d6 a1 2. f6 g7 3. b6xa1 d7 4. d2 a7xd2 5. f2 b2 1-0\n";

#[test]
fn all_ways_in_lead_to_the_same_review() {
    let folder = fresh_folder("analyze_games");
    let file = folder.join("game.txt");
    fs::write(&file, SHORT).unwrap();
    let from_input = analyze(SHORT, &["--json"]);
    let moves = "startpos moves d6 a1 f6 g7 b6 xa1 d7 d2 a7 xd2 f2 b2";
    let of_turns = |ended: &Ended| -> Vec<Value> {
        ended.json().into_iter().filter(|line| line.get("turn").is_some()).collect()
    };
    for from_moves in [
        analyze("", &["--json", plain(&file)]),
        analyze("", &["--json", "--game", "--fen", moves]),
        analyze(&format!("position {moves}\n"), &["--json", "--game"]),
        analyze(&moves["startpos moves ".len()..], &["--json"]),
    ] {
        assert_eq!(of_turns(&from_moves), of_turns(&from_input));
    }
    let place = |ended: &Ended| ["source", "line"].map(|name| ended.json()[0][name].clone());
    let from_list = analyze(&format!("\n{moves}"), &["--json", "--game"]);
    assert_eq!(place(&from_list), [json!("standard input"), json!(2)]);
    assert_eq!(place(&from_input), [json!("standard input"), Value::Null]);
}

/// The names of the fields of JSON, at any depth.
fn names(json: &Value) -> Vec<&str> {
    match json {
        Value::Object(fields) => {
            let below = fields.values().flat_map(names);
            fields.keys().map(String::as_str).chain(below).collect()
        }
        Value::Array(values) => values.iter().flat_map(names).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn the_help_explains_the_fields_of_json() {
    let help = millstone_reading("", &["analyze", "--help"]);
    let (_, help) = help.out.split_once("Fields of JSON").expect("a heading");
    let explained: Vec<&str> = help.split(|c: char| !c.is_alphabetic() && c != '_').collect();
    let searched = [analyze(BLUNDER, &["--json"]), analyze("startpos", &["--json"])];
    let searched = searched.map(|ended| Value::from(ended.json())).into_iter();
    // With a tablebase.
    let rows = read_rows::<Value>("json_commands.jsonl").into_iter();
    let known = rows.filter(|row| row["arguments"][0] == "analyze").map(|row| {
        let lines = row["output"].as_array().expect("lines").iter();
        lines
            .map(|line| {
                serde_json::from_str::<Value>(line.as_str().expect("a line")).expect("JSON")
            })
            .collect()
    });
    for json in searched.chain(known) {
        assert!(names(&json).len() > 5, "{json}");
        for name in names(&json) {
            assert!(explained.contains(&name), "{name} is not explained");
        }
    }
}

#[test]
fn a_file_that_is_no_text_is_named() {
    let bad = fresh_folder("analyze_games_wrong").join("bad");
    fs::write(&bad, b"1. d6 \xff").unwrap();
    let ended = analyze("", &[plain(&bad)]);
    assert!(ended.error.contains("/bad:1:7: "), "{}", ended.error);
}

/// What a terminal with these variables shows of a game.
fn shown(game: &str, variables: &[(&str, &str)]) -> String {
    let command = &mut Command::new(env!("CARGO_BIN_EXE_millstone"));
    command.args(["analyze", "--no-tablebase", "--nodes", "3000"]).env_clear();
    command.envs(variables.iter().copied());
    run(command, game).lines().join("\n")
}

#[test]
fn graphs_suit_the_terminal() {
    let plain = shown(BLUNDER, &[]);
    let graph: Vec<&str> = plain.lines().filter(|line| line.contains('|')).collect();
    assert_eq!(graph.len(), 9);
    assert!(graph[0].starts_with(" 1-0 |") && graph[8].starts_with(" 0-1 |"), "{plain}");
    assert!(plain.is_ascii() && plain.lines().all(|line| line.len() <= 80), "{plain}");
    let unicode = shown(BLUNDER, &[("LC_ALL", "C.UTF-8")]);
    assert!(unicode.contains(" 1-0 │"), "{unicode}");
    assert_eq!(shown(BLUNDER, &[("LANG", "C.UTF-8"), ("TERM", "dumb")]), plain);
    assert!(!unicode.contains('\u{1b}'), "a pipe is no terminal");
    let coloured = shown(BLUNDER, &[("CLICOLOR_FORCE", "1")]);
    assert!(coloured.contains("\u{1b}[1m\u{1b}[31mf6-g4??"), "{coloured:?}");
    let refused = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
    assert_eq!(shown(BLUNDER, &refused), plain);
}
