//! The learning file in the protocol: when it is read and written, and what is told of it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::learned::{LONG_WIN, engine, folder, random, read_lines, write};
use crate::client::Client;
use tempfile::TempDir;

const FINISHED: &str = "O**OO***/O*O@OOOO/*@****** w o r 9 0 2 0 0 0 0 0 0 0 0 0 37";

/// An engine that learns, with a home of its own.
struct Session {
    engine: Client,
    file: PathBuf,
    /// Removed with the session.
    home: TempDir,
}

impl Session {
    fn new() -> Self {
        let home = folder();
        let file = home.path().join("learned.txt");
        Self { engine: engine(home.path(), &file), file, home }
    }

    /// Finds the long win, which is worth learning.
    fn find_win(&mut self, go: &str) {
        self.engine.send(&format!("position fen {LONG_WIN}"));
        let lines = self.engine.ask(go, "bestmove");
        assert!(lines.iter().any(|line| line.contains("score mate")), "{lines:?}");
    }

    fn ready(&mut self) -> Vec<String> {
        self.engine.ask("isready", "readyok")
    }

    /// How many positions the file has.
    fn saved(&self) -> usize {
        if self.file.exists() { read_lines(&self.file).len() } else { 0 }
    }
}

fn told(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.starts_with("info string")).collect()
}

#[test]
fn what_was_learned_is_saved_after_each_game_and_at_the_end() {
    for end in [
        "ucinewgame",
        "position startpos",
        &format!("position fen {FINISHED}"),
        "setoption name Learning value false",
        "setoption name Variant value Lasker Morris\nucinewgame",
    ] {
        let mut session = Session::new();
        session.find_win("go depth 12");
        assert_eq!(session.saved(), 0, "the game goes on");
        session.engine.send(end);
        session.ready();
        assert_eq!(session.saved(), 1, "{end}");
    }
    for end in ["", "quit\n"] {
        let mut session = Session::new();
        session.find_win("go depth 12");
        session.engine.send_bytes(end.as_bytes());
        let Session { engine, file, home } = session;
        assert!(engine.finish().1.success());
        assert_eq!(read_lines(&file).len(), 1);
        drop(home);
    }
}

#[test]
fn the_next_session_begins_with_what_was_saved() {
    let mut session = Session::new();
    let first = session.ready();
    assert_eq!(
        told(&first),
        [&format!("info string learning file {}, positions: 0", session.file.display())]
    );
    session.find_win("go depth 12");
    session.engine.send("ucinewgame");
    session.ready();
    let mut next = engine(session.home.path(), &session.file);
    let first = next.ask("isready", "readyok");
    assert_eq!(
        told(&first),
        [&format!("info string learning file {}, positions: 1", session.file.display())]
    );
    next.send(&format!("position fen {LONG_WIN}"));
    next.ask("go depth 12", "bestmove");
    next.send("ucinewgame");
    next.ask("isready", "readyok");
    assert_eq!(session.saved(), 1, "nothing new");
}

#[test]
fn positions_that_others_save_count_from_the_next_game_on() {
    let mut session = Session::new();
    session.ready();
    write(&session.file, &random(20, 7));
    session.find_win("go depth 12");
    session.engine.send("ucinewgame");
    session.ready();
    assert_eq!(session.saved(), 21);
}

#[test]
fn searches_that_do_not_tell_the_truth_teach_nothing() {
    for (option, go) in [
        ("SkillLevel value 29", "go depth 12"),
        ("Learning value false", "go depth 12"),
        ("Algorithm value 3", "go nodes 2000"),
    ] {
        let mut session = Session::new();
        session.engine.send(&format!("setoption name {option}"));
        session.engine.send(&format!("position fen {LONG_WIN}"));
        session.engine.ask(go, "bestmove");
        session.engine.send("ucinewgame");
        session.ready();
        assert_eq!(session.saved(), 0, "{option}");
    }
    let mut session = Session::new();
    session.engine.send(&format!("position fen {LONG_WIN}"));
    let all = session.engine.legal_moves().join(" ");
    session.find_win(&format!("go depth 12 searchmoves {all}"));
    session.engine.send("ucinewgame");
    session.ready();
    assert_eq!(session.saved(), 0, "chosen moves");
}

#[test]
fn only_full_strength_uses_learned_positions() {
    let mut session = Session::new();
    for (level, count) in [(29, 0), (30, 1)] {
        session.engine.send(&format!("setoption name SkillLevel value {level}"));
        assert_eq!(told(&session.ready()).len(), count, "{level}");
    }
}

#[test]
fn no_file_is_touched_unless_learning_is_on() {
    let home = folder();
    let program = home.path().join("millstone");
    fs::copy(env!("CARGO_BIN_EXE_millstone"), &program).unwrap();
    let data = home.path().join("data").join("millstone");
    for (value, files) in [("false", 0), ("true", 2)] {
        let mut engine = Client::start_command(Command::new(&program), home.path());
        engine.send("setoption name UsePerfectDatabase value false");
        engine.send(&format!("setoption name Learning value {value}"));
        engine.send(&format!("position fen {LONG_WIN}"));
        engine.ask("go depth 12", "bestmove");
        engine.send("ucinewgame");
        engine.ask("isready", "readyok");
        let entries = fs::read_dir(&data).into_iter().flatten();
        let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), files, "the file and its lock: {names:?}");
        assert!(!home.path().join("endgame.txt").exists());
    }
    assert_eq!(read_lines(&data.join("endgame.txt")).len(), 1);
}

#[test]
fn no_move_waits_for_a_file_that_another_program_writes() {
    let mut session = Session::new();
    session.ready();
    session.find_win("go depth 12");
    let lock = fs::File::create(session.home.path().join("learned.txt.lock")).unwrap();
    lock.lock().unwrap();
    let mut lines = Vec::new();
    for end in ["position startpos", "ucinewgame", "position startpos moves d6"] {
        session.engine.send(end);
        lines.extend(session.ready());
    }
    assert_eq!((told(&lines).len(), session.saved()), (0, 0), "it is tried again later: {lines:?}");
    drop(lock);
    session.engine.send("ucinewgame");
    session.ready();
    assert_eq!(session.saved(), 1);
}

/// What was learned for a file that is closed is saved when the other program is done, and the session goes
/// on meanwhile.
#[test]
fn a_session_that_closes_a_busy_file_goes_on() {
    let mut session = Session::new();
    session.ready();
    session.find_win("go depth 12");
    let lock = fs::File::create(session.home.path().join("learned.txt.lock")).unwrap();
    lock.lock().unwrap();
    session.engine.send("setoption name Learning value false");
    let lines = session.ready();
    assert_eq!((told(&lines).len(), session.saved()), (0, 0), "{lines:?}");
    drop(lock);
    session.engine.finish();
    assert_eq!(read_lines(&session.file).len(), 1);
}

#[test]
fn what_a_busy_file_does_not_take_at_the_end_is_told() {
    let mut session = Session::new();
    session.ready();
    session.find_win("go depth 12");
    let lock = fs::File::create(session.home.path().join("learned.txt.lock")).unwrap();
    lock.lock().unwrap();
    let (lines, _) = session.engine.finish();
    assert!(lines.iter().any(|line| line.contains("another program is writing it")), "{lines:?}");
}

/// Files that cannot be used: what they hold, and what is told of them.
#[test]
fn a_file_that_cannot_be_used_is_named_once_and_left_alone() {
    let good = Session::new();
    write(&good.file, &random(9, 8));
    let text = fs::read_to_string(&good.file).unwrap();
    let mut image = vec![0; 1 << 20];
    image[8..16].copy_from_slice(&[1, 2, 3, 4, 2, 0, 0, 0]);
    let cases: [(Vec<u8>, &str, usize); 6] = [
        (b"# notes of mine\n\n".into(), "not a learning file of Millstone: header: ", 0),
        (image, "not a learning file of Millstone: it is binary", 0),
        (b"1. d6 f4\n2. d2 b4\n".into(), "not a learning file of Millstone: columns: expected", 0),
        (
            text.replace("format 1", "format 9").into(),
            "format '9' is of a later version of Millstone",
            0,
        ),
        ((text.clone() + "half a li").into(), ": columns: expected game, position", 9),
        (text.replace("#01", "#1").into(), "line 1: header: the line '#01 Millstone", 9),
    ];
    for (bytes, message, count) in cases {
        let mut session = Session::new();
        fs::write(&session.file, &bytes).unwrap();
        let mut lines = session.ready();
        for _ in 0..2 {
            session.find_win("go depth 12");
            session.engine.send("ucinewgame");
            lines.extend(session.ready());
        }
        let path = session.file.display();
        let told = told(&lines);
        assert_eq!(told.len(), 2, "{told:?}");
        let expected = format!("info string error learning file {path}: ");
        assert!(told[0].starts_with(&expected) && told[0].contains(message), "{told:?}");
        assert!(told[0].ends_with("; nothing is saved there"), "{told:?}");
        assert_eq!(*told[1], format!("info string learning file {path}, positions: {count}"));
        assert!(fs::read(&session.file).unwrap() == bytes, "{message}");
    }
}

#[test]
fn a_read_only_file_is_read_and_left_alone() {
    let mut session = Session::new();
    write(&session.file, &random(9, 9));
    let bytes = fs::read(&session.file).unwrap();
    let mut permissions = fs::metadata(&session.file).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&session.file, permissions).unwrap();
    assert!(session.ready()[0].ends_with("learned.txt, positions: 9"));
    let mut lines = Vec::new();
    for _ in 0..2 {
        session.find_win("go depth 12");
        session.engine.send("ucinewgame");
        lines.extend(session.ready());
    }
    let told = told(&lines);
    assert!(told.len() == 1 && told[0].contains("it is read-only"), "{told:?}");
    assert!(fs::read(&session.file).unwrap() == bytes);
}
