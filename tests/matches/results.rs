//! Matches of the program against itself, and what is told of them.

use std::fs;

use super::contests::{MatchFolder, SELF, arguments, level};
use millstone::records::GameRecord;
use serde_json::{Value, json};

/// Whether the numbers of a result agree with each other.
fn assert_consistent(result: &Value) {
    let count = |name: &str| result[name].as_u64().unwrap_or_else(|| panic!("{name}: {result}"));
    assert_eq!(count("wins") + count("draws") + count("losses"), count("games"));
    let half_points = 2 * count("wins") + count("draws");
    assert_eq!(result["points"], json!(half_points as f64 / 2.0));
    let pairs = result["pentanomial"].as_array().expect("five numbers");
    let pairs: Vec<u64> = pairs.iter().filter_map(Value::as_u64).collect();
    assert_eq!(2 * pairs.iter().sum::<u64>(), count("games"));
    assert_eq!((0..).zip(&pairs).map(|(halves, count)| halves * count).sum::<u64>(), half_points);
}

#[test]
fn the_higher_level_wins() {
    let others = ["--games", "12", "--concurrency", "2"];
    let result = MatchFolder::new().result(&arguments([&level(20), &level(0)], &others));
    assert_consistent(&result);
    assert!(result["points"].as_f64().unwrap() > 9.0, "{result}");
    assert!(result["likelihood_of_superiority"].as_f64().unwrap() > 0.97, "{result}");
    assert_eq!(result["faults"], json!([{}, {}]));
}

#[test]
fn identical_engines_come_out_equal() {
    let others = ["--games", "12"];
    let result = MatchFolder::new().result(&arguments([SELF, SELF], &others));
    assert_consistent(&result);
    assert_eq!(result["pentanomial"], json!([0, 0, 6, 0, 0]));
    assert_eq!((&result["elo"], &result["elo_error"]), (&json!(0.0), &json!(null)));
    assert_eq!(result["wins"], result["losses"]);
}

#[test]
fn a_test_ends_as_soon_as_it_is_decided() {
    let sprt = ["--games", "400", "--sprt", "elo0=0", "elo1=200"];
    let result = MatchFolder::new().result(&arguments([&level(9), &level(0)], &sprt));
    assert_eq!(result["sprt"]["accepted"], "elo1");
    assert!(result["games"].as_u64().unwrap() < 100, "{result}");
}

#[test]
fn people_get_a_table() {
    let text = MatchFolder::new().play(&arguments([&level(9), &level(0)], &["--games", "2"])).out;
    for words in ["level 9", "level 0", "Elo", "Likelihood of superiority", "Nine Men's Morris"] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn every_form_of_the_result_line_is_read_and_clocks_run() {
    let styles = [
        format!("{SELF}\nname=S\ndialect=sanmill\noption.ResultStyle=sanmill"),
        format!("{SELF}\nname=L\noption.ResultStyle=legacy\ntc=20/0.5+0.05\nnodes=300"),
    ];
    let others = ["--games", "4", "--max-plies", "60"];
    let result = MatchFolder::new().result(&arguments([&styles[0], &styles[1]], &others));
    assert_consistent(&result);
    assert_eq!(result["faults"], json!([{}, {}]));
}

/// An engine that knows no `uci` is asked in the other dialect, whose moves are whole turns.
#[test]
fn two_dialects_play_against_each_other() {
    let place = MatchFolder::new();
    let program = env!("CARGO_BIN_EXE_millstone");
    let script = format!(
        "while read -r line; do [ \"$line\" = uci ] || echo \"$line\"; done | '{program}' gbgp\n"
    );
    let found_out = format!("{}\nname=found out", place.script("gbgp.sh", &script));
    let others = ["--games", "6", "--log", "log"];
    let result = place.result(&arguments([&found_out, SELF], &others));
    assert_consistent(&result);
    assert_eq!(result["faults"], json!([{}, {}]), "{:?}", place.lines("log"));
    let has_removals = place.lines("log").iter().skip(1).all(|line| line.contains(" x"));
    assert!(has_removals, "games have captures");

    let header: Value = serde_json::from_str(&place.lines("log")[0]).unwrap();
    assert_eq!([0, 1].map(|engine| &header["engines"][engine]["dialect"]), ["gbgp", "uci"]);

    let told = format!("{SELF}\nname=told\nargs=gbgp\ndialect=gbgp");
    let result = place.result(&arguments([&told, SELF], &["--games", "6"]));
    assert_eq!(result["faults"], json!([{}, {}]));
    assert_consistent(&result);
}

/// Rules are set by the option `Variant`, or one by one for an engine that does not have it.
#[test]
fn other_games_are_played_by_their_rules() {
    let place = MatchFolder::new();
    let program = env!("CARGO_BIN_EXE_millstone");
    let script = format!("'{program}' | grep --line-buffered -v 'option name Variant'\n");
    let without = format!("{}\nname=without", place.script("without.sh", &script));
    for variant in ["lasker", "morabaraba"] {
        let others = ["--games", "2", "--variant", variant, "--max-plies", "80"];
        let result = place.result(&arguments([&without, SELF], &others));
        assert_eq!(result["faults"], json!([{}, {}]), "{variant}");
    }
}

#[test]
fn games_begin_with_the_openings_of_a_file_and_are_kept_as_records() {
    let place = MatchFolder::new();
    let position = "@**O****/*O**@***/O***@*@O w m s 4 0 4 0 0 0 0 0 0 0 0 0 10";
    for (text, start) in [
        ("d6 f4 d2 b4 f6\nposition startpos moves a1 a4\n", Some("d6 f4 d2 b4 ")),
        ("[White \"Erika\"]\n\n1. d6 f4 2. d2 b4 3. f6 1-0\n", Some("d6 f4 d2 b4 ")),
        (position, None),
    ] {
        fs::write(place.path("openings"), text).unwrap();
        let _ = fs::remove_file(place.path("log"));
        let _ = fs::remove_file(place.path("records"));
        let mut others = vec!["--games", "2", "--openings", "openings", "--opening-plies", "4"];
        others.extend(["--log", "log", "--records", "records", "--max-plies", "40"]);
        place.result(&arguments([SELF, SELF], &others));
        let games = place.games("log");
        let records = fs::read_to_string(place.path("records")).unwrap();
        let records = GameRecord::read_all(&records).unwrap();
        assert_eq!((games.len(), records.len()), (2, 2));
        for (game, record) in games.iter().zip(&records) {
            let moves: Vec<_> = record.moves().map(|mv| mv.to_string()).collect();
            assert_eq!(game["moves"], moves.join(" "));
            match start {
                Some(start) => assert!(moves.join(" ").starts_with(start)),
                None => assert_eq!(record.start.as_deref(), Some(position)),
            }
        }
        assert_eq!(records[0].tag("White"), records[1].tag("Black"));
    }
    fs::write(place.path("openings"), "d6 f4\nd6 d6\n").unwrap();
    let finished = place.play(&arguments([SELF, SELF], &["--openings", "openings"]));
    finished.assert_complains("openings:2:4: ");
}

#[test]
fn a_game_that_an_engine_cannot_play_is_told_in_a_line() {
    let place = MatchFolder::new();
    let gbgp = format!("{SELF}\nargs=gbgp\nname=G\ndialect=gbgp");
    let played = place.play(&arguments([SELF, &gbgp], &["--variant", "lasker"]));
    played.assert_complains("G: cannot play Lasker");
}
