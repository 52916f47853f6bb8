//! `millstone analyze` with positions.

use std::fs;

use crate::program::{Ended, millstone, millstone_at_home, millstone_reading};
use crate::tablebases;
use crate::tablebases::fresh_folder;
use millstone::score::Score;
use millstone::tablebase::{Sector, Wdl};
use serde_json::json;

const WIN_IN_ONE: &str = "@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";
const LOST: &str = "@*******/***@**@*/**O*O*** w m s 2 0 3 0 0 0 0 0 0 0 0 0 30";
const TWO_PLACED: &str = "startpos moves d6 f4";
const MILL_CLOSED: &str = "startpos moves d6 a1 d5 a4 d7 xa1";
const ALL: [&str; 3] = [WIN_IN_ONE, TWO_PLACED, MILL_CLOSED];

/// Analyzes without tablebases to a depth.
fn analyze(input: &str, arguments: &[&str]) -> Ended {
    millstone_reading(input, &[&["analyze", "--no-tablebase", "--depth", "6"], arguments].concat())
}

#[test]
fn all_ways_in_lead_to_the_same_answers() {
    let file = fresh_folder("analyze_positions").join("positions.txt");
    let text = format!("# three positions\n\n{}\r\n", ALL.join("\r\n"));
    fs::write(&file, format!("\u{feff}{text}")).unwrap();
    let file = file.to_str().unwrap();
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
        let answers = ended.json();
        let places = answers.iter().map(|answer| (&answer["source"], &answer["line"]));
        let expected = (first..first + 3).map(|line| (json!(source), json!(line)));
        assert!(places.eq(expected.collect::<Vec<_>>().iter().map(|(a, b)| (a, b))), "{answers:?}");
    }
}

#[test]
fn scores_are_those_of_white() {
    let [white, black] = [WIN_IN_ONE.to_owned(), tablebases::with_black_to_move(WIN_IN_ONE)];
    let answers = analyze(&format!("{white}\n{black}"), &["--json"]).json();
    let scores = answers.iter().map(|answer| answer["lines"][0]["score"].clone());
    assert_eq!(scores.collect::<Vec<_>>(), [json!({"mate": 1}), json!({"mate": -1})]);
    let text = analyze(&format!("{white}\n{black}"), &[]).out;
    assert!(text.contains("  +#1  g4-g1 x") && text.contains("  -#1  g4-g1 x"), "{text}");
}

#[test]
fn wrong_lines_are_named_and_the_others_analyzed() {
    let wrong = "startpos moves d6 d6\nnonsense";
    let input = format!("nonsense\n{wrong}\n{TWO_PLACED} f2xd6\n{TWO_PLACED}\n\n");
    let ended = analyze(&input, &["--json"]);
    assert_eq!((ended.out.lines().count(), ended.status), (1, Some(1)));
    let errors: Vec<&str> = ended.error.lines().collect();
    let text = "position text, ";
    let expected = [text, "move 'd6': expected one of", text, "move 'xd6': "];
    for ((number, reason), error) in (1..).zip(expected).zip(&errors) {
        let error = error.strip_prefix("millstone: standard input:").expect("the place");
        assert!(error.starts_with(&format!("{number}: {reason}")), "{error}");
    }
    assert_eq!(errors[4..], ["millstone: 4 of 5 not analyzed"]);
    let ended = analyze("", &["no such file", "--fen", TWO_PLACED]);
    assert!(ended.error.starts_with("millstone: no such file: "), "{}", ended.error);
    assert_eq!((ended.out.lines().count(), ended.status), (4, Some(1)));
}

#[test]
fn what_fen_names_is_a_position() {
    for wrong in ["1. d6 f4", "d6 f4", "nonsense"] {
        let ended = analyze("", &["--fen", TWO_PLACED, "--fen", wrong]);
        assert!(ended.error.starts_with("millstone: --fen:2: position text, "), "{}", ended.error);
        assert_eq!((ended.out.lines().count(), ended.status), (4, Some(1)));
    }
    for nothing in ["", " "] {
        let ended = analyze("", &["--fen", nothing]);
        assert_eq!((ended.out.as_str(), ended.status), ("", Some(2)));
        assert!(ended.error.contains("expected a position"), "{}", ended.error);
    }
}

#[test]
fn games_that_are_over_have_no_lines() {
    let answers = analyze(LOST, &["--json"]).json();
    assert_eq!(answers[0]["outcome"], json!("win1:loseFewerThanThree"));
    assert_eq!(answers[0]["lines"], json!([]));
    let text = analyze(LOST, &[]);
    assert_eq!(text.lines()[1..], ["over: win1:loseFewerThanThree", ""]);
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
    let folder = tablebases::solve("analyze_positions_tables", 6);
    let tablebase = tablebases::open(&folder);
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

#[test]
fn folders_without_tablebases_are_named() {
    let folder = fresh_folder("analyze_positions_none");
    let folder = folder.to_str().unwrap();
    let arguments = ["analyze", "--tablebase", folder, "--depth", "2", "--fen", TWO_PLACED];
    let ended = millstone(&arguments);
    let complaint = format!("millstone: {folder}: no tablebase; millstone db build makes one\n");
    assert_eq!((ended.error, ended.status), (complaint, Some(0)));
    let both = millstone(&["analyze", "--tablebase", folder, "--no-tablebase"]);
    assert_eq!(both.status, Some(2));
}

#[test]
fn options_of_the_tablebase_have_their_old_names_too() {
    let [by_name, by_old_name] =
        [["--tablebase", "--no-tablebase"], ["--databases", "--no-databases"]]
            .map(|[folder, none]| millstone(&["analyze", folder, "folder", none]).error);
    assert!(by_name.contains("--no-tablebase"), "{by_name}");
    assert_eq!(by_old_name, by_name);
}
