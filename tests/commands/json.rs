//! JSON is a contract with other programs: its fields, their order and their spelling stay as recorded.

use serde_json::{Value, json};

use super::serve::server::Server;
use crate::program::{millstone, millstone_reading, plain};
use crate::rules::vectors::read_rows;
use crate::tablebases::{copy, solved};

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// A list of texts.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(text).collect()
}

/// What commands print for people is recorded beside it, and how records of all notations are read.
#[test]
fn commands_print_what_is_recorded() {
    let folder = plain(solved(6));
    for case in read_rows::<Value>("json_commands.jsonl") {
        let words = texts(&case["arguments"]).into_iter();
        let arguments: Vec<&str> =
            words.map(|word| if word == "FOLDER" { folder } else { word }).collect();
        let ended = millstone_reading(text(&case["input"]), &arguments);
        assert_eq!(ended.lines(), texts(&case["output"]), "{arguments:?}");
    }
}

#[test]
fn the_api_replies_what_is_recorded() {
    let server = Server::start(&["--variant=leap.in_moving=true", "--tablebase", plain(solved(6))]);
    for case in read_rows::<Value>("json_api.jsonl") {
        let reply = server.ask(text(&case["word"]), &case["body"]).body;
        let parts: Vec<&str> = reply.trim_end_matches('\n').split("\n\n").collect();
        assert_eq!(parts, texts(&case["reply"]), "{}", case["body"]);
    }
}

#[test]
fn the_api_refuses_what_is_recorded() {
    let server = Server::plain();
    for case in read_rows::<Value>("api_refusals.jsonl") {
        let error = server.ask_text(text(&case["word"]), text(&case["body"])).refusal(400);
        assert_eq!(error, text(&case["error"]), "{case}");
    }
    let deep = format!("{{\"game\":{}", "[".repeat(60_000));
    assert!(server.ask_text("position", &deep).refusal(400).starts_with("the request: "));
    assert_eq!(server.ask("position", &json!({"game": {}})).status, 200);
}

/// The names of the fields of an object, in their order.
fn fields(line: &Value) -> Vec<&str> {
    line.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn commands_that_tell_times_print_the_same_fields() {
    let folder = copy(solved(6), "json_times");
    let folder = plain(&folder);
    let rate = ["depth", "leaves", "seconds", "leaves_per_second"];
    let positions = ["positions", "depth", "seconds", "nodes_per_second", "nodes"];
    let verified = ["sector", "positions", "of", "has_distances", "has_draws", "seconds"];
    for (arguments, text, expected) in [
        (&["perft", "2"][..], "", &rate[..]),
        (&["perft", "1", "--split"], "d5: 1", &[&rate[..], &["split"]].concat()),
        (&["bench", "1"], "nodes", &positions),
        (&["rules"], "Morabaraba", &["game", "identity", "tablebase", "rules"]),
        (&["rules", "dooz"], "Dooz (", &["game", "identity", "sentences"]),
        (&["db", "verify", "--dir", folder], "3-3: 210140 of 210140", &verified),
        (&["db", "build", "--max-men", "6", "--dir", folder], "is missing", &["nothing_missing"]),
    ] {
        let printed = millstone(arguments).lines().join("\n");
        assert!(printed.contains(text), "{printed}");
        for line in millstone(&[arguments, &["--json"]].concat()).json() {
            assert_eq!(fields(&line), expected);
        }
    }
}
