//! The lines of a search: how many there are, and that the last ones speak of the move that is played.

use std::time::Instant;

use crate::client::{Client, best_of};

/// White wins in one turn.
const WON: &str = "position fen @*******/***@**@*/**O*OO** w m s 3 0 3 0 0 0 0 0 0 0 0 0 30";
/// Many moves of about the same value.
const OPEN: &str = "position startpos moves d6 d2 a4 g4 d5 g7 f6 e4 c5";

/// The first move of the pv of a line.
fn first_move(line: &str) -> Option<&str> {
    line.split_once(" pv ")?.1.split(' ').next()
}

/// The answer to a `go` whose last lines are those of the moves to play.
fn check(engine: &mut Client, go: &str, multi_pv: usize) -> Vec<String> {
    let lines = engine.ask(go, "bestmove");
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
    let last = infos.len().checked_sub(multi_pv).expect("a line for each rank");
    assert_eq!(first_move(infos[last]), Some(&*best_of(&lines)), "{go}: {lines:?}");
    let number = |line: &str, of| line.split_once(of)?.1.split(' ').next()?.parse::<i32>().ok();
    let score = |line: &str| number(line, " cp ");
    let are_sorted = infos[last..].is_sorted_by(|line, next| score(line) >= score(next));
    assert!(are_sorted || infos[last].contains(" lowerbound "), "{lines:?}");
    for (rank, line) in infos[last..].iter().enumerate().filter(|_| multi_pv > 1) {
        assert!(line.contains(&format!(" multipv {} ", rank + 1)), "{go}: {lines:?}");
    }
    for line in &infos {
        let pv = line.split_once(" pv ").map_or(0, |(_, pv)| pv.split(' ').count() as i32);
        assert!(number(line, " seldepth ") >= number(line, " depth ").max(Some(pv)), "{lines:?}");
    }
    lines
}

#[test]
fn the_last_lines_are_those_of_the_moves_to_play() {
    let mut engine = Client::start().with(&["UsePerfectDatabase=false", "Hash=1"]);
    let mut bounds = 0;
    for (multi_pv, least_nodes) in [(1, 9), (3, 1009)] {
        engine.set(&[&format!("MultiPV={multi_pv}")]);
        for nodes in (least_nodes..12_000).step_by(100) {
            engine.send("ucinewgame");
            engine.send(OPEN);
            let lines = check(&mut engine, &format!("go nodes {nodes}"), multi_pv);
            // After a mill the same side takes a man.
            engine.send(&format!("{OPEN} {}", best_of(&lines)));
            let is_to_ponder = !engine.legal_moves()[0].starts_with('x');
            let has_ponder = lines[lines.len() - 1].contains(" ponder ");
            // A line of one ply that was told before the search ended has no answer in it.
            let is_short = !lines.iter().any(|line| line.starts_with("info depth 2 "));
            assert!(has_ponder == is_to_ponder || is_short, "go nodes {nodes}: {lines:?}");
            bounds += usize::from(lines.iter().any(|line| line.contains(" lowerbound ")));
        }
    }
    assert!(bounds > 0, "no search was broken off after a move had come to the front");
}

#[test]
fn a_search_that_rushes_through_its_depths_skips_lines() {
    let mut engine = Client::start().with(&["UsePerfectDatabase=false"]);
    engine.send(WON);
    for dialect in ["uci", "gbgp"] {
        engine.ask(dialect, &format!("{dialect}ok"));
        for multi_pv in [1, 4] {
            engine.set(&[&format!("MultiPV={multi_pv}")]);
            let start = Instant::now();
            let lines = engine.ask("go depth 100", "bestmove");
            let (interval, multi_pv) = if dialect == "uci" { (10, multi_pv) } else { (200, 1) };
            let most = 2 + start.elapsed().as_millis() / interval;
            let told =
                lines.iter().filter(|line| line.starts_with("info depth")).count() / multi_pv;
            assert!(told as u128 <= most, "{told} lines, {most} at most: {lines:?}");
            let [.., last, _] = &lines[..] else { panic!("{lines:?}") };
            assert!(last.starts_with("info depth 100 "), "{lines:?}");
        }
    }
}
