//! JSON is a contract with other programs: its fields, their order and their spelling stay as recorded.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::serve::server::Server;
use crate::program::millstone_reading;
use crate::tablebases;

/// The lines of a file of recorded output.
fn recorded(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let text = fs::read_to_string(path).expect("the file is there");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A list of texts.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

#[test]
fn commands_print_what_is_recorded() {
    let folder = tablebases::solve("json_commands", 6);
    let folder = folder.to_str().expect("a folder with a plain name");
    for case in recorded("json_commands.jsonl") {
        let arguments: Vec<&str> = texts(&case["arguments"])
            .into_iter()
            .map(|word| if word == "FOLDER" { folder } else { word })
            .collect();
        let ended = millstone_reading(case["input"].as_str().expect("a text"), &arguments);
        assert_eq!(ended.lines(), texts(&case["output"]), "{arguments:?}");
    }
}

#[test]
fn the_api_replies_what_is_recorded() {
    let folder = tablebases::solve("json_api", 6);
    let server = Server::start(&["--tablebase", folder.to_str().expect("a plain name")]);
    for case in recorded("json_api.jsonl") {
        let reply = server.ask(case["word"].as_str().expect("a word"), &case["body"]).body;
        let parts: Vec<&str> = reply.trim_end_matches('\n').split("\n\n").collect();
        assert_eq!(parts, texts(&case["reply"]), "{}", case["body"]);
    }
}
