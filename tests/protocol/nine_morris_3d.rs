//! Nine-Morris-3D, which reads one line of its engine with each picture that it draws.

use std::time::{Duration, Instant};

use super::gbgp::{NINE, RefereedGame};
use crate::client::best_of;

/// The time from picture to picture on a slow machine.
const PICTURE: Duration = Duration::from_millis(100);
/// What each clock shows at the start of a game.
const CLOCK: Duration = Duration::from_secs(60);

/// Sends a `go` and gives the lines up to the answer, and when that has been read.
fn ask_slowly(game: &mut RefereedGame, go: &str) -> (Vec<String>, Duration) {
    game.tell();
    let start = Instant::now();
    game.engine.send(go);
    let mut lines = Vec::new();
    let mut read = Duration::ZERO;
    while !lines.last().is_some_and(|line: &String| line.starts_with("bestmove")) {
        lines.push(game.engine.next_line().expect("an answer"));
        read = read.max(start.elapsed()) + PICTURE;
    }
    game.check(&lines);
    (lines, read)
}

/// Plays a game by the clock; what is left of both clocks.
fn play_by_the_clock(game: &mut RefereedGame) -> [Duration; 2] {
    let mut clocks = [CLOCK; 2];
    while game.referee.outcome().is_none() {
        let [white, black] = clocks.map(|clock| clock.as_millis());
        let (lines, read) = ask_slowly(game, &format!("go wtime {white} btime {black}"));
        let clock = &mut clocks[game.turns.len() % 2];
        *clock = clock.checked_sub(read).unwrap_or_else(|| {
            panic!("lost on time at turn {}, {read:?} for {lines:?}", game.turns.len())
        });
        game.play(&best_of(&lines));
    }
    clocks
}

#[test]
fn no_game_is_lost_by_lines_that_have_not_been_read() {
    let mut game = RefereedGame::new(NINE, &["SkillLevel value 12", "Shuffling value false"]);
    let left = play_by_the_clock(&mut game);
    println!("{} turns, {left:?} left", game.turns.len());
    let (lines, _) = ask_slowly(&mut game, "go movetime 100");
    assert_eq!(best_of(&lines), "none");
}

#[test]
fn a_won_game_that_is_searched_through_in_no_time_is_told_in_a_few_lines() {
    let mut game = RefereedGame::new(NINE, &[]);
    for turn in ["a7", "b4", "g7", "c5", "d7xb4", "e3", "a4", "d2", "a1xd2", "g1", "d6"] {
        game.play(turn);
    }
    for limit in ["wtime 60000 btime 60000", "depth 100 nodes 300000", "movetime 700"] {
        let start = Instant::now();
        let (lines, _) = ask_slowly(&mut game, &format!("go {limit}"));
        let most = 2 + start.elapsed().as_millis() / 200;
        assert!(lines.len() as u128 <= most + 1, "{limit}: {lines:?}");
        assert!(lines.len() >= 2, "{limit}: {lines:?}");
    }
}
