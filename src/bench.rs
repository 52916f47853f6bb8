//! The bench: searches of fixed positions, whose node count is a signature of the engine's play.
//!
//! # Measured
//!
//! On a virtual machine with two cores of an AMD EPYC (Zen 5), Linux, Rust 1.95; README.md has the most
//! important figures.
//!
//! | what | figure |
//! | --- | --- |
//! | value kept in the lists by lot of `tests/data` at 10, 100 and 1 000 ms, without files and `OwnBook`, on a machine half as fast: plies 3 to 8 | 96.3, 98.0 and 98.6 % |
//! | the same, plies 9 to 17 | 96.6, 99.0 and 99.8 % |
//! | the same, moving phase, 10 and 100 ms | 98.8 and 99.5 % |
//! | 400 games at 50 ms a move from balanced openings against the first version, with the tablebase of the moving phase | 349 won, 49 drawn, 2 lost |
//! | the same without tablebases | 316 won, 82 drawn, 2 lost |
//! | share of the points in 2 400 games at 50 ms against six opponents from balanced openings, with and without the tablebase | 84.7 and 81.7 %, error 0.8 |
//! | the same from drawn positions with 14 to 18 men | 81.8 and 77.9 %, error 0.8 |
//! | two threads against one, 52 random positions of 1 to 10 seconds | 1.93 times faster (geometric mean, 1.27 to 5.61) |
//! | levels 3, 6, 9, 12, 15, 18 against the level three below, 200 games each | +164, +168, +160, +191, +151, +141 Elo, error 50 |
//! | likewise levels 21 (60 games), 24 and 27 (40 games) at 60 000 nodes | +183, +127, +117 Elo, error 80 |
//! | turns in which levels 6, 9, 12 give value away, placing and moving | 12.6 and 7.9 %, 10.0 and 5.3 %, 6.7 and 5.6 % |
//! | 1 000 games over pipes at 10 ms + 1 ms a move | 1 of 77 576 answers late, by 3 ms |

use std::array;
use std::fmt;
use std::sync::LazyLock;
use std::time::Duration;

use crate::clusters::SizeError;
use crate::game::Game;
use crate::rules::{DrawRules, RuleSet};
use crate::search::{Engine, Limits, Observer};
use crate::system::clock::Moment;

/// The default depth of each search.
pub const DEPTH: u32 = 9;

/// The number of positions for a game without a list; those in which the game is over are skipped.
const GAMES: usize = 30;

const TABLE_MEBIBYTES: usize = 16;

/// The result of a bench run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The depth of each search.
    pub depth: u32,
    /// The number of positions searched.
    pub positions: usize,
    /// The nodes of all searches, the same on every machine.
    pub nodes: u64,
    /// The time of all searches.
    pub time: Duration,
}

impl Summary {
    /// Returns the nodes a second.
    pub fn rate(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time.as_secs_f64();
        writeln!(f, "positions {:>12}", self.positions)?;
        writeln!(f, "depth     {:>12}", self.depth)?;
        writeln!(f, "seconds   {seconds:>12.3}")?;
        writeln!(f, "nodes/s   {:>12.0}", self.rate())?;
        write!(f, "nodes     {:>12}", self.nodes)
    }
}

/// Searches the positions of a game to a depth with one thread, each from an empty table, until the
/// observer stops it.
///
/// # Errors
///
/// When the memory for the table cannot be allocated.
///
/// # Panics
///
/// Never: the positions are tested.
pub fn run(rules: &RuleSet, depth: u32, observer: &mut dyn Observer) -> Result<Summary, SizeError> {
    let games: Vec<Game> = if rules.is_standard() {
        let games = POSITIONS.map(|text| Game::from_text(text, *rules, DrawRules::default()));
        games.map(|game| game.expect("the positions are tested")).into()
    } else {
        (0..GAMES).filter_map(|number| game_in_progress(*rules, number)).collect()
    };
    let mut engine = Engine::new(TABLE_MEBIBYTES)?;
    let (mut positions, mut nodes, start) = (0, 0, Moment::now());
    for game in games {
        engine.clear();
        positions += 1;
        nodes += engine.search(&game, &Limits::to_depth(depth), observer).nodes;
        if observer.should_stop(nodes) {
            break;
        }
    }
    Ok(Summary { depth, positions, nodes, time: start.elapsed() })
}

/// Returns a game after `2 * number` moves, or `None` if it has ended. Each move is picked from the list by
/// its ply and `number`, so that the position depends on nothing but the rules.
fn game_in_progress(rules: RuleSet, number: usize) -> Option<Game> {
    let mut game = Game::start(rules, DrawRules::default());
    let (plies, step) = (number * 2, 7 + 2 * number);
    for ply in 0..plies {
        let moves = game.moves();
        let mv = moves.get(ply * step % moves.len().max(1))?;
        game.play(*mv).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

/// Positions of all phases, from self-play games with random openings.
pub static POSITIONS: LazyLock<[&str; 50]> = LazyLock::new(|| {
    let mut lines = include_str!("bench_positions.txt").lines();
    array::from_fn(|_| lines.next().expect("each line is a position"))
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Phase;
    use crate::search::Silent;

    #[test]
    fn positions_are_many_and_of_all_kinds() {
        let rules = RuleSet::NINE_MENS_MORRIS;
        let games = POSITIONS.map(|text| Game::from_text(text, rules, DrawRules::default()));
        let games = games.map(|game| game.expect("a position text"));
        assert_eq!(games.len(), include_str!("bench_positions.txt").lines().count());
        assert!(games.iter().all(|game| game.outcome().is_none()));
        let count = |is_kind: fn(&Game) -> bool| games.iter().filter(|game| is_kind(game)).count();
        assert!(count(|game| game.position().phase() == Phase::Placing) >= 10);
        assert!(count(|game| game.position().phase() == Phase::Moving) >= 10);
        assert!(count(|game| game.position().pending() > 0) >= 3);
        assert!(count(|game| game.position().may_fly(game.to_move())) >= 3);
    }

    #[test]
    fn the_signature_is_the_same_each_time() {
        let nodes = || run(&RuleSet::default(), 4, &mut Silent).unwrap().nodes;
        assert_eq!(nodes(), nodes());
    }
}
