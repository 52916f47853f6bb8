//! The session and the clients of README.md, run as they stand there.
//!
//! They need `python3`, and `rustc` as cargo itself does.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::client::Client;
use crate::program::home;
use crate::tablebases::fresh_folder;
use millstone::game::{Game, Outcome};
use millstone::search::Skill;

const README: &str = include_str!("../../README.md");

/// The code of the one block of a language under the heading `Clients`.
fn block(language: &str) -> &'static str {
    let section = README.split("\n## ").find(|section| section.starts_with("Clients\n"));
    let section = section.expect("a section on clients");
    let fence = format!("\n```{language}\n");
    let mut blocks = section.split(&fence).skip(1);
    let block = blocks.next().and_then(|rest| rest.split("```").next());
    assert!(blocks.next().is_none(), "one block of {language}");
    block.unwrap_or_else(|| panic!("a block of {language}"))
}

/// A line without what differs from run to run.
fn without_times(line: &str) -> String {
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if ["nps", "time"].contains(&word) {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

#[test]
fn the_session_is_as_it_stands_there() {
    let session = README.split("$ millstone\n").nth(1).and_then(|rest| rest.split("```").next());
    let mut lines = session.expect("a session").lines().skip(1);
    let mut engine = Client::start();
    let mut heard = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("> ") {
            engine.send(command);
        } else if line == "..." {
            let next = without_times(lines.next().expect("a line after the dots"));
            while heard.last() != Some(&next) {
                heard.push(without_times(&engine.next_line().expect("the line after the dots")));
            }
        } else {
            assert_eq!(
                engine.next_line().map(|line| without_times(&line)),
                Some(without_times(line))
            );
        }
    }
}

/// Levels and ratings stand in prose too.
#[test]
fn levels_are_those_of_the_engine() {
    let most = Skill::FULL.level();
    let (least_rating, most_rating) = Skill::ratings();
    let managers = include_str!("../../src/guide/managers.md");
    for (text, said) in [
        (README, format!("Levels 0 to {most} ")),
        (README, format!("`UCI_Elo` {least_rating} to {most_rating} ")),
        (managers, format!("`SkillLevel` 0 to {most}, ")),
    ] {
        assert!(text.contains(&said), "{said}");
    }
}

/// Writes a file into a folder of its own.
fn write(name: &str, text: &str) -> PathBuf {
    let path = fresh_folder(&format!("readme_{name}")).join(name);
    fs::write(&path, text).expect("a file for the tests");
    path
}

/// The path of commands with the engine in front.
fn path_with_engine() -> OsString {
    let engine = Path::new(env!("CARGO_BIN_EXE_millstone"));
    let folder = engine.parent().map(Path::to_owned);
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = folder.into_iter().chain(env::split_paths(&others));
    env::join_paths(folders).expect("folders that can be joined")
}

/// Runs a client, which has to print a whole game and then how it ended.
fn check(mut command: Command) {
    command.env("PATH", path_with_engine());
    let (lines, status) = Client::start_command(command, &home()).finish();
    assert!(status.success(), "{status} {lines:?}");
    let (end, moves) = lines.split_last().expect("a game");
    let mut game = Game::new();
    for mv in moves {
        game.play(mv.parse().expect("a move")).expect("a legal move");
    }
    let expected = match game.outcome() {
        Some(Outcome::Win { .. }) => "none",
        Some(Outcome::Draw(_)) => "draw",
        None => panic!("the game is not over: {moves:?}"),
    };
    assert_eq!(end, expected);
}

#[test]
fn the_client_in_python_plays_a_game() {
    let mut command = Command::new("python3");
    command.arg(write("client.py", block("python")));
    check(command);
}

#[test]
fn the_client_in_rust_plays_a_game() {
    let source = write("client.rs", block("rust,no_run"));
    let program = source.with_extension(env::consts::EXE_EXTENSION);
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut compilation = Command::new(compiler);
    compilation.args(["--edition", "2024", "-D", "warnings", "-o"]).arg(&program).arg(&source);
    let (_, status) = Client::start_command(compilation, &home()).finish();
    assert!(status.success(), "{status}");
    check(Command::new(&program));
}
