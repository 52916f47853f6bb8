//! Files that a front end names: none of them keeps the session waiting, and none is written in vain.

use std::fs;
use std::path::Path;

use crate::client::Client;
use crate::learning::learned::{self, LONG_WIN, folder};
use crate::program::{make_pipe, millstone_at_home, plain};
use tempfile::TempDir;

/// An engine with a home of its own.
fn start(home: &TempDir) -> Client {
    Client::start_in(home.path(), &[])
}

/// Sets an option and expects an error that names a file, then goes on.
fn assert_refused(engine: &mut Client, setting: &str, file: &Path) {
    engine.set(&[setting]);
    let error = format!("{}: not a regular file", file.display());
    let lines = engine.ready();
    assert!(lines.iter().any(|line| line.contains(&error)), "{error}: {lines:?}");
}

#[test]
fn a_pipe_without_a_reader_is_no_log() {
    let home = folder();
    let pipe = home.path().join("pipe");
    make_pipe(&pipe);
    let mut engine = start(&home);
    for path in [&*pipe, home.path(), Path::new("/dev/tty"), Path::new("/dev/full")] {
        engine.set(&[&format!("Debug Log File={}", path.display())]);
        let lines = engine.ready();
        assert!(lines[0].starts_with("info string error "), "{lines:?}");
    }
    assert_refused(&mut engine, &format!("Debug Log File={}", pipe.display()), &pipe);
    assert!(engine.finish().1.success());
}

#[test]
fn a_pipe_is_no_learning_file_and_no_lock() {
    let home = folder();
    let pipe = home.path().join("pipe");
    make_pipe(&pipe);
    let mut engine = start(&home);
    engine.set(&["Learning=true"]);
    assert_refused(&mut engine, &format!("LearningFile={}", pipe.display()), &pipe);
    engine.send("position startpos moves d6");
    engine.best_move("go depth 8");
    engine.send("ucinewgame");
    assert_eq!(engine.ask_line("isready"), "readyok", "the error is told once");
    assert!(engine.finish().1.success());
    // A file whose lock is a pipe can be read, not saved.
    let file = home.path().join("locked");
    let lock = home.path().join("locked.lock");
    make_pipe(&lock);
    let mut engine = learned::engine(home.path(), &file);
    engine.ready();
    engine.send(&format!("position fen {LONG_WIN}"));
    engine.best_move("go depth 16");
    assert_refused(&mut engine, "Learning=false", &lock);
    assert!(engine.finish().1.success());
    assert!(!file.exists());
}

#[test]
fn a_pipe_named_like_a_sector_file_is_left_out() {
    let home = folder();
    let sectors = home.path().join("sectors");
    fs::create_dir(&sectors).expect("a folder");
    let pipe = sectors.join("3-4.mill");
    make_pipe(&pipe);
    let mut engine = start(&home);
    assert_refused(&mut engine, &format!("PerfectDatabasePath={}", sectors.display()), &pipe);
    let legal = engine.legal_moves();
    assert!(legal.contains(&engine.best_move("go depth 2")));
    assert!(engine.finish().1.success());
    for command in ["info", "verify"] {
        let ended = millstone_at_home(home.path(), &["db", command, "--dir", plain(&sectors)]);
        assert_eq!(ended.status, Some(1), "db {command}");
    }
}
