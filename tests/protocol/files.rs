//! Files that a front end names: none of them keeps the session waiting, and none is written in vain.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::client::Client;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;
use tempfile::TempDir;

/// Black wins in seven turns, which is worth learning.
const WON: &str = "position fen ***OO@*O/****O*@@/@**@@@@@ b m s 4 0 9 0 0 0 0 0 0 0 0 3 34";

fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder for the test")
}

fn make_pipe(path: &Path) {
    mkfifo(path, Mode::S_IRWXU).expect("a pipe with a name");
}

/// An engine with a home of its own.
fn start(home: &TempDir) -> Client {
    Client::start_in(home.path(), &[])
}

/// Sends a line and expects an error that names a file, then goes on.
fn assert_refused(engine: &mut Client, line: &str, file: &Path) {
    engine.send(line);
    let lines = engine.ask("isready", "readyok");
    let error = format!("{}: not a regular file", file.display());
    assert!(lines.iter().any(|line| line.contains(&error)), "{error}: {lines:?}");
}

#[test]
fn a_pipe_without_a_reader_is_no_log() {
    let home = folder();
    let pipe = home.path().join("pipe");
    make_pipe(&pipe);
    let mut engine = start(&home);
    for path in [&*pipe, home.path(), Path::new("/dev/tty"), Path::new("/dev/full")] {
        let line = format!("setoption name Debug Log File value {}", path.display());
        engine.send(&line);
        let lines = engine.ask("isready", "readyok");
        assert!(lines[0].starts_with("info string error "), "{lines:?}");
    }
    assert_refused(
        &mut engine,
        &format!("setoption name Debug Log File value {}", pipe.display()),
        &pipe,
    );
    assert!(engine.finish().1.success());
}

#[test]
fn a_pipe_is_no_learning_file_and_no_lock() {
    let home = folder();
    let pipe = home.path().join("pipe");
    make_pipe(&pipe);
    let mut engine = start(&home);
    engine.send("setoption name Learning value true");
    assert_refused(
        &mut engine,
        &format!("setoption name LearningFile value {}", pipe.display()),
        &pipe,
    );
    engine.send("position startpos moves d6");
    engine.best_move("go depth 8");
    engine.send("ucinewgame");
    assert_eq!(engine.ask_line("isready"), "readyok", "the error is told once");
    assert!(engine.finish().1.success());
    // A file whose lock is a pipe can be read, not saved.
    let mut engine = start(&home);
    let file = home.path().join("locked");
    make_pipe(&home.path().join("locked.lock"));
    engine.send("setoption name UsePerfectDatabase value false");
    engine.send("setoption name Learning value true");
    engine.send(&format!("setoption name LearningFile value {}", file.display()));
    engine.ask("isready", "readyok");
    engine.send(WON);
    engine.best_move("go depth 16");
    engine.send("setoption name Learning value false");
    let lines = engine.ask("isready", "readyok");
    let is_told = |line: &String| line.contains("not a regular file");
    assert!(lines.iter().any(is_told), "{lines:?}");
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
    assert_refused(
        &mut engine,
        &format!("setoption name PerfectDatabasePath value {}", sectors.display()),
        &pipe,
    );
    let legal = engine.legal_moves();
    assert!(legal.contains(&engine.best_move("go depth 2")));
    assert!(engine.finish().1.success());
    for command in ["info", "verify"] {
        let arguments = ["db", command, "--dir"];
        let mut process = Command::new(env!("CARGO_BIN_EXE_millstone"));
        process.args(arguments).arg(&sectors).stderr(Stdio::null());
        let (_, status) = Client::start_command(process, home.path()).finish();
        assert!(!status.success(), "db {command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn replies_that_cannot_be_written_are_a_failure() {
    for input in ["uci\n", "isready\nquit\n", "go depth 1\n"] {
        let home = folder();
        let lines = home.path().join("lines");
        fs::write(&lines, input).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_millstone"))
            .env("XDG_CACHE_HOME", home.path())
            .env("XDG_DATA_HOME", home.path())
            .stdin(fs::File::open(&lines).expect("a file"))
            .stdout(fs::File::options().write(true).open("/dev/full").expect("a full device"))
            .stderr(Stdio::piped())
            .output()
            .expect("the program starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with("millstone: No space left on device"), "{input}: {error}");
        assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{input}");
    }
}
