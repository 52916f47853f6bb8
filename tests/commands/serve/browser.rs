//! The page in a real browser, where there is one.

use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

use super::server::Server;
use crate::common::say_skipped;
use crate::program::{millstone, run};
use crate::tablebases;

/// Where Debian puts Chromium.
const BROWSER: &str = "/usr/bin/chromium";
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/commands/serve/browser.py");

/// White to move, to win by one of several moves.
const POSITION: &str = "@*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";

/// What the page says of a move of which the tablebase says this.
fn label(known: &Value) -> String {
    let letter = match known["result"].as_str() {
        Some("win") => "W",
        Some("draw") => "D",
        _ => "L",
    };
    known["turns"].as_u64().map_or_else(|| letter.to_owned(), |turns| format!("{letter}{turns}"))
}

#[test]
fn people_play_and_learn_in_a_browser() {
    if !Path::new(BROWSER).exists() {
        say_skipped(
            "the test of the page needs a browser: apt-get install chromium chromium-driver",
        );
        return;
    }
    let folder = tablebases::solve("browser", 7);
    let folder = folder.to_str().expect("a folder with a plain name");
    let other = tablebases::solve("browser_other", 8);
    let other = other.to_str().expect("a folder with a plain name");
    let server = Server::start(&["--tablebase", folder]);
    let url = format!("http://{}/", server.host);
    let ended =
        run(Command::new("python3").args(["-B", SCRIPT, &url, POSITION, folder, other]), "");
    assert_eq!((ended.error.as_str(), ended.status), ("", Some(0)));
    let shown: Map<String, Value> = serde_json::from_str(&ended.out).expect("JSON");
    let probed = millstone(&["db", "probe", POSITION, "--dir", folder, "--json"]).json();
    let moves = probed[0]["moves"].as_array().expect("a list").iter();
    let known: Map<String, Value> = moves
        .map(|known| (known["move"].as_str().expect("a move").to_owned(), label(known).into()))
        .collect();
    assert_eq!(shown, known);
}
