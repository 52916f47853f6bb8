//! `millstone convert` as scripts use it.

use std::fs;
use std::path::Path;

use crate::program::{Ended, millstone_in};
use serde_json::Value;
use tempfile::TempDir;

/// Runs the command in a folder with something on standard input.
fn convert(folder: &Path, arguments: &[&str], input: &str) -> Ended {
    millstone_in(folder, input, &[&["convert"], arguments].concat())
}

/// The output of a conversion that succeeds and says nothing else.
fn text_of(folder: &Path, arguments: &[&str], input: &str) -> String {
    let ended = convert(folder, arguments, input);
    ended.lines();
    ended.out
}

/// What a conversion that fails says, having written nothing.
fn error_of(folder: &Path, arguments: &[&str], input: &str) -> String {
    let ended = convert(folder, arguments, input);
    assert!(ended.status != Some(0) && ended.out.is_empty(), "{}", ended.out);
    ended.error
}

const GAME: &str = "[White \"Erika\"]\n\n1. d6 f4 {hm} 2. d7 $1 b4 (2... a7) 3. d5xf4 1-0\n";

#[test]
fn a_game_through_all_notations() {
    let folder = TempDir::new().unwrap();
    let text = |arguments: &[&str], input: &str| text_of(folder.path(), arguments, input);
    let playok = text(&["--to", "playok"], GAME);
    assert!(playok.contains("\n1. 5 14 {hm} 2. 2 $1 11 (2... 1) 3. 8x14 1-0\n"), "{playok}");
    let sanmill = text(&[], &playok);
    assert!(sanmill.contains("\r\n 1.    d6    f4 {hm}\r\n 2.    d7 $1    b4 (2... a7)\r\n"));
    let wmd = text(&["--to=wmd"], &sanmill);
    assert!(wmd.contains("1. d6 f4 {hm} 2. d7 $1 b4 (2... a7) 3. d5xf4 1-0\n"), "{wmd}");
    assert_eq!(text(&["--to=sanmill"], &wmd), sanmill);
}

#[test]
fn games_stay_games_of_their_rules() {
    let folder = TempDir::new().unwrap();
    let input = "[Variant \"Nine Men's Morris\"]\n\n1. d6 *\n\n[Site \"?\"]\n\n1. d6 *\n";
    let variants = |arguments: &[&str], input: &str| -> Vec<Value> {
        let games = convert(folder.path(), &[arguments, &["--json"]].concat(), input).json();
        games.iter().map(|game| game["variant"].clone()).collect()
    };
    let lasker = ["--variant", "lasker"];
    let expected = ["Nine Men's Morris", "Lasker Morris"];
    assert_eq!(variants(&lasker, input), expected);
    for notation in ["wmd", "playok", "sanmill"] {
        let text = text_of(folder.path(), &["--variant", "lasker", "--to", notation], input);
        for arguments in [&lasker[..], &[]] {
            assert_eq!(variants(arguments, &text), expected, "{notation}");
        }
    }
}

#[test]
fn files_become_one_file() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.txt"), GAME).unwrap();
    fs::write(folder.path().join("b.txt"), "d6-f6").unwrap();
    let arguments = ["a.txt", "-", "a.txt", "--output", "all.txt", "--to", "wmd"];
    assert_eq!(text_of(folder.path(), &arguments, "d6 f4"), "");
    let all = fs::read_to_string(folder.path().join("all.txt")).unwrap();
    assert_eq!(all.matches("Erika").count(), 2);
    assert!(all.contains("\n1. d6 f4 *\n"), "{all}");

    let arguments = ["a.txt", "b.txt", "--output", "all.txt"];
    let error = error_of(folder.path(), &arguments, "");
    let expected = "millstone: b.txt:1:1: move 'd6-f6': expected one of the legal moves d5 ";
    assert!(error.starts_with(expected), "{error}");
    assert_eq!(fs::read_to_string(folder.path().join("all.txt")).unwrap(), all);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
}

#[test]
fn bytes_that_are_no_text_are_named() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("latin.txt"), b"{M\xfchle} 1. d6").unwrap();
    let place = error_of(folder.path(), &["latin.txt"], "");
    assert_eq!(place, "millstone: latin.txt:1:3: expected text in UTF-8, found byte 0xfc\n");
}

#[test]
fn a_file_that_is_too_long_is_refused() {
    let folder = TempDir::new().unwrap();
    let file = fs::File::create(folder.path().join("long")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let error = error_of(folder.path(), &["long"], "");
    assert_eq!(error, "millstone: long: longer than 64 MiB, the most that is read\n");
}
