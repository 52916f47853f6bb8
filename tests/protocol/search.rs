//! The program while it searches, under all limits, and under abuse.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::client::{Client, best_of};
use crate::program::home;

/// White wins in one turn: g4-g1 closes a mill and leaves two men.
const WIN_IN_ONE: &str = "position fen @*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";
const MOVING: &str = "position fen OO*O**@*/*@*OO*@*/*@@*@*O* w m s 6 0 6 0 0 0 0 0 0 0 0 6 40";

/// An engine that has begun to search without end.
fn searching() -> Client {
    let mut engine = Client::start();
    engine.ask("go infinite", "info depth");
    engine
}

/// How many of the lines answer a `go`.
fn answers(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove ")).count()
}

/// The number after a word in the last line that has the word.
fn number_after(word: &str, lines: &[String]) -> u64 {
    let in_line = |line: &String| {
        let mut words = line.split_whitespace().skip_while(|&other| other != word);
        words.nth(1)?.parse().ok()
    };
    lines.iter().rev().find_map(in_line).unwrap_or_else(|| panic!("no {word} in {lines:?}"))
}

/// Ends the input; the engine must end well and answer so many searches.
fn assert_ends(engine: Client, expected_answers: usize) {
    let (lines, status) = engine.finish();
    assert!(status.success(), "{status}");
    assert_eq!(answers(&lines), expected_answers, "{lines:?}");
}

#[test]
fn stop_ends_an_endless_search() {
    let mut engine = searching();
    let legal = engine.legal_moves();
    assert!(legal.contains(&engine.best_move("stop")));
    engine.send("stop");
    assert_ends(engine, 0);
}

#[test]
fn questions_are_answered_while_a_search_runs() {
    let mut engine = searching();
    let mut lines = Vec::new();
    for (question, start) in [
        ("isready", "readyok"),
        ("fen", "fen ********/"),
        ("d", "Key:"),
        ("moves", "moves d5"),
        ("key", "key "),
        ("eval", "info eval score"),
        ("uci", "uciok"),
        ("setoption name Ponder value true", ""),
    ] {
        lines.extend(engine.ask(question, start));
    }
    assert_eq!(answers(&lines), 0);
    assert_ends(engine, 1);
}

#[test]
fn what_would_disturb_a_search_is_refused() {
    let mut engine = searching();
    for command in [
        "go depth 1",
        "ucinewgame",
        "bench 1",
        "perft 1",
        "setoption name Hash value 1",
        "setoption name Clear Hash",
        "setoption name NMoveRule value 50",
    ] {
        let lines = engine.ask(command, "info string error ");
        assert!(lines[lines.len() - 1].ends_with("stop it first"), "{command}: {lines:?}");
        assert_eq!(answers(&lines), 0, "{command}");
    }
    for command in ["go depth none", "position startpos moves a9", "castle"] {
        let lines = engine.ask(command, "info string error ");
        assert_eq!(answers(&lines), 0, "{command}");
    }
    assert_ends(engine, 1);
}

#[test]
fn a_new_position_waits_for_the_next_search() {
    let mut engine = searching();
    let legal = engine.legal_moves();
    engine.send(WIN_IN_ONE);
    assert!(legal.contains(&engine.best_move("stop")));
    assert_eq!(engine.best_move("go depth 3"), "g4-g1");
}

#[test]
fn quit_and_end_of_input_end_a_search() {
    for last in ["quit\n", "quit\nisready\n", ""] {
        let mut engine = searching();
        engine.send_bytes(last.as_bytes());
        assert_ends(engine, 1);
    }
    let mut engine = Client::start();
    engine.send_bytes(b"isready");
    assert_eq!(engine.finish().0, ["readyok"], "a last line needs no line end");
}

#[test]
fn pondering_waits_for_the_opponent() {
    for end in ["ponderhit", "stop"] {
        let mut engine = Client::start();
        engine.ask("go ponder depth 2", "info depth 2 ");
        let lines = engine.ask("isready", "readyok");
        assert_eq!(answers(&lines), 0);
        engine.ask(end, "bestmove ");
        assert_ends(engine, 0);
    }
    let mut engine = Client::start();
    engine.ask("go ponder movetime 20", "info depth");
    engine.ask("ponderhit", "bestmove ");
    assert_ends(engine, 0);
}

#[test]
fn a_ponder_search_that_has_ended_answers_the_hit() {
    for go in ["go ponder movetime 1000000", "go ponder wtime 9000000 btime 9000000"] {
        let mut engine = Client::start();
        engine.send(WIN_IN_ONE);
        engine.ask(go, "info depth 1 ");
        assert_eq!(answers(&engine.ask("isready", "readyok")), 0);
        assert_eq!(engine.best_move("ponderhit"), "g4-g1");
        engine.send("ponderhit");
        assert_ends(engine, 0);
    }
}

#[test]
fn what_can_be_answered_at_once_is() {
    let mut engine = Client::start();
    let only = engine.legal_moves()[0].clone();
    for limit in ["movetime 1000000", "wtime 9000000 btime 9000000"] {
        assert_eq!(engine.best_move(&format!("go {limit} searchmoves {only}")), only);
        engine.send(WIN_IN_ONE);
        assert_eq!(engine.best_move(&format!("go {limit}")), "g4-g1");
        engine.send("position startpos");
    }
    engine.send(WIN_IN_ONE);
    engine.ask("go infinite", "info depth 1 ");
    assert_eq!(answers(&engine.ask("isready", "readyok")), 0);
    assert_ends(engine, 1);
}

#[test]
fn several_lines_are_numbered() {
    let mut engine = Client::start();
    engine.send(MOVING);
    let moves = engine.legal_moves().len();
    for (algorithm, wanted) in [(0, 2), (1, 3), (2, 64)] {
        let lines = moves.min(wanted);
        engine.send(&format!("setoption name Algorithm value {algorithm}"));
        engine.send(&format!("setoption name MultiPV value {wanted}"));
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
    engine.send("setoption name MultiPV value 1");
    let found = engine.ask("go depth 4", "bestmove ");
    assert!(found.iter().all(|line| !line.contains("multipv")), "{found:?}");
}

#[test]
fn a_long_search_tells_of_bounds_and_of_the_move_it_looks_at() {
    let engine = searching();
    for word in [" currmovenumber ", "bound nodes "] {
        while !engine.next_line().expect("a line").contains(word) {}
    }
    assert_ends(engine, 1);
}

#[test]
fn an_endless_search_without_moves_waits_for_stop() {
    let mut engine = Client::start();
    engine.send("setoption name NMoveRule value 10");
    engine.send(&MOVING.replace(" 6 40", " 10 40"));
    engine.send("go infinite");
    assert_eq!(answers(&engine.ask("isready", "readyok")), 0);
    assert_eq!(engine.best_move("stop"), "draw");
}

#[test]
fn every_limit_ends_with_a_legal_move() {
    let mut engine = Client::start();
    engine.send("setoption name MoveTimeMs value 20");
    for position in ["position startpos", MOVING, WIN_IN_ONE] {
        engine.send(position);
        let legal = engine.legal_moves();
        for go in [
            "go nodes 1",
            "go nodes 5000",
            "go depth 1",
            "go depth 6",
            "go depth 0",
            "go nodes 0",
            "go movetime 0",
            "go movetime 20",
            "go wtime 200 btime 200 winc 5 binc 5",
            "go wtime -5 btime -5",
            "go wtime 300 btime 300 movestogo 1",
            "go mate 1 depth 4",
            "go depth 99999999999999999999 nodes 2000",
        ] {
            let best = engine.best_move(go);
            assert!(legal.contains(&best), "{position}, {go}: {best}");
        }
        let last = legal.last().expect("a legal move");
        assert_eq!(&engine.best_move(&format!("go depth 4 searchmoves {last}")), last);
    }
    assert_ends(engine, 0);
}

#[test]
fn limits_are_kept() {
    let mut engine = Client::start();
    let lines = engine.ask("go nodes 5000", "bestmove");
    assert!(number_after("nodes", &lines) <= 5000, "{lines:?}");
    let lines = engine.ask("go depth 5", "bestmove");
    assert_eq!(number_after("depth", &lines), 5);
    engine.send(WIN_IN_ONE);
    let lines = engine.ask("go mate 1", "bestmove");
    assert_eq!((number_after("mate", &lines), best_of(&lines).as_str()), (1, "g4-g1"));
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
    engine.send(&format!("setoption name Debug Log File value {}", path.display()));
    engine.ask("isready", "readyok");
    engine.ask("castle", "info string error");
    engine.send("setoption name Debug Log File value <empty>");
    engine.ask("isready", "readyok");
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
    let mut command = Command::new(env!("CARGO_BIN_EXE_millstone"));
    // No system has room for such a stack.
    command.env("RUST_MIN_STACK", (1_u64 << 47).to_string());
    let mut engine = Client::start_command(command, &home());
    engine.send("setoption name Threads value 8");
    for go in ["go depth 3", "go infinite", "go ponder wtime 1000 btime 1000"] {
        engine.send("position startpos moves d6");
        assert_ne!(engine.best_move(go), "none", "{go}");
    }
}
