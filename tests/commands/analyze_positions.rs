//! `millstone analyze` with positions.

use std::fs;

use super::analyze;
use crate::program::{millstone_at_home, millstone_reading, plain};
use crate::tablebases::{self, fresh_folder, solved};
use millstone::score::Score;
use millstone::tablebase::{Sector, Wdl};
use serde_json::{Value, json};

const WIN_IN_ONE: &str = "@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";
const TWO_PLACED: &str = "startpos moves d6 f4";
const MILL_CLOSED: &str = "startpos moves d6 a1 d5 a4 d7 xa1";
const ALL: [&str; 3] = [WIN_IN_ONE, TWO_PLACED, MILL_CLOSED];

#[test]
fn all_ways_in_lead_to_the_same_answers() {
    let file = fresh_folder("analyze_positions").join("positions.txt");
    let text = format!("# three positions\n\n{}\r\n", ALL.join("\r\n"));
    fs::write(&file, format!("\u{feff}\u{feff}{text}")).unwrap();
    let file = plain(&file);
    let fens = ALL.map(|position| ["--fen", position]).concat();
    let from_line = analyze("", &fens).out;
    assert_eq!(analyze(&text, &[]).out, from_line);
    assert_eq!(analyze(&text, &["-"]).out, from_line);
    assert_eq!(analyze("", &[file]).out, from_line);
    let prefixed = text.replace("start", "position start").replace("@***", "position fen @***");
    assert_eq!(analyze(&prefixed, &[]).out, from_line);
    for (ended, source, first) in [
        (analyze("", &[&fens[..], &["--json"]].concat()), "--fen", 1),
        (analyze(&text, &["--json"]), "standard input", 3),
        (analyze("", &[file, "--json"]), file, 3),
    ] {
        let place = |answer: &Value| json!([answer["source"], answer["line"]]);
        let expected = (first..first + 3).map(|line| json!([source, line]));
        assert!(ended.json().iter().map(place).eq(expected), "{}", ended.out);
    }
}

#[test]
fn other_games_and_limits_by_nodes() {
    let arguments = ["analyze", "--variant", "morabaraba", "--nodes", "2000", "--json"];
    let answers = millstone_reading("startpos moves b6", &arguments).json();
    assert!(answers[0]["nodes"].as_u64() <= Some(4000), "{answers:?}");
    assert!(answers[0]["position"].as_str().unwrap().contains(" 1 11 0 12 "), "{answers:?}");
}

#[test]
fn small_tablebases_are_solved_on_first_use_and_judge_exactly() {
    let home = fresh_folder("analyze_positions_home");
    let tablebase = tablebases::open(solved(6));
    let positions = (0..40).map(|n| tablebases::position(Sector::new(3, 3).unwrap(), n * 997));
    let positions: Vec<_> = positions.filter(|position| position.ending().is_none()).collect();
    let texts: Vec<String> = positions.iter().map(ToString::to_string).collect();
    let mut arguments = vec!["analyze", "--depth", "1", "--json"];
    arguments.extend(texts.iter().flat_map(|text| ["--fen", text]));
    let first = millstone_at_home(&home, &arguments);
    assert!(home.join("cache").exists(), "the tablebase is kept");
    assert_eq!(millstone_at_home(&home, &arguments).out, first.out, "and used again");
    for (position, answer) in positions.iter().zip(first.json()) {
        let value = tablebase.probe_value(position).expect("a position of the tablebase");
        let turns = i64::from(Score::turns_of_winner(value.turns().unwrap_or(0).into()));
        let score = &answer["lines"][0]["score"];
        let mate = score["mate"].as_i64();
        let (known, is_true) = match Wdl::from(value) {
            Wdl::Win => ("1-0", mate == Some(turns)),
            Wdl::Draw => ("1/2-1/2", score["cp"].as_i64().is_some_and(|cp| cp.abs() <= 40)),
            Wdl::Loss => ("0-1", mate.is_some_and(|mate| (-turns..0).contains(&mate))),
        };
        assert!(is_true && answer["known"] == known, "{answer}");
    }
}
