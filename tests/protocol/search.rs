//! The program while it searches, under all limits, and under abuse.

use std::fs;
use std::path::Path;

use crate::client::{Client, number_after};
use crate::program::{home, program};

/// White wins in one turn: g4-g1 closes a mill and leaves two men.
const WIN_IN_ONE: &str = "position fen @*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";
const MOVING: &str = "position fen OO*O**@*/*@*OO*@*/*@@*@*O* w m s 6 0 6 0 0 0 0 0 0 0 0 6 40";

/// Ends the input; the engine must end well and answer so many searches.
fn assert_ends(engine: Client, expected_answers: usize) {
    let (lines, status) = engine.finish();
    assert!(status.success(), "{status}");
    let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(answers, expected_answers, "{lines:?}");
}

#[test]
fn quit_and_end_of_input_end_a_search() {
    for last in ["quit\n", "quit\nisready\n", ""] {
        let mut engine = Client::start();
        engine.ask("go infinite", "info depth");
        engine.send_bytes(last.as_bytes());
        assert_ends(engine, 1);
    }
    let mut engine = Client::start();
    engine.send_bytes(b"isready");
    assert_eq!(engine.finish().0, ["readyok"], "a last line needs no line end");
}

#[test]
fn several_lines_are_numbered() {
    let mut engine = Client::start();
    engine.send(MOVING);
    let moves = engine.legal_moves().len();
    for (algorithm, wanted) in [(0, 2), (1, 3), (2, 64)] {
        let lines = moves.min(wanted);
        engine.set(&[&format!("Algorithm={algorithm}"), &format!("MultiPV={wanted}")]);
        let found = engine.ask("go depth 4", "bestmove ");
        let (best, infos) = found.split_last().expect("an answer");
        assert_eq!((number_after("depth", infos), infos.len() % lines), (4, 0), "{found:?}");
        for iteration in infos.chunks(lines) {
            let number = |line: &String| number_after("multipv", std::slice::from_ref(line));
            assert!(iteration.iter().map(number).eq(1..=lines as u64), "{iteration:?}");
        }
        let (_, pv) = infos[infos.len() - lines].split_once(" pv ").expect("a line");
        assert_eq!(pv.split(' ').next(), best.split(' ').nth(1), "{found:?}");
    }
    engine.set(&["MultiPV=1"]);
    let found = engine.ask("go depth 4", "bestmove ");
    assert!(found.iter().all(|line| !line.contains("multipv")), "{found:?}");
}

#[test]
fn every_limit_ends_with_a_legal_move() {
    let mut engine = Client::start().with(&["MoveTimeMs=20"]);
    let limits = "nodes 1; nodes 5000; depth 1; depth 6; depth 0; nodes 0; movetime 0; movetime 20; \
                  wtime 200 btime 200 winc 5 binc 5; wtime -5 btime -5; \
                  wtime 300 btime 300 movestogo 1; mate 1 depth 4; \
                  depth 99999999999999999999 nodes 2000";
    for position in ["position startpos", MOVING, WIN_IN_ONE] {
        engine.send(position);
        let legal = engine.legal_moves();
        for limit in limits.split("; ") {
            let best = engine.best_move(&format!("go {limit}"));
            assert!(legal.contains(&best), "{position}, {limit}: {best}");
        }
        let last = legal.last().expect("a legal move");
        assert_eq!(&engine.best_move(&format!("go depth 4 searchmoves {last}")), last);
    }
    assert_ends(engine, 0);
}

#[test]
fn lines_that_are_no_text_are_refused_once_each() {
    let mut engine = Client::start();
    engine.send("position startpos moves d6");
    let fen = engine.ask_line("fen");
    let long = "x".repeat(2 << 20);
    let long_go = format!("go depth 1 {}", " ".repeat(2 << 20));
    for bad in [long.as_bytes(), long_go.as_bytes(), b"\xFF\xFE", b"go depth 1 \xC3", b"uci\0"] {
        engine.send_bytes(bad);
        engine.send("");
        let error = engine.next_line().expect("a reply");
        assert!(error.starts_with("info string error "), "{error}");
        assert!(error.len() < 2000);
        if bad.starts_with(b"go") {
            assert_eq!(engine.next_line().as_deref(), Some("bestmove none"));
        }
        assert_eq!(engine.ask_line("fen"), fen);
    }
    assert_ends(engine, 0);
}

#[test]
fn the_debug_log_has_both_directions() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("protocol_search debug.log");
    if path.exists() {
        fs::remove_file(&path).expect("a file of an earlier run");
    }
    let mut engine = Client::start();
    engine.set(&[&format!("Debug Log File={}", path.display())]);
    engine.ready();
    engine.ask("castle", "info string error");
    engine.set(&["Debug Log File=<empty>"]);
    engine.ready();
    let log = fs::read_to_string(&path).expect("a log file");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines[..3], [">> isready", "<< readyok", ">> castle"]);
    assert!(lines[3].starts_with("<< info string error "));
    assert_eq!(lines[4], ">> setoption name Debug Log File value <empty>");
    assert_eq!(lines.len(), 5);
}

/// Where the system starts no thread, the session searches itself: a slow move is better than none.
#[test]
fn a_move_comes_without_a_thread_to_search_it() {
    let mut command = program(&home());
    // No system has room for such a stack.
    command.env("RUST_MIN_STACK", (1_u64 << 47).to_string());
    let mut engine = Client::start_command(command, &home()).with(&["Threads=8"]);
    for go in ["go depth 3", "go infinite", "go ponder wtime 1000 btime 1000"] {
        engine.send("position startpos moves d6");
        assert_ne!(engine.best_move(go), "none", "{go}");
    }
}
