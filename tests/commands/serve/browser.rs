//! The page in a real browser, where there is one.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Map, Value};

use super::server::Server;
use crate::client::Client;
use crate::common::say_skipped;
use crate::program::{home, millstone, plain};
use crate::tablebases::{copy, solved};

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

/// Whether there is a browser.
fn has_browser() -> bool {
    let is_there = Path::new(BROWSER).exists();
    if !is_there {
        say_skipped("the test of the page needs a browser: apt-get install chromium");
    }
    is_there
}

/// Plays in the page at an address; it must tell the truth about the position, by a tablebase of seven men.
fn play(url: &str, known: &str, arguments: &[&str]) {
    let mut script = Command::new("python3");
    script.args(["-B", SCRIPT, url, POSITION]).args(arguments).stdin(Stdio::null());
    // All steps take minutes; each of them has its own limit.
    let ended = script.output().expect("a script");
    let error = String::from_utf8_lossy(&ended.stderr);
    assert_eq!((&*error, ended.status.code()), ("", Some(0)));
    let shown: Map<String, Value> = serde_json::from_slice(&ended.stdout).expect("JSON");
    let probed = millstone(&["db", "probe", POSITION, "--dir", known, "--json"]).json();
    let moves = probed[0]["moves"].as_array().expect("a list").iter();
    let labels =
        moves.map(|it| (it["move"].as_str().expect("a move").to_owned(), label(it).into()));
    assert_eq!(shown, labels.collect::<Map<_, _>>());
}

#[test]
fn people_play_and_learn_in_a_browser() {
    if !has_browser() {
        return;
    }
    // More files come into its folder.
    let own = copy(solved(7), "browser");
    let server = Server::start(&["--tablebase", plain(&own)]);
    play(&format!("http://{}/", server.host), plain(&own), &[plain(&own), plain(solved(8))]);
}

/// The same page as static files, with an engine of its own.
#[test]
fn people_play_and_learn_without_a_server() {
    let made = env::var_os("MILLSTONE_WEB");
    let Some(made) = made else {
        return say_skipped("MILLSTONE_WEB=DIR tests the static files that web/build has made");
    };
    if !has_browser() {
        return;
    }
    let [(_page, page), (_files, files)] = [made.as_ref(), solved(8)].map(host);
    play(&page, plain(solved(8)), &[&files]);
}

/// A host of the static files of a folder, and its address.
fn host(folder: &Path) -> (Client, String) {
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/web/serve"));
    command.arg(folder);
    let host = Client::start_command(command, &home());
    let address = host.next_line().expect("an address");
    (host, address)
}
