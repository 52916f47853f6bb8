//! What the known clients of the UCI dialect start, send and read.

use crate::client::Client;
use crate::program::home;

/// The words of a result line in each style, `*` for any number, and `MOVE` for the move.
const STYLES: [(&[&str], &str, &str); 3] = [
    (&["uci"], "sanmill", "info depth * score cp * nodes * bestmove MOVE"),
    (&["mill", "uci"], "sanmill", "info depth * score cp * nodes * bestmove MOVE"),
    (&[], "legacy", "info score * bestmove MOVE"),
];

#[test]
fn a_probe_script_asks_about_one_position_after_another() {
    for (words, style, pattern) in STYLES {
        let mut engine = Client::start_in(&home(), words);
        let identity = engine.ask("uci", "uciok");
        let is_identity =
            |line: &String| line.starts_with("id ") || line.starts_with("option name ");
        assert!(identity[..identity.len() - 1].iter().all(is_identity), "{identity:?}");
        engine.set(&["MoveTime=0", "SkillLevel=5", "DeveloperMode=false"]);
        engine.set(&[&format!("ResultStyle={style}")]);
        engine.send("ucinewgame");
        assert_eq!(engine.ask_line("isready"), "readyok", "no option is refused");
        for moves in ["", " moves d6 f4", " moves d6 f4 d7 f2 d5"] {
            engine.send(&format!("position startpos{moves}"));
            let legal = engine.legal_moves();
            let line = engine.ask_line("go depth 0");
            let (pattern, words) = (pattern.split(' '), line.split(' '));
            assert_eq!(pattern.clone().count(), words.clone().count(), "{line}");
            for (expected, word) in pattern.zip(words) {
                assert!(match expected {
                    "*" => word.parse::<i64>().is_ok_and(|number| number.abs() < 1_000_000),
                    "MOVE" => legal.iter().any(|mv| mv == word),
                    _ => word == expected,
                });
            }
        }
        assert!(engine.finish().1.success());
    }
}
