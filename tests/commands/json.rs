//! JSON for scripts tells what the text tells.

use std::path::PathBuf;
use std::sync::LazyLock;

use crate::program::millstone;
use crate::tablebases;
use millstone::tablebase::{Sector, Wdl};
use serde_json::{Value, json};

const WIN_IN_ONE: &str = "@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| tablebases::solve("shell_json", 6));

/// The lines of text and of JSON of a command that takes no time to speak of.
fn both(arguments: &[&str]) -> (Vec<String>, Vec<Value>) {
    let text = millstone(arguments).lines().iter().map(ToString::to_string).collect();
    (text, millstone(&[arguments, &["--json"]].concat()).json())
}

/// The same of a command about tablebases.
fn both_of_tablebase(arguments: &[&str]) -> (Vec<String>, Vec<Value>) {
    let folder = FOLDER.to_str().expect("a folder with a plain name");
    both(&[&["db"], arguments, &["--dir", folder]].concat())
}

/// The words of a line of text.
fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// A value as text has it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[test]
fn perft_tells_each_depth() {
    let (text, json) = both(&["perft", "3", "--split"]);
    for (row, line) in text[1..4].iter().zip(&json) {
        assert_eq!(words(row)[..2], [plain(&line["depth"]), plain(&line["leaves"])]);
        assert!(line["seconds"].is_f64() && line["leaves_per_second"].is_f64(), "{line}");
    }
    let split = json[2]["split"].as_array().expect("the moves of the last depth");
    let split = split.iter().map(|part| format!("{}: {}", plain(&part["move"]), part["leaves"]));
    assert_eq!(text[4..], split.collect::<Vec<_>>());
    assert_eq!((json.len(), json[1].get("split")), (3, None));
}

#[test]
fn bench_tells_its_signature() {
    let (text, json) = both(&["bench", "3"]);
    for (row, name) in [(0, "positions"), (1, "depth"), (4, "nodes")] {
        assert_eq!(words(&text[row]), [name, &plain(&json[0][name])]);
    }
    assert!(json[0]["nodes_per_second"].as_f64() > Some(0.0));
    assert_eq!(json.len(), 1);
}

#[test]
fn rules_tell_of_all_games_and_of_one() {
    let (text, json) = both(&["rules"]);
    assert_eq!((text.len(), json.len()), (12, 11));
    for (row, line) in text[1..].iter().zip(&json) {
        let [game, identity, rules] = ["game", "identity", "rules"].map(|name| plain(&line[name]));
        assert!(
            row.starts_with(&format!("{game:<20} {identity}  ")) && row.ends_with(&rules),
            "{row}"
        );
        let positions = line["tablebase"]["positions"].as_f64();
        let billions =
            positions.map_or("none".into(), |number| format!("{:.1} billion", number / 1e9));
        assert!(row.contains(&format!(" {billions}  ")), "{row}");
        assert!(positions.is_none() || line["tablebase"]["disk_bytes"].as_u64() > Some(1 << 30));
    }
    // The placing phase and the moving phase together.
    assert_eq!(json[0]["tablebase"]["positions"], 26_761_334_939_u64);
    assert_eq!(json.iter().filter(|line| line["tablebase"].is_null()).count(), 2);
    let (text, json) = both(&["rules", "morabaraba"]);
    let title = format!("{} ({})", plain(&json[0]["game"]), plain(&json[0]["identity"]));
    let sentences = json[0]["sentences"].as_array().expect("a list").iter().map(plain);
    let lines: Vec<String> = [title, String::new()].into_iter().chain(sentences).collect();
    assert_eq!(lines, text);
}

#[test]
fn info_tells_of_sectors_and_of_all_together() {
    let (text, json) = both_of_tablebase(&["info"]);
    let row = ["sector", "positions", "won", "drawn", "lost", "longest_win", "bytes", "position"];
    let row = row.map(|name| plain(&json[0][name]));
    assert_eq!(words(&text[1]), words(&row.join(" ")));
    let total = &json[1];
    let [sectors, of, positions] = ["sectors", "of", "positions"].map(|name| plain(&total[name]));
    assert_eq!(text[2], format!("{sectors} of {of} sectors, {positions} positions"));
    let [bytes, fewer] = ["bytes", "bytes_without_distances"].map(|name| plain(&total[name]));
    assert_eq!(text[4], format!("{bytes} bytes, {fewer} without the distances"));
    assert_eq!((text.len(), json.len()), (5, 2));
}

#[test]
fn probe_tells_every_move() {
    let tablebase = tablebases::open(&FOLDER);
    let mut positions =
        (0..).map(|number| tablebases::position(Sector::new(3, 3).unwrap(), number));
    let drawn =
        positions.find(|position| tablebase.probe_wdl(position) == Some(Wdl::Draw)).unwrap();
    for position in [WIN_IN_ONE, &drawn.to_string()] {
        let (text, json) = both_of_tablebase(&["probe", position]);
        assert_eq!(text[0], worth(&json[0]));
        let moves = json[0]["moves"].as_array().expect("a list").iter().map(|mv| {
            let replies = match &mv["drawing_replies"] {
                Value::Null => String::new(),
                replies => format!(", {replies} drawing replies"),
            };
            format!("{}: {}{replies}", plain(&mv["move"]), worth(mv))
        });
        let files = json[0]["files"].as_array().expect("a list").iter().map(plain);
        let from = format!("from {}", files.collect::<Vec<_>>().join(", "));
        assert_eq!(text[1..], moves.chain([from]).collect::<Vec<_>>());
    }
}

/// A result and its distance as text has them.
fn worth(line: &Value) -> String {
    match &line["turns"] {
        Value::Null => plain(&line["result"]),
        turns => format!("{} in {turns}", plain(&line["result"])),
    }
}

#[test]
fn line_tells_the_moves_and_the_end() {
    let (text, json) = both_of_tablebase(&["line", WIN_IN_ONE]);
    let moves = json[0]["moves"].as_array().expect("a list").iter().map(plain);
    let moves = moves.collect::<Vec<_>>().join(" ");
    assert_eq!(text[0], format!("{} {moves}", worth(&json[0])));
    assert_eq!(text[1], plain(&json[0]["end"]));
    assert_eq!((text.len(), json.len()), (2, 1));
}

#[test]
fn verify_tells_each_sector() {
    let (text, json) = both_of_tablebase(&["verify", "--sample", "1000"]);
    let [sector, positions, of] = ["sector", "positions", "of"].map(|name| plain(&json[0][name]));
    let start = format!("{sector}: {positions} of {of} positions verified (");
    assert!(text[0].starts_with(&start), "{} instead of {start}", text[0]);
    assert_eq!(json[0]["has_distances"], json!(true));
    assert_eq!((text.len(), json.len()), (1, 1));
}

#[test]
fn build_tells_each_step() {
    let folder = tablebases::fresh_folder("shell_json_build");
    let arguments = ["db", "build", "--max-men", "6", "--dir", folder.to_str().unwrap()];
    let json = millstone(&[&arguments[..], &["--json"]].concat()).json();
    let steps = ["plan", "solving", "solved"];
    assert!(json.len() == 3 && json.iter().zip(steps).all(|(line, step)| line[step].is_object()));
    assert_eq!(json[0]["plan"]["sectors"], json!(1));
    assert_eq!(json[1]["solving"]["sectors"], json!(["3-3"]));
    let info = both_of_tablebase(&["info"]).1;
    for name in ["sector", "won", "drawn", "lost", "bytes"] {
        assert_eq!(json[2]["solved"][name], info[0][name], "{name}");
    }
    let again = millstone(&[&arguments[..], &["--json"]].concat()).json();
    assert_eq!(again, [json!({"nothing_missing": {"folder": folder}})]);
}
