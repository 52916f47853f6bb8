//! The transposition table of a session: its memory, and what empties it.

use crate::client::{Client, number_after};

#[cfg(target_os = "linux")]
#[test]
fn a_small_table_is_provided_before_readyok_and_a_large_one_is_not_written() {
    let mut engine = Client::start().with(&["Hash=2048"]);
    for (command, megabytes) in [
        ("ucinewgame", 0..1024),
        ("setoption name Clear Hash", 0..1024),
        ("setoption name SkillLevel value 9", 0..1024),
        ("setoption name Hash value 100", 100..1024),
    ] {
        engine.send(command);
        engine.ready();
        let status = std::fs::read_to_string(format!("/proc/{}/status", engine.process.0.id()));
        let status = status.expect("the program runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("its memory");
        let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(megabytes.contains(&(kilobytes >> 10)), "{command}: {line}");
    }
}

/// The nodes of two searches of a position, the second after other lines, which leave the position.
fn nodes_of_two_searches(between: &[&str]) -> [u64; 2] {
    let mut engine = Client::start().with(&["UsePerfectDatabase=false"]);
    engine.send("position startpos moves d6 f4 d2");
    let text = engine.ask_line("fen");
    let first = number_after("nodes", &engine.ask("go depth 7", "bestmove"));
    for line in between {
        engine.send(line);
    }
    assert_eq!(engine.ask_line("fen"), text, "{between:?}");
    [first, number_after("nodes", &engine.ask("go depth 7", "bestmove"))]
}

#[test]
fn an_option_set_to_the_value_it_has_changes_nothing() {
    let plain = nodes_of_two_searches(&[]);
    let same = [
        "Variant value Nine Men's Morris",
        "PiecesCount value 9",
        "NMoveRule value 100",
        "Hash value 128",
        "SkillLevel value 30",
    ];
    let same = same.map(|option| format!("setoption name {option}"));
    assert_eq!(nodes_of_two_searches(&same.each_ref().map(String::as_str)), plain);
    let cleared = nodes_of_two_searches(&["setoption name Clear Hash"]);
    assert!(cleared[0] == plain[0] && cleared[1] != plain[1], "{cleared:?} {plain:?}");
}
