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

    /// Finds the long win and begins another game. Returns what is told until that is saved.
    fn learn(&mut self) -> Vec<String> {
        self.find_win("go depth 16");
        self.engine.send("ucinewgame");
        self.engine.ready()
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
        session.find_win("go depth 16");
        assert_eq!(session.saved(), 0, "the game goes on");
        session.engine.send(end);
        session.engine.ready();
        assert_eq!(session.saved(), 1, "{end}");
    }
    for end in ["", "quit\n"] {
        let mut session = Session::new();
        session.find_win("go depth 16");
        session.engine.send_bytes(end.as_bytes());
        let Session { engine, file, home } = session;
        assert!(engine.finish().1.success());
        assert_eq!(read_lines(&file).len(), 1);
        drop(home);
    }
}

#[test]
fn what_was_saved_counts_from_the_next_session_or_game_on() {
    let mut session = Session::new();
    let path = session.file.display().to_string();
    let told_of = |lines: &[String], count| {
        let line = format!("info string learning file {path}, positions: {count}");
        assert_eq!(told(lines), [&line]);
    };
    told_of(&session.engine.ready(), 0);
    write(&session.file, &random(20, 7));
    session.learn();
    assert_eq!(session.saved(), 21, "others have saved meanwhile");
    let mut next = engine(session.home.path(), &session.file);
    told_of(&next.ready(), 21);
    next.send(&format!("position fen {LONG_WIN}"));
    next.ask("go depth 16", "bestmove");
    next.send("ucinewgame");
    next.ready();
    assert_eq!(session.saved(), 21, "nothing new");
}

#[test]
fn searches_that_do_not_tell_the_truth_teach_nothing() {
    for (option, go) in [
        ("SkillLevel=29", "go depth 16"),
        ("Learning=false", "go depth 16"),
        ("Algorithm=3", "go nodes 2000"),
        ("Learning=true", "go depth 16 searchmoves ALL"),
    ] {
        let mut session = Session::new();
        session.engine.set(&[option]);
        session.engine.send(&format!("position fen {LONG_WIN}"));
        let go = go.replace("ALL", &session.engine.legal_moves().join(" "));
        session.engine.ask(&go, "bestmove");
        session.engine.send("ucinewgame");
        session.engine.ready();
        assert_eq!(session.saved(), 0, "{option}, {go}");
    }
}

#[test]
fn no_file_is_touched_unless_learning_is_on() {
    let home = folder();
    let program = home.path().join("millstone");
    fs::copy(env!("CARGO_BIN_EXE_millstone"), &program).unwrap();
    let data = home.path().join("data").join("millstone");
    for (value, files) in [("false", 0), ("true", 2)] {
        let options = ["UsePerfectDatabase=false", &format!("Learning={value}")];
        let mut engine = Client::start_command(Command::new(&program), home.path()).with(&options);
        engine.send(&format!("position fen {LONG_WIN}"));
        engine.ask("go depth 16", "bestmove");
        engine.send("ucinewgame");
        engine.ready();
        let entries = fs::read_dir(&data).into_iter().flatten();
        let names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), files, "the file and its lock: {names:?}");
        assert!(!home.path().join("endgame.txt").exists());
    }
    assert_eq!(read_lines(&data.join("endgame.txt")).len(), 1);
}

/// Nothing waits for a file that another program writes, and nothing is lost or told unless the session
/// ends first.
#[test]
fn a_busy_file_is_saved_later() {
    let busy = |ends: &[&str]| {
        let mut session = Session::new();
        session.engine.ready();
        session.find_win("go depth 16");
        let lock = fs::File::create(session.home.path().join("learned.txt.lock")).unwrap();
        lock.lock().unwrap();
        for end in ends {
            session.engine.send(end);
            assert_eq!((told(&session.engine.ready()).len(), session.saved()), (0, 0), "{end}");
        }
        (session, lock)
    };
    let (mut session, lock) =
        busy(&["position startpos", "ucinewgame", "position startpos moves d6"]);
    drop(lock);
    session.engine.send("ucinewgame");
    session.engine.ready();
    assert_eq!(session.saved(), 1);

    let (session, lock) = busy(&["setoption name Learning value false"]);
    drop(lock);
    session.engine.finish();
    assert_eq!(read_lines(&session.file).len(), 1, "the file was closed meanwhile");

    let (session, _lock) = busy(&[]);
    let (lines, _) = session.engine.finish();
    assert!(lines.iter().any(|line| line.contains("another program is writing it")), "{lines:?}");
}

/// Files that cannot be used: what they hold, and what is told of them.
#[test]
fn a_file_that_cannot_be_used_is_named_once_and_left_alone() {
    let good = Session::new();
    write(&good.file, &random(9, 8));
    let text = fs::read_to_string(&good.file).unwrap();
    let later = text.replace("format 1", "format 9");
    let (cut, untitled) = (text.clone() + "half a li", text.replace("#01", "#1"));
    let image = [&[0; 8][..], &[1, 2, 3, 4, 2, 0, 0, 0], &[0; 9000]].concat();
    let foreign = "not a learning file of Millstone: ";
    let cases: [(&[u8], String, usize); 7] = [
        (b"# notes of mine\n\n", format!("{foreign}header: "), 0),
        (&image, format!("{foreign}it is binary"), 0),
        (b"1. d6 f4\n2. d2 b4\n", format!("{foreign}columns: expected"), 0),
        (later.as_bytes(), "format '9' is of a later version of Millstone".into(), 0),
        (cut.as_bytes(), ": columns: expected game, position".into(), 9),
        (untitled.as_bytes(), "line 1: header: the line '#01 Millstone".into(), 9),
        (text.as_bytes(), "it is read-only".into(), 9),
    ];
    for (bytes, message, count) in cases {
        let mut session = Session::new();
        fs::write(&session.file, bytes).unwrap();
        let mut permissions = fs::metadata(&session.file).unwrap().permissions();
        permissions.set_readonly(message.contains("read-only"));
        fs::set_permissions(&session.file, permissions).unwrap();
        let mut lines = session.engine.ready();
        for _ in 0..2 {
            lines.extend(session.learn());
        }
        let path = session.file.display();
        let mut told = told(&lines);
        let read = format!("info string learning file {path}, positions: {count}");
        told.retain(|line| **line != read);
        let [told] = told[..] else { panic!("{told:?}") };
        let expected = format!("info string error learning file {path}: ");
        assert!(told.starts_with(&expected) && told.contains(&message), "{told}");
        assert!(told.ends_with("; nothing is saved there"), "{told}");
        assert!(fs::read(&session.file).unwrap() == bytes, "{message}");
    }
}
