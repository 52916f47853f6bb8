//! The page in a real browser, where there is one.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Map, Value};

use super::server::Server;
use crate::common::say_skipped;
use crate::program::millstone;
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

/// Whether there is a browser.
fn has_browser() -> bool {
    let is_there = Path::new(BROWSER).exists();
    if !is_there {
        say_skipped("the test of the page needs a browser: apt-get install chromium");
    }
    is_there
}

/// Plays in the page at an address; it must tell the truth about the position, by a tablebase of seven men.
fn play(url: &str, known: &Path, arguments: &[&str]) {
    let mut script = Command::new("python3");
    script.args(["-B", SCRIPT, url, POSITION]).args(arguments).stdin(Stdio::null());
    // All steps take minutes; each of them has its own limit.
    let ended = script.output().expect("a script");
    let error = String::from_utf8_lossy(&ended.stderr);
    assert_eq!((&*error, ended.status.code()), ("", Some(0)));
    let shown: Map<String, Value> = serde_json::from_slice(&ended.stdout).expect("JSON");
    let known = known.to_str().expect("a folder with a plain name");
    let probed = millstone(&["db", "probe", POSITION, "--dir", known, "--json"]).json();
    let moves = probed[0]["moves"].as_array().expect("a list").iter();
    let known: Map<String, Value> = moves
        .map(|known| (known["move"].as_str().expect("a move").to_owned(), label(known).into()))
        .collect();
    assert_eq!(shown, known);
}

#[test]
fn people_play_and_learn_in_a_browser() {
    if !has_browser() {
        return;
    }
    let folder = tablebases::solve("browser", 7);
    let other = tablebases::solve("browser_other", 8);
    let [own, later] = [&folder, &other].map(|path| path.to_str().expect("a plain name"));
    let server = Server::start(&["--tablebase", own]);
    play(&format!("http://{}/", server.host), &folder, &[own, later]);
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
    let sectors = tablebases::solve("browser_static", 8);
    let [page, files] = [made.as_ref(), sectors.as_path()].map(Host::of);
    play(&page.address, &sectors, &[&files.address]);
}

/// A host of static files.
struct Host {
    process: Child,
    address: String,
}

impl Host {
    fn of(folder: &Path) -> Self {
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/web/serve");
        let process = Command::new(program).arg(folder).stdout(Stdio::piped()).spawn();
        let mut process = process.expect("python3 and its script");
        let mut address = String::new();
        let said = process.stdout.take().expect("a pipe");
        BufReader::new(said).read_line(&mut address).expect("an address");
        Self { process, address: address.trim().to_owned() }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
