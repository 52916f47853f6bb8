//! Nine-Morris-3D, which reads one line of its engine with each picture that it draws.

use std::time::{Duration, Instant};

use super::games::{Player, RefereedGame};
use crate::client::best_of;
use millstone::position::Turn;
use millstone::rules::PRESETS;

/// The time from picture to picture on a slow machine.
const PICTURE: Duration = Duration::from_millis(100);
/// What each clock shows at the start of a game.
const CLOCK: Duration = Duration::from_secs(60);

/// The program as it plays both sides of a game.
fn start(options: &[&str]) -> (Player, RefereedGame) {
    let game = PRESETS[0].name;
    (Player::new(game, options, true), RefereedGame::new(game))
}

/// Sends a `go` and gives the lines up to the answer, and when that has been read.
fn ask_slowly(player: &mut Player, game: &RefereedGame, go: &str) -> (Vec<String>, Duration) {
    player.tell(game);
    let start = Instant::now();
    player.client.send(go);
    let mut lines = Vec::new();
    let mut read = Duration::ZERO;
    while !lines.last().is_some_and(|line: &String| line.starts_with("bestmove")) {
        lines.push(player.client.next_line().expect("an answer"));
        read = read.max(start.elapsed()) + PICTURE;
    }
    game.check(&lines, true);
    (lines, read)
}

fn play(game: &mut RefereedGame, turn: &str) {
    turn.parse::<Turn>().expect("a turn").moves().iter().for_each(|&mv| game.play(mv));
}

#[test]
fn no_game_is_lost_by_lines_that_have_not_been_read() {
    let (mut player, mut game) = start(&["SkillLevel value 12", "Shuffling value false"]);
    let mut clocks = [CLOCK; 2];
    while game.referee.outcome().is_none() {
        let [white, black] = clocks.map(|clock| clock.as_millis());
        let go = format!("go wtime {white} btime {black}");
        let (lines, read) = ask_slowly(&mut player, &game, &go);
        let clock = &mut clocks[game.history.turns().len() % 2];
        *clock = clock.checked_sub(read).unwrap_or_else(|| panic!("lost on time: {lines:?}"));
        play(&mut game, &best_of(&lines));
    }
    let (lines, _) = ask_slowly(&mut player, &game, "go movetime 100");
    assert_eq!(best_of(&lines), "none");
}

#[test]
fn a_won_game_that_is_searched_through_in_no_time_is_told_in_a_few_lines() {
    let (mut player, mut game) = start(&[]);
    for turn in ["a7", "b4", "g7", "c5", "d7xb4", "e3", "a4", "d2", "a1xd2", "g1", "d6"] {
        play(&mut game, turn);
    }
    for limit in ["wtime 60000 btime 60000", "depth 100 nodes 300000", "movetime 700"] {
        let start = Instant::now();
        let (lines, _) = ask_slowly(&mut player, &game, &format!("go {limit}"));
        let most = 2 + start.elapsed().as_millis() / 200;
        assert!(lines.len() >= 2 && lines.len() as u128 <= most + 1, "{limit}: {lines:?}");
    }
}
