//! An engine that lost a game plays another one the next time.
//!
//! Both games are played from the same opening against the same stronger opponent, with the same
//! number of nodes for each move and no choice at random. What differs is what was learned.

use std::iter;
use std::path::Path;

use crate::client::{Client, best_of};
use crate::random::{IndexedRandom, RngExt, seeded};
use millstone::board::Square;
use tempfile::TempDir;

const LEARNER: &str = "go nodes 3000";
const OPPONENT: &str = "go nodes 20000";
/// A game that is not over by then counts as drawn.
const MOST_MOVES: usize = 160;
/// How many games are played to find them.
const MOST_GAMES: usize = 60;
/// In this game the learner, with Black, sees the loss only when it comes next.
const LATE_SURPRISE: &str = "g4 c3 f2 b2";

/// First moves, and whether the learner has White.
fn openings() -> impl Iterator<Item = (String, bool)> {
    let mut random = seeded(6);
    let opening = move || {
        let points = Square::ALL.sample(&mut random, 4).map(Square::to_string);
        (points.collect::<Vec<_>>().join(" "), random.random_bool(0.5))
    };
    iter::once((LATE_SURPRISE.to_owned(), false)).chain(iter::repeat_with(opening))
}

fn engine(home: &Path, learning: Option<&Path>) -> Client {
    let options = ["Hash=16", "Shuffling=false", "UsePerfectDatabase=false"];
    let mut engine = Client::start_in(home, &[]).with(&options);
    if let Some(file) = learning {
        engine.set(&["Learning=true", &format!("LearningFile={}", file.display())]);
    }
    engine
}

/// The moves of a game between engines without memory but the learner's file, and whether the learner
/// lost it. The engines end with the game, when what was learned is saved.
fn play(
    home: &Path,
    learning: Option<&Path>,
    opening: &str,
    is_white: bool,
) -> (Vec<String>, bool) {
    let mut learner = engine(home, learning);
    let mut opponent = engine(home, None);
    let mut moves: Vec<String> = opening.split(' ').map(str::to_owned).collect();
    let mut has_moved = false;
    while moves.len() < MOST_MOVES {
        let position = format!("position startpos moves {}", moves.join(" "));
        learner.send(&position);
        opponent.send(&position);
        let is_turn = is_turn_of_white(&mut opponent) == is_white;
        let (player, go) =
            if is_turn { (&mut learner, LEARNER) } else { (&mut opponent, OPPONENT) };
        match best_of(&player.ask(go, "bestmove")).as_str() {
            // Whoever moved last has won if no move is left, or too few men.
            end @ ("draw" | "none") => {
                learner.ready();
                return (moves, end == "none" && !has_moved);
            }
            mv => moves.push(mv.to_owned()),
        }
        has_moved = is_turn;
    }
    (moves, false)
}

fn is_turn_of_white(engine: &mut Client) -> bool {
    engine.ask_line("fen").split(' ').nth(2) == Some("w")
}

#[test]
fn a_lost_game_is_not_lost_the_same_way_again() {
    let home = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for (number, (opening, is_white)) in openings().take(MOST_GAMES).enumerate() {
        let file = home.path().join(format!("{number}.txt"));
        let [without, first, second] = [None, Some(&*file), Some(&*file)]
            .map(|learning| play(home.path(), learning, &opening, is_white));
        assert_eq!(first, without, "with nothing learned, learning changes nothing");
        if first.1 {
            let learned = std::fs::read_to_string(&file).unwrap();
            assert!(!second.0.starts_with(&first.0), "{opening}: {:?}\n{learned}", second.0);
            return;
        }
    }
    panic!("none of the games is lost");
}
